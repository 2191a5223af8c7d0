#pragma once

#include "body/solid.h"
#include "geometry/mesh/tet_mesh.h"
#include "methods/groups/groups.h"

namespace pliant::groups {

/// Cells as groups of their eight corners. Cells come as five tets each, one after the other
/// (tet_block.h, cell_grid.h), whose points become the particles. `fill`: share of each tet that is
/// material, empty = all; `cell`: place of each cell in a grid, empty = unknown. Masses are shared.
Groups hex_groups(const TetMesh& mesh, const std::vector<double>& fill,
                  const std::vector<Eigen::Vector3i>& cell, const Solid& solid);

/// Tets of the user's own as groups of four; all of positive volume.
Groups tet_groups(const TetMesh& mesh, const Solid& solid);

}  // namespace pliant::groups
