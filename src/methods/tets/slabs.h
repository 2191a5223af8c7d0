#pragma once

#include <span>
#include <vector>

#include "math/types.h"

namespace pliant::tets {

/// Elements in slabs across the longest side of the body. A slab shares nodes with the slabs next
/// to it and no others, so every second one may be solved at once.
struct Slabs {
  std::vector<int> order;  // elements slab by slab; near in space, near in the order
  std::vector<int> start;  // where each slab begins in `order`, and the end

  int size() const { return int(start.size()) - 1; }
  std::span<const int> elements(int slab) const {
    return {order.data() + start[slab], std::size_t(start[slab + 1] - start[slab])};
  }
};

/// About `count` slabs of equally many elements, a multiple of four; fewer where the body is too
/// short for so many, and one if it is too short for four. Element e has its centre at centres[e]
/// and nodes corners[e * width + 0 .. width).
Slabs cut_into_slabs(std::span<const int> corners, int width, std::span<const Vec3> centres,
                     int nodes, int count);

}  // namespace pliant::tets
