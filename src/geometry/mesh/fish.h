#pragma once

#include "geometry/mesh/triangle_mesh.h"

namespace pliant {

/// A closed fish with back, belly, tail and side fins, thin towards their rims: the kind of model
/// that no grid of cubes follows. Nose at -x, back up (+y), as long as `length` [m], about the
/// origin; edges are about `edge` long, 0.011 of the length gives 20 000 triangles. Made of rings
/// that are star-shaped about the spine, so it cannot cross itself.
TriangleMesh fish_mesh(double length, double edge);

}  // namespace pliant
