#pragma once

#include <optional>

#include "geometry/query/bvh.h"

namespace pliant {

/// Whether an edge of one triangle passes through the other, or, when they share an edge, whether
/// they are folded flat onto each other. Decided exactly. Triangles that touch from outside, corner
/// on face or face on face, do not cross.
bool triangles_cross(const TriangleMesh& mesh, int first, int second);

struct CrossingTriangles {
  int first, second;
};
/// Two triangles of the surface that cross, if there are any: the first ones by number.
std::optional<CrossingTriangles> find_self_crossing(const TriangleMesh& mesh);

}  // namespace pliant
