#include "geometry/cut/cut_grid.h"

#include <algorithm>

#include "core/assert.h"

namespace pliant {
namespace {

Box used_bounds(const TriangleMesh& surface) {
  Box box;
  for (const Triangle& t : surface.triangles)
    for (const int p : t) box.add(surface.points[p]);
  return box;
}

// The middle of the widest gap on a circle of circumference 1.
double widest_gap(std::vector<double>& places) {
  std::sort(places.begin(), places.end());
  double widest = places.front() + 1 - places.back();
  double middle = places.back() + 0.5 * widest;
  for (std::size_t i = 1; i < places.size(); ++i) {
    const double gap = places[i] - places[i - 1];
    if (gap <= widest) continue;
    widest = gap;
    middle = places[i - 1] + 0.5 * gap;
  }
  return middle - std::floor(middle);
}

}  // namespace

CutGrid cut_grid_through(const TriangleMesh& surface, double cell, const Vec3& corner) {
  ASSERT(cell > 0 && !surface.triangles.empty(), "a grid needs a cell size and something to cut");
  const Box box = used_bounds(surface);
  CutGrid grid;
  grid.cell = cell;
  for (int axis = 0; axis < 3; ++axis) {
    const double first = std::floor((box.low[axis] - corner[axis]) / cell);
    grid.origin[axis] = corner[axis] + first * cell;
    if (grid.origin[axis] > box.low[axis]) grid.origin[axis] -= cell;
    grid.planes[axis] = grid.slab(axis, box.high[axis]) + 2;
  }
  return grid;
}

CutGrid cut_grid_between(const TriangleMesh& surface, double cell) {
  ASSERT(cell > 0 && !surface.triangles.empty(), "a grid needs a cell size and something to cut");
  const Vec3 low = used_bounds(surface).low;
  Vec3 corner = low;
  std::vector<double> places;
  for (int axis = 0; axis < 3; ++axis) {
    places.clear();
    for (const Triangle& t : surface.triangles)
      for (const int p : t) {
        const double share = (surface.points[p][axis] - low[axis]) / cell;
        places.push_back(share - std::floor(share));
      }
    corner[axis] += cell * widest_gap(places);
  }
  return cut_grid_through(surface, cell, corner);
}

}  // namespace pliant
