#pragma once

#include <optional>
#include <span>

#include "geometry/mesh/triangle_mesh.h"

namespace pliant {

/// How often the way from `from` to `to` leaves the surface (+1) or enters it (-1), among these
/// triangles. Nothing when it passes so close to an edge or an end that rounding would decide.
std::optional<int> crossings(const Vec3& from, const Vec3& to, const TriangleMesh& mesh,
                             std::span<const int> triangles);

}  // namespace pliant
