#pragma once

#include <cstdint>
#include <vector>

#include "geometry/mesh/triangle_mesh.h"

namespace pliant {

/// Points inside a closed surface, spread at random but nowhere closer than `spacing` [m], until
/// hardly any place for another is left: 0.69 to 0.82 of them in a cube of that edge. The same
/// points in every run.
std::vector<Vec3> poisson_points(const TriangleMesh& surface, double spacing,
                                 std::uint64_t seed = 0);

/// [m] The spacing at which poisson_points() finds about `count` points in this volume [m^3].
double poisson_spacing(double volume, int count);

}  // namespace pliant
