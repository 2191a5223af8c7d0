#pragma once

#include "geometry/mesh/tet_mesh.h"

namespace pliant {

/// A block from the origin to `size` [m], cut into cells of five tets each as in five_tets.h. Node
/// (i, j, k) has index i + (nx + 1) (j + (ny + 1) k); cells come in the same order, cell c with
/// tets 5c .. 5c+4.
TetMesh tet_block(const Eigen::Vector3i& cells, const Vec3& size);

}  // namespace pliant
