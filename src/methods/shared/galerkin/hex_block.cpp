#include "methods/shared/galerkin/hex_block.h"

#include <cmath>

namespace pliant::galerkin {

HexBlock hex_block(const Eigen::Vector3i& cells, const Vec3& size) {
  HexBlock block;
  const Vec3 cell = size.cwiseQuotient(cells.cast<double>());
  const Eigen::Vector3i n = cells + Eigen::Vector3i::Ones();
  for (int k = 0; k < n.z(); ++k)
    for (int j = 0; j < n.y(); ++j)
      for (int i = 0; i < n.x(); ++i) block.nodes.push_back(cell.cwiseProduct(Vec3(i, j, k)));
  Points& points = block.points;
  for (int c = 0; c < cells.prod(); ++c) {
    const Eigen::Vector3i at(c % cells.x(), c / cells.x() % cells.y(), c / cells.x() / cells.y());
    for (int g = 0; g < 8; ++g) {
      Vec3 t;  // in the unit cube
      for (int d = 0; d < 3; ++d) t[d] = 0.5 + ((g >> d & 1) - 0.5) / std::sqrt(3.0);
      for (int v = 0; v < 8; ++v) {
        Vec3 value, slope;
        Eigen::Vector3i corner = at;
        for (int d = 0; d < 3; ++d) {
          const int up = v >> d & 1;
          corner[d] += up;
          value[d] = up ? t[d] : 1 - t[d];
          slope[d] = (up ? 1 : -1) / cell[d];
        }
        points.node.push_back(corner.x() + n.x() * (corner.y() + n.y() * corner.z()));
        points.value.push_back(value.prod());
        points.gradient.push_back({slope.x() * value.y() * value.z(),
                                   value.x() * slope.y() * value.z(),
                                   value.x() * value.y() * slope.z()});
      }
      points.start.push_back(int(points.node.size()));
      points.rest.push_back(cell.cwiseProduct(Vec3(at.cast<double>() + t)));
      points.volume.push_back(cell.prod() / 8);
      points.material.push_back(0);
    }
    points.bundle.push_back(points.size());
  }
  return block;
}

}  // namespace pliant::galerkin
