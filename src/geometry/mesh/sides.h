#pragma once

#include <vector>

#include "geometry/mesh/triangle_mesh.h"

namespace pliant {

/// A triangle's side.
struct Side {
  int low, high;  // points
  int index;      // 3 * triangle + k, joins corners k and k + 1
  bool forward;   // runs from low to high
};

/// All sides, those of one edge together, by rising index.
std::vector<Side> sorted_sides(const std::vector<Triangle>& triangles);

/// Calls visit(begin, end) for the sides of each edge.
template <class Visit>
void for_each_edge(const std::vector<Side>& sides, const Visit& visit) {
  for (std::size_t i = 0; i < sides.size();) {
    std::size_t end = i + 1;
    while (end < sides.size() && sides[end].low == sides[i].low && sides[end].high == sides[i].high)
      ++end;
    visit(sides.data() + i, sides.data() + end);
    i = end;
  }
}

}  // namespace pliant
