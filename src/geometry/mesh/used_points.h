#pragma once

#include <vector>

#include "geometry/mesh/triangle_mesh.h"

namespace pliant {

/// Forgets the points that no triangle uses; the others keep their order. Which they were: one
/// former number per point that is left.
std::vector<int> keep_used_points(TriangleMesh& mesh);

}  // namespace pliant
