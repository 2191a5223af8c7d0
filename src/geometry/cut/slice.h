#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "geometry/cut/cut_grid.h"
#include "geometry/cut/pair_map.h"
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

/// Slices triangle by triangle, in any order, all or some of them.
///
/// Sides are decided by comparing coordinates with planes, and cut points stay between the ends of
/// their edge. So this cannot go wrong, whatever the triangles are like: a convex polygon's
/// coordinates rise and fall once around it, and they still do when cut points are rounded.
class Slicer {
 public:
  Slicer(const std::vector<Vec3>& points, const CutGrid& grid);

  /// Appends the patches of a triangle; they lie one after the other.
  void add(int triangle, const Triangle& corners);

  const Sliced& sliced() const { return out_; }
  Sliced take() { return std::move(out_); }

  /// The point that was cut on the edge between two points, the first one: the halves are edges
  /// that may have been cut again. -1 = none.
  int cut_between(int a, int b) const { return cut_points_.find(std::min(a, b), std::max(a, b)); }

 private:
  struct Polygon;
  void cut(Polygon rest, int axis);
  void split(const Polygon& polygon, int axis, int k, Polygon& below, Polygon& above);
  int cut_point(int a, int b, int axis, int k);

  CutGrid grid_;
  Sliced out_;
  PairMap cut_points_;
  int triangle_ = 0;
  Sliced::Place cell_ = {};
};

/// All of a surface.
Sliced slice(const TriangleMesh& surface, const CutGrid& grid);

}  // namespace pliant::cut
