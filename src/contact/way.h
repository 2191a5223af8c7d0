#pragma once

#include <vector>

#include "body/nodes.h"

namespace pliant {

/// The largest distance between points of the same number [m]; infinite when one is not finite.
double furthest(const std::vector<Vec3>& a, const std::vector<Vec3>& b);

/// Of the fastest node [m/s].
double top_speed(const Nodes& nodes);

}  // namespace pliant
