#include "geometry/mesh/triangle_mesh.h"

namespace pliant {

const TriangleMesh::Group* TriangleMesh::group(const std::string& name) const {
  for (const Group& g : groups)
    if (g.name == name) return &g;
  return nullptr;
}

Vec3 area_vector(const TriangleMesh& mesh, int triangle) {
  const Triangle& t = mesh.triangles[triangle];
  const Vec3& a = mesh.points[t[0]];
  return 0.5 * (mesh.points[t[1]] - a).cross(mesh.points[t[2]] - a);
}

double area(const TriangleMesh& mesh) {
  double sum = 0;
  for (int t = 0; t < int(mesh.triangles.size()); ++t) sum += area_vector(mesh, t).norm();
  return sum;
}

double volume(const TriangleMesh& mesh) {
  // From the middle of the surface and not from the origin: a small body far away keeps its digits,
  // and an open one a sensible value.
  Box box;
  for (const Triangle& t : mesh.triangles)
    for (const int p : t) box.add(mesh.points[p]);
  if (box.empty()) return 0;
  const Vec3 centre = box.centre();
  double sum = 0;
  for (int t = 0; t < int(mesh.triangles.size()); ++t)
    sum += area_vector(mesh, t).dot(mesh.points[mesh.triangles[t][0]] - centre);
  return sum / 3;
}

}  // namespace pliant
