#pragma once

#include <string>
#include <vector>

#include "geometry/intake/face_meetings.h"
#include "geometry/intake/intake.h"
#include "geometry/nurbs/patch.h"

namespace pliant {

/// A face of a CAD model and what becomes of it.
struct CadFace {
  int number = 0;                   // in the file, from 1
  std::string name;                 // as in the file; may be empty
  std::vector<std::string> within;  // names of what it is part of, innermost first
  int degree_u = 0, degree_v = 0;
  int poles_u = 0, poles_v = 0;
  bool is_rational = false, is_trimmed = false;
  bool was_turned = false;
  int piece = 0;         // of faces that touch, from 1
  double area = 0;       // [m^2]
  double thickness = 0;  // [m] of the solid behind it, the middle value; 0 = none was found
  int refined = 0;       // control points of it in a body of nurbs; 0 = there is none
};

/// A solid, product or assembly by its name in the file, which is that of a group, too.
struct CadPart {
  std::string name;
  std::vector<int> faces;  // their numbers, rising
};

/// What there is to say about the faces of a CAD model.
struct CadInspection {
  std::string unit;        // of the file: "mm", ...
  double unit_length = 1;  // [m]
  std::string said_by;     // who says so: "the file", "--unit"
  int left_out = 0;        // faces that cannot be used
  std::vector<CadFace> faces;
  std::vector<CadPart> parts;  // in the order of their first faces, whole assemblies first
  FaceMeetings meetings;
  int pieces = 0;
  double reach = 0;                   // [m] borders further apart do not belong together
  double accuracy = 0;                // [m] of gaps
  std::vector<int> face_of_triangle;  // of the given surface: index into `faces`
};

/// Of the diagonal: how far apart borders may be that belong together, as for stitches of nurbs,
/// and what counts as a gap: control points closer than that are welded.
constexpr double cad_reach = 5e-3, cad_gap = 1e-5;

/// `given` was drawn of `patches` and has a group for each of them first; all placed, in metres.
CadInspection inspect_cad(const std::vector<NurbsPatch>& patches,
                          const std::vector<FaceBorder>& borders, const TriangleMesh& given,
                          const Intake& intake, const std::vector<int>& overlapping);

}  // namespace pliant
