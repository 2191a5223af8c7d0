#include "contact/way.h"

#include <algorithm>

#include "core/parallel.h"

namespace pliant {

Way way_of(const std::vector<Vec3>& to, const std::vector<Vec3>& from) {
  return way_of(int(to.size()), [&](int i) -> Vec3 { return to[i] - from[i]; });
}

double furthest(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
  constexpr double infinite = std::numeric_limits<double>::infinity();
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
