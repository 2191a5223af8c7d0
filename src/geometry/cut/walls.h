#pragma once

#include <vector>

#include "geometry/cut/windings.h"

namespace pliant::cut {

/// A connected part of a grid's square that lies inside the surface: what two cells share.
struct Wall {
  int axis;
  CutGrid::Place square;      // square[axis] is the plane, the others are slabs
  int first_loop, last_loop;  // the outer one, then holes; last_loop is the one after
  double area;                // [m^2]
};

struct Walls {
  Rows loops;  // points, inside to the left seen from above along the axis
  std::vector<Wall> walls;
};

Walls build_walls(const std::vector<RimSide>& sides, const InsideLines& lines, const CutGrid& grid,
                  const Sliced& sliced);

}  // namespace pliant::cut
