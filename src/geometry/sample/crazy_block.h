#pragma once

#include <cstdint>

#include "geometry/mesh/tet_mesh.h"

namespace pliant {

/// How far from equal and regular the tets of a mesh are.
struct TetQuality {
  double least_angle = 180;  // [degrees] of a corner of a face
  double edge_ratio = 1;     // longest edge of the mesh to its shortest
  double least_volume = 1;   // of a tet, to the mean
};
TetQuality quality(const TetMesh& mesh);

/// A cube of edge `size` [m] from the origin, cut into tets of the worst kind: needles and slivers,
/// with angles below 0.3 degrees and edges that differ by more than 67 to 1, but all of positive
/// volume, so that they fill the cube exactly and none overlap. Corners stay corners and faces stay
/// flat. Depends on `cells` (per edge, at least 3) and `seed` only.
TetMesh crazy_block(int cells, double size, std::uint64_t seed = 1);

}  // namespace pliant
