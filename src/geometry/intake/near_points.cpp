#include "geometry/intake/near_points.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace pliant {

int gather_near_points(std::vector<Vec3>& points, double tolerance) {
  if (!(tolerance > 0) || points.empty()) return 0;
  // Sorted along a slanting direction, neighbours are found by a sweep: along an axis whole walls
  // of points would be neighbours.
  const Vec3 slant = Vec3(0.4142135624, 0.7320508076, 0.5410196625).normalized();
  std::vector<std::pair<double, int>> order;
  order.reserve(points.size());
  for (int p = 0; p < int(points.size()); ++p) order.emplace_back(slant.dot(points[p]), p);
  std::sort(order.begin(), order.end());
  std::vector<int> first(points.size());  // the earliest point within reach
  std::iota(first.begin(), first.end(), 0);
  constexpr std::size_t most = 4096;  // tests per point: heaps of points stay affordable
  for (std::size_t i = 0; i < order.size(); ++i) {
    const auto& [place, p] = order[i];
    for (std::size_t k = i + 1; k < order.size() && k - i < most; ++k) {
      const auto& [other_place, q] = order[k];
      if (other_place - place > tolerance) break;
      if ((points[q] - points[p]).squaredNorm() > tolerance * tolerance) continue;
      const int low = std::min(p, q), high = std::max(p, q);
      first[high] = std::min(first[high], low);
    }
  }
  int moved = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {  // rising, so the earlier one has its place
    if (first[i] == int(i)) continue;
    moved += points[i] != points[first[i]];
    points[i] = points[first[i]];
  }
  return moved;
}

}  // namespace pliant
