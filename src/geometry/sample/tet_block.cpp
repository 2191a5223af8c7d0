#include "geometry/sample/tet_block.h"

#include "core/assert.h"
#include "geometry/sample/five_tets.h"

namespace pliant {

TetMesh tet_block(const Eigen::Vector3i& cells, const Vec3& size) {
  ASSERT(cells.minCoeff() > 0, "a block has at least one cell in each direction");
  const Eigen::Vector3i n = cells + Eigen::Vector3i::Ones();
  TetMesh mesh;
  mesh.points.reserve(std::size_t(n.x()) * n.y() * n.z());
  for (int k = 0; k < n.z(); ++k)
    for (int j = 0; j < n.y(); ++j)
      for (int i = 0; i < n.x(); ++i)
        mesh.points.emplace_back(size.x() * i / cells.x(), size.y() * j / cells.y(),
                                 size.z() * k / cells.z());

  mesh.tets.reserve(5 * std::size_t(cells.x()) * cells.y() * cells.z());
  for (int k = 0; k < cells.z(); ++k) {
    for (int j = 0; j < cells.y(); ++j) {
      for (int i = 0; i < cells.x(); ++i) {
        for (const Tet& corners : five_tets((i + j + k) % 2)) {
          Tet& tet = mesh.tets.emplace_back();
          for (int v = 0; v < 4; ++v) {
            const Eigen::Vector3i at = Eigen::Vector3i(i, j, k) + cube_corner(corners[v]);
            tet[v] = at.x() + n.x() * (at.y() + n.y() * at.z());
          }
        }
      }
    }
  }
  return mesh;
}

}  // namespace pliant
