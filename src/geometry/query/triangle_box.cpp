#include "geometry/query/triangle_box.h"

#include <algorithm>
#include <cmath>

// Two convex bodies are apart exactly when some axis separates them; for a box and a triangle it is
// one of the three box normals, the triangle's normal, or one of the nine products of their edges.

namespace pliant {
namespace {

bool separates(const Vec3& axis, const std::array<Vec3, 3>& corner, const Vec3& half) {
  const double a = axis.dot(corner[0]), b = axis.dot(corner[1]), c = axis.dot(corner[2]);
  const double reach = half.dot(axis.cwiseAbs());
  return std::min({a, b, c}) > reach || std::max({a, b, c}) < -reach;
}

}  // namespace

bool triangle_meets_box(const std::array<Vec3, 3>& triangle, const Vec3& centre, const Vec3& half) {
  const std::array<Vec3, 3> corner = {triangle[0] - centre, triangle[1] - centre,
                                      triangle[2] - centre};
  const Vec3 low = corner[0].cwiseMin(corner[1]).cwiseMin(corner[2]);
  const Vec3 high = corner[0].cwiseMax(corner[1]).cwiseMax(corner[2]);
  if ((low.array() > half.array()).any() || (high.array() < -half.array()).any()) return false;
  const std::array<Vec3, 3> edge = {corner[1] - corner[0], corner[2] - corner[1],
                                    corner[0] - corner[2]};
  if (separates(edge[0].cross(edge[1]), corner, half)) return false;
  for (const Vec3& e : edge) {
    if (separates({0, -e.z(), e.y()}, corner, half)) return false;
    if (separates({e.z(), 0, -e.x()}, corner, half)) return false;
    if (separates({-e.y(), e.x(), 0}, corner, half)) return false;
  }
  return true;
}

}  // namespace pliant
