#pragma once

#include <vector>

#include "geometry/cut/cut_grid.h"
#include "geometry/cut/rows.h"

namespace pliant::cut {

/// A surface cut up by a grid's planes. Neighbours share their corners by index, so what was closed
/// stays closed.
struct Sliced {
  using Place = CutGrid::Place;

  // Points: the surface's own come first, unchanged.
  std::vector<Vec3> points;
  std::vector<Place> at;  // per axis: the plane a point was made on, else the slab it lies in
  std::vector<char> on;   // bit per axis: made on a plane

  // Patches: convex parts of triangles, each within one cell of the grid.
  Rows patches;               // points, anticlockwise from outside
  std::vector<int> triangle;  // whose part it is
  std::vector<Place> cell;
};

/// Sides are decided by comparing coordinates with planes, and cut points stay between the ends of
/// their edge. So this cannot go wrong, whatever the triangles are like: a convex polygon's
/// coordinates rise and fall once around it, and they still do when cut points are rounded.
Sliced slice(const TriangleMesh& surface, const CutGrid& grid);

}  // namespace pliant::cut
