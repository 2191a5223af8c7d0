#pragma once

#include <vector>

#include "math/types.h"

namespace pliant::track {

/// Closes a plane section. `loops` are closed rows of points, anticlockwise round matter and
/// clockwise round holes; `place` is every point in the plane. Triangles lie to the left of the
/// loops' sides, each of which they use once, and share all others; so what the loops bounded is
/// closed afterwards, even where they cross each other. Points that had to be added are appended
/// to `place`.
std::vector<Triangle> cap_loops(const std::vector<std::vector<int>>& loops,
                                std::vector<Vec2>& place);

}  // namespace pliant::track
