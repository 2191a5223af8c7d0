#pragma once

#include "geometry/mesh/triangle_mesh.h"
#include "geometry/nurbs/face_border.h"

namespace pliant {

/// Two faces whose borders run along one another; the same one twice: a closed face meets itself.
struct FaceMeeting {
  int first = 0, second = 0;  // numbers, first <= second
  double length = 0;          // [m] of both borders
  double gap = 0;             // [m] between them where it is widest; an overlap counts alike
};

/// How the faces of a CAD model hang together. Their borders are divided into what meets another
/// border, what ends in the middle of another face, what is buried in the solid, and what is free.
struct FaceMeetings {
  double length = 0;                                  // [m] of all borders
  double met = 0, resting = 0, buried = 0, open = 0;  // [m]
  std::vector<FaceMeeting> pairs;                     // widest gap first
  struct Pair {
    int first = 0, second = 0;
  };
  std::vector<Pair> rests;      // the first one ends on the second one
  std::vector<Pair> touches;    // faces with a border of one along the other, not always all
  std::vector<Pair> crossings;  // faces that pass through each other away from their borders
  struct Run {
    int hole = 0;  // which it belongs to, from 0
    std::vector<Vec3> points;
  };
  std::vector<Run> free;  // rows of free border
  int holes = 0;

  /// Per face, numbered from 1 to `faces`: the number of its piece, from 0, in order.
  std::vector<int> pieces(int faces) const;
};

/// `surface` faces outwards; `face`: per triangle its number, 0 = none; `overlapping`: triangles
/// that pass through others. Borders further than `reach` [m] apart do not belong together.
FaceMeetings face_meetings(const std::vector<FaceBorder>& borders, const TriangleMesh& surface,
                           const std::vector<int>& face, const std::vector<int>& overlapping,
                           double reach);

}  // namespace pliant
