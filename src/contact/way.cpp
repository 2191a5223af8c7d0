#include "contact/way.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/parallel.h"

namespace pliant {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

}  // namespace

Way way_of(const std::vector<Vec3>& to, const std::vector<Vec3>& from) {
  if (to.empty()) return {};
  Vec3 low = Vec3::Constant(infinite), high = Vec3::Constant(-infinite);
  double largest = 0, sum = 0;
  for (std::size_t i = 0; i < to.size(); ++i) {
    const Vec3 here = to[i] - from[i];
    const double squared = here.squaredNorm();
    low = low.cwiseMin(here), high = high.cwiseMax(here);
    largest = std::max(largest, squared);
    sum += squared;  // catches a NaN that min and max pass over
  }
  if (!std::isfinite(sum)) return {Vec3::Zero(), infinite, infinite};
  return {0.5 * (low + high), 0.5 * (high - low).norm(), std::sqrt(largest)};
}

double furthest(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
  const double squared = parallel_max(int(a.size()), 1024, 0, [&](int begin, int end) {
    double largest = 0, sum = 0;
    for (int i = begin; i < end; ++i) {
      const double here = (a[i] - b[i]).squaredNorm();
      largest = std::max(largest, here);
      sum += here;  // catches a NaN that max() passes over
    }
    return std::isfinite(sum) ? largest : infinite;
  });
  return std::sqrt(squared);
}

double top_speed(const Nodes& nodes) {
  double largest = 0;
  for (const Vec3& v : nodes.velocity) largest = std::max(largest, v.squaredNorm());
  return std::sqrt(largest);
}

}  // namespace pliant
