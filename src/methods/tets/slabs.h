#pragma once

#include <span>
#include <vector>

#include "math/types.h"

namespace pliant::tets {

/// Elements in slabs, each of which shares nodes with the slabs next to it and no others, so that
/// every second one may be solved at once.
struct Slabs {
  std::vector<int> order;  // elements slab by slab; near in space, near in the order
  std::vector<int> start;  // where each slab begins in `order`, and the end

  int size() const { return int(start.size()) - 1; }
  std::span<const int> elements(int slab) const {
    return {order.data() + start[slab], std::size_t(start[slab + 1] - start[slab])};
  }
};

/// About `count` slabs of equally many elements, a multiple of four. If possible by the numbers of
/// their nodes, as in a grid: then the slabs of a thread have the nodes that it lets fly, and no
/// other thread's cache has them. Otherwise across the longest side of the body; fewer where that
/// is too short for so many, and one if it is too short for four. Element e has its centre at
/// centres[e] and nodes corners[e * width + 0 .. width).
Slabs cut_into_slabs(std::span<const int> corners, int width, std::span<const Vec3> centres,
                     int nodes, int count);

}  // namespace pliant::tets
