#include "geometry/mesh/used_points.h"

namespace pliant {

std::vector<int> keep_used_points(TriangleMesh& mesh) {
  std::vector<int> number(mesh.points.size(), -1);
  for (const Triangle& t : mesh.triangles)
    for (const int corner : t) number[corner] = 0;
  std::vector<int> former;
  for (int p = 0; p < int(number.size()); ++p) {
    if (number[p] < 0) continue;
    number[p] = int(former.size());
    mesh.points[former.size()] = mesh.points[p];
    former.push_back(p);
  }
  mesh.points.resize(former.size());
  for (Triangle& t : mesh.triangles)
    for (int& corner : t) corner = number[corner];
  return former;
}

}  // namespace pliant
