#include "geometry/query/penetration.h"

#include <algorithm>
#include <optional>

#include "geometry/query/pseudonormal.h"
#include "geometry/query/winding_number.h"

namespace pliant {

double deepest_inside(std::span<const Vec3> points, const TriangleMesh& surface) {
  const Box box = bounds(surface.points);
  const auto may_be = [&](const Vec3& p) { return box.contains(p); };
  if (std::none_of(points.begin(), points.end(), may_be)) return 0;  // before anything is built
  const Bvh bvh(surface);
  const Pseudonormals normals(surface);
  std::optional<WindingNumber> winding;  // where a surface crosses itself normals may lie
  double depth = 0;
  for (const Vec3& p : points) {
    if (!may_be(p)) continue;
    const SurfacePoint near = bvh.closest_point(surface, p);
    if (near.distance <= depth || normals.at(surface, near).dot(p - near.point) >= 0) continue;
    if (!winding) winding.emplace(surface);
    if (winding->inside(p)) depth = near.distance;
  }
  return depth;
}

}  // namespace pliant
