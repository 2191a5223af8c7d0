#include "geometry/mesh/moments.h"

namespace pliant {

void Moments::add(const Moments& other, double density) {
  mass += density * other.mass;
  first += density * other.first;
  second += density * other.second;
}

Moments moments(const std::array<Vec3, 4>& corners) {
  const auto& [a, b, c, d] = corners;
  const Vec3 sum = a + b + c + d;
  Moments found;
  found.mass = (b - a).cross(c - a).dot(d - a) / 6;
  found.first = found.mass / 4 * sum;
  found.second = sum * sum.transpose();
  for (const Vec3& p : corners) found.second += p * p.transpose();
  found.second *= found.mass / 20;
  return found;
}

// A surface is the boundary of the signed tets between its triangles and any one point.
Moments moments(const TriangleMesh& mesh, const Vec3& origin) {
  Moments sum;
  for (const Triangle& t : mesh.triangles)
    sum.add(moments({Vec3::Zero(), mesh.points[t[0]] - origin, mesh.points[t[1]] - origin,
                     mesh.points[t[2]] - origin}));
  return sum;
}

}  // namespace pliant
