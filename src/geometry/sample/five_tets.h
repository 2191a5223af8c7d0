#pragma once

#include "math/types.h"

namespace pliant {

/// How a cube is cut into five tets: four that each cut off one corner, and the one left in the
/// middle. Corner number x + 2 y + 4 z. Neighbouring cubes are mirror images, so that the diagonals
/// of shared faces agree: in a grid the nodes with even i + j + k are cut off, those with odd i + j
/// + k carry the middle tets. All positive.
using FiveTets = std::array<Tet, 5>;

/// For the cube at (i, j, k), which of the two mirror images it is: `odd` = i + j + k is odd.
constexpr FiveTets five_tets(bool odd) {
  FiveTets tets = {{{0, 1, 2, 4}, {3, 2, 1, 7}, {5, 4, 7, 1}, {6, 7, 4, 2}, {1, 2, 4, 7}}};
  if (!odd) return tets;
  for (Tet& t : tets) t = {t[0] ^ 1, t[1] ^ 1, t[3] ^ 1, t[2] ^ 1};
  return tets;
}

inline Eigen::Vector3i cube_corner(int corner) {
  return {corner & 1, corner >> 1 & 1, corner >> 2};
}

}  // namespace pliant
