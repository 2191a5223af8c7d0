#pragma once

#include <optional>
#include <vector>

#include "geometry/cut/slice.h"

namespace pliant::cut {

/// A side of a patch that lies in a plane of the grid, turned round: what the wall in that plane
/// has on its rim. Walls are seen from above along their axis, inside to the left.
struct RimSide {
  std::size_t square;  // axis * grid.nodes() + number of the square
  int from, to;
};

/// The parts of the grid's lines that lie inside the surface.
struct InsideLines {
  std::vector<char> inside;        // per node of the grid: 1 = inside
  std::vector<int> point;          // per node: its point, when inside; else -1
  std::vector<std::size_t> edges;  // crossed edges, rising: axis * grid.nodes() + number
  Rows parts;                      // per crossed edge: from, to, from, to, ... along the axis
  bool overlapping = false;        // the surface winds round a node other than 0 or 1 times
};

std::vector<RimSide> rim_sides(const Sliced& sliced, const CutGrid& grid);

/// Adds a point to `sliced` for every node inside. How often the surface winds round a node follows
/// from how many cut points of either direction lie between it and the outside, and these numbers
/// agree along all ways: around every square they sum to zero, because the rims in it that come in
/// also go out. No coordinate is looked at but to sort cut points of one edge; where rounding has
/// exchanged them their directions tell, since inside and outside alternate.
InsideLines inside_lines(const std::vector<RimSide>& sides, const CutGrid& grid, Sliced& sliced);

}  // namespace pliant::cut
