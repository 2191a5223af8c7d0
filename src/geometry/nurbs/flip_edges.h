#pragma once

#include <functional>
#include <vector>

#include "geometry/mesh/triangle_mesh.h"
#include "math/types.h"

namespace pliant {

/// Whether the edge between two vertices may give way to that between two others.
using MayFlip = std::function<bool(int a, int b, int other_a, int other_b)>;

/// Makes the triangles of a domain less thin: an edge whose opposite angles, measured on the
/// surface, sum to more than half a turn gives way to the other diagonal of its two triangles
/// (Lawson 1977), where that does not fold the domain over. Edges of one triangle stay.
void flip_edges(const std::vector<Vec2>& uv, const std::vector<Vec3>& x, const MayFlip& may_flip,
                std::vector<Triangle>& triangles);

}  // namespace pliant
