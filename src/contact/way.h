#pragma once

#include <vector>

#include "body/nodes.h"

namespace pliant {

/// How far points went: all of them by `middle`, give or take `off`.
struct Way {
  Vec3 middle = Vec3::Zero();  // [m]
  double off = 0;              // [m] no point's way differs more from the middle
  double furthest = 0;         // [m] infinite when one is not finite
};
Way way_of(const std::vector<Vec3>& to, const std::vector<Vec3>& from);

/// The largest distance between points of the same number [m]; infinite when one is not finite.
double furthest(const std::vector<Vec3>& a, const std::vector<Vec3>& b);

/// Of the fastest node [m/s].
double top_speed(const Nodes& nodes);

}  // namespace pliant
