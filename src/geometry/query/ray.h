#pragma once

#include "geometry/query/bvh.h"

namespace pliant {

/// Whether the ray from `origin` along `direction` (any length) meets a triangle further away than
/// `least` [m]. Both sides of a triangle count. Not exact at edges: never decide by one ray alone.
bool ray_hits(const TriangleMesh& mesh, const Bvh& bvh, const Vec3& origin, const Vec3& direction,
              double least = 0);

}  // namespace pliant
