#include "geometry/sample/crossings.h"

#include <algorithm>
#include <cmath>

namespace pliant {

std::optional<int> crossings(const Vec3& from, const Vec3& to, const TriangleMesh& mesh,
                             std::span<const int> triangles) {
  constexpr double unsure = 1e-9;  // share of the largest volume that could come out
  int sum = 0;
  const Vec3 way = to - from;
  for (const int t : triangles) {
    const Triangle& corner = mesh.triangles[t];
    const Vec3 a = mesh.points[corner[0]] - from;
    const Vec3 b = mesh.points[corner[1]] - from;
    const Vec3 c = mesh.points[corner[2]] - from;
    const Vec3 normal = (b - a).cross(c - a);
    const double start = -normal.dot(a), end = start + normal.dot(way);  // heights over the plane
    const double reach = std::sqrt(std::max({a.squaredNorm(), b.squaredNorm(), c.squaredNorm()}));
    const double small = unsure * normal.norm() * (reach + way.norm());
    if ((start > small && end > small) || (start < -small && end < -small)) continue;

    // Volumes over the way and each side: of one sign when the way's line goes through the
    // triangle.
    const Vec3 side(way.dot(a.cross(b)), way.dot(b.cross(c)), way.dot(c.cross(a)));
    const double tiny = unsure * reach * reach * way.norm();
    if (side.minCoeff() < -tiny && side.maxCoeff() > tiny) continue;
    const bool through = side.minCoeff() > tiny || side.maxCoeff() < -tiny;
    if (!through || std::abs(start) <= small || std::abs(end) <= small) return std::nullopt;
    sum += end > 0 ? 1 : -1;
  }
  return sum;
}

}  // namespace pliant
