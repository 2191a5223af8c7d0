#include "geometry/query/penetration.h"

#include <algorithm>
#include <optional>

#include "geometry/query/pseudonormal.h"
#include "geometry/query/winding_number.h"

namespace pliant {

std::vector<Penetration> points_inside(std::span<const Vec3> points, const TriangleMesh& surface) {
  std::vector<Penetration> found;
  const Box box = bounds(surface.points);
  const auto may_be = [&](const Vec3& p) { return box.contains(p); };
  if (std::none_of(points.begin(), points.end(), may_be)) return found;  // before anything is built
  const Bvh bvh(surface);
  const Pseudonormals normals(surface);
  std::optional<WindingNumber> winding;  // where a surface crosses itself normals may lie
  for (std::size_t k = 0; k < points.size(); ++k) {
    const Vec3& p = points[k];
    if (!may_be(p)) continue;
    const SurfacePoint near = bvh.closest_point(surface, p);
    if (normals.at(surface, near).dot(p - near.point) >= 0) continue;
    if (!winding) winding.emplace(surface);
    if (winding->inside(p)) found.push_back({int(k), near.point, near.distance});
  }
  return found;
}

double deepest_inside(std::span<const Vec3> points, const TriangleMesh& surface) {
  double depth = 0;
  for (const Penetration& point : points_inside(points, surface))
    depth = std::max(depth, point.depth);
  return depth;
}

}  // namespace pliant
