#include "geometry/mesh/sides.h"

#include <algorithm>

namespace pliant {

std::vector<Side> sorted_sides(const std::vector<Triangle>& triangles) {
  std::vector<Side> sides;
  sides.reserve(3 * triangles.size());
  for (int t = 0; t < int(triangles.size()); ++t) {
    for (int k = 0; k < 3; ++k) {
      const int a = triangles[t][k], b = triangles[t][(k + 1) % 3];
      sides.push_back({std::min(a, b), std::max(a, b), 3 * t + k, a < b});
    }
  }
  std::sort(sides.begin(), sides.end(), [](const Side& a, const Side& b) {
    if (a.low != b.low) return a.low < b.low;
    if (a.high != b.high) return a.high < b.high;
    return a.index < b.index;
  });
  return sides;
}

}  // namespace pliant
