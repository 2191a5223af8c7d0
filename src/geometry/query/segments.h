#pragma once

#include <optional>

#include "math/types.h"

// Distances and meetings of triangles' features. All functions are pure; degenerate features have
// an answer too.

namespace pliant {

/// Nearest points of the segments p0-p1 and q0-q1, as shares of the way from the first end.
struct SegmentPair {
  double s = 0, t = 0;
  double distance = 0;
};
SegmentPair closest_between_segments(const Vec3& p0, const Vec3& p1, const Vec3& q0,
                                     const Vec3& q1);

/// Four points on straight ways at constant speeds, in unit time: a point and a triangle.
struct MovingTriangle {
  Vec3 point[2];      // at time 0 and 1
  Vec3 corner[3][2];  // the same of each corner
};
/// The first time in (0, 1] at which the point passes through the triangle, and where.
struct Passage {
  double time = 0;
  Vec3 share = Vec3::Zero();  // of the corners
};
std::optional<Passage> first_passage(const MovingTriangle& moving);

/// Two edges whose ends go on straight ways at constant speeds, in unit time.
struct MovingEdges {
  Vec3 p[2][2], q[2][2];  // end, then time 0 and 1
};
/// The first time in (0, 1] at which they pass through each other, and where on each.
struct Crossing {
  double time = 0;
  double s = 0, t = 0;  // shares of the way from the first end
};
std::optional<Crossing> first_crossing(const MovingEdges& moving);

/// The share of the way from `from` to `from + step` at which it goes through the triangle; 2 when
/// it does not. `front_only`: only from the side from which a b c are anticlockwise. Counts a hair
/// more than the triangle, so that no path slips between two.
double cross_triangle(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& from,
                      const Vec3& step, bool front_only);

}  // namespace pliant
