#pragma once

#include <vector>

#include "math/types.h"

namespace pliant {

/// Moves every point that lies within `tolerance` [m] of an earlier one to that one's place; chains
/// end at the first point that had no earlier neighbour. Returns how many moved.
int gather_near_points(std::vector<Vec3>& points, double tolerance);

}  // namespace pliant
