#include "geometry/mesh/clean_tets.h"

#include <cmath>

#include "core/errors.h"

namespace pliant {

CleanTets cleaned(const TetMesh& mesh) {
  CleanTets clean;
  const double size = bounds(mesh.points).extent().maxCoeff();
  const double flat = 1e-12 * size * size * size;
  std::vector<int> number(mesh.points.size(), -1);  // new index of a point
  int turned = 0, dropped = 0;
  for (Tet tet : mesh.tets) {
    for (const int corner : tet)
      if (corner < 0 || corner >= int(mesh.points.size()))
        throw InputError("", "",
                         "has a tet with corner " + std::to_string(corner) + ", but only " +
                             std::to_string(mesh.points.size()) + " points");
    const Vec3& x0 = mesh.points[tet[0]];
    const double volume =
        (mesh.points[tet[1]] - x0).cross(mesh.points[tet[2]] - x0).dot(mesh.points[tet[3]] - x0) /
        6;
    if (!(std::abs(volume) > flat)) {
      ++dropped;
      continue;
    }
    if (volume < 0) {
      std::swap(tet[2], tet[3]);
      ++turned;
    }
    for (const int corner : tet) number[corner] = 0;
    clean.mesh.tets.push_back(tet);
  }
  if (clean.mesh.tets.empty()) throw InputError("", "", "has no tet with any volume");

  for (std::size_t p = 0; p < number.size(); ++p) {
    if (number[p] < 0) continue;
    number[p] = int(clean.mesh.points.size());
    clean.mesh.points.push_back(mesh.points[p]);
  }
  for (Tet& tet : clean.mesh.tets)
    for (int& corner : tet) corner = number[corner];

  const std::size_t unused = mesh.points.size() - clean.mesh.points.size();
  if (turned > 0)
    clean.warnings.push_back(std::to_string(turned) + " tets were inside out and were turned");
  if (dropped > 0) clean.warnings.push_back(std::to_string(dropped) + " flat tets were left out");
  if (unused > 0)
    clean.warnings.push_back(std::to_string(unused) + " points belong to no tet and were left out");
  return clean;
}

}  // namespace pliant
