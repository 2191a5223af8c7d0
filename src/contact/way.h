#pragma once

#include <cmath>
#include <limits>
#include <vector>

#include "body/nodes.h"

namespace pliant {

/// How far points went: all of them by `middle`, give or take `off`.
struct Way {
  Vec3 middle = Vec3::Zero();  // [m]
  double off = 0;              // [m] no point's way differs more from the middle
  double furthest = 0;         // [m] infinite when one is not finite
};
/// `step(i)` [m]: where the i-th point went.
template <class Step>
Way way_of(int count, const Step& step) {
  if (count == 0) return {};
  constexpr double infinite = std::numeric_limits<double>::infinity();
  Vec3 low = Vec3::Constant(infinite), high = Vec3::Constant(-infinite);
  double largest = 0, sum = 0;
  for (int i = 0; i < count; ++i) {
    const Vec3 here = step(i);
    const double squared = here.squaredNorm();
    low = low.cwiseMin(here), high = high.cwiseMax(here);
    largest = std::max(largest, squared);
    sum += squared;  // catches a NaN that min and max pass over
  }
  if (!std::isfinite(sum)) return {Vec3::Zero(), infinite, infinite};
  return {0.5 * (low + high), 0.5 * (high - low).norm(), std::sqrt(largest)};
}
Way way_of(const std::vector<Vec3>& to, const std::vector<Vec3>& from);

/// The largest distance between points of the same number [m]; infinite when one is not finite.
double furthest(const std::vector<Vec3>& a, const std::vector<Vec3>& b);

/// Of the fastest node [m/s].
double top_speed(const Nodes& nodes);

}  // namespace pliant
