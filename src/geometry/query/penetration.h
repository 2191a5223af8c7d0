#pragma once

#include <span>

#include "geometry/mesh/triangle_mesh.h"

namespace pliant {

/// [m] How deep the deepest of these points lies inside a closed surface, which may cross itself;
/// 0 = none does.
double deepest_inside(std::span<const Vec3> points, const TriangleMesh& surface);

}  // namespace pliant
