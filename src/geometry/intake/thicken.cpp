#include "geometry/intake/thicken.h"

#include "geometry/mesh/sides.h"

namespace pliant {

TriangleMesh thickened(const TriangleMesh& surface, double thickness) {
  TriangleMesh solid = surface;
  const int count = int(surface.points.size());
  std::vector<Vec3> normal(surface.points.size(), Vec3::Zero());
  for (int t = 0; t < int(surface.triangles.size()); ++t) {
    const Vec3 area = area_vector(surface, t);
    for (const int p : surface.triangles[t]) normal[p] += area;
  }
  for (int p = 0; p < count; ++p) {
    const double length = normal[p].norm();
    solid.points.push_back(surface.points[p] -
                           (length > 0 ? Vec3(thickness / length * normal[p]) : Vec3::Zero()));
  }
  for (const Triangle& t : surface.triangles)
    solid.triangles.push_back({t[0] + count, t[2] + count, t[1] + count});
  for_each_edge(sorted_sides(surface.triangles), [&](const Side* begin, const Side* end) {
    if (end - begin != 1) return;
    const int from = begin->forward ? begin->low : begin->high;
    const int to = begin->forward ? begin->high : begin->low;
    solid.triangles.push_back({to, from, from + count});
    solid.triangles.push_back({to, from + count, to + count});
  });
  return solid;
}

}  // namespace pliant
