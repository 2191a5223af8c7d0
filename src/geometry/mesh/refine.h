#pragma once

#include "geometry/mesh/triangle_mesh.h"

namespace pliant {

/// Cuts edges in half until none is longer than `longest` [m]. Neighbours are cut together, so the
/// surface keeps its shape, its volume and its closedness. The given points come first, under their
/// old indices; groups are kept. Throws InputError when that would take more than 20 million
/// triangles.
TriangleMesh refine_long_edges(const TriangleMesh& mesh, double longest);

}  // namespace pliant
