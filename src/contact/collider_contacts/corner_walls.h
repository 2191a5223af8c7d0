#pragma once

#include <array>

#include "contact/colliders/collider_distance.h"

namespace pliant {

/// Walls of a hollow corner of a mesh that are near a point: besides the first, which is known.
struct CornerWalls {
  static constexpr int most = 2;
  std::array<ColliderHit, most> wall;
  int count = 0;
};

/// In a hollow corner the nearest wall alone would let a vertex slip through the next one, and the
/// two take turns: so up to two more faces in front of which the point is, over their inside,
/// nearer than `reach`, and that look another way than `first` and each other. Local coordinates.
CornerWalls corner_walls(const MeshShape& shape, const Vec3& p, const Vec3& first, double reach);

}  // namespace pliant
