#pragma once

#include "methods/shared/galerkin/points.h"

namespace pliant::galerkin {

/// Trilinear bricks with 2 x 2 x 2 Gauss points: ordinary finite elements as quadrature points. The
/// fixture of tests, and the peer that papers compare with.
struct HexBlock {
  std::vector<Vec3> nodes;  // node (i, j, k) has index i + (nx + 1) (j + (ny + 1) k)
  Points points;
};
HexBlock hex_block(const Eigen::Vector3i& cells, const Vec3& size);

}  // namespace pliant::galerkin
