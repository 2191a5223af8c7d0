#pragma once

#include <array>
#include <cmath>
#include <cstddef>

#include "geometry/mesh/triangle_mesh.h"

namespace pliant {

/// The planes that cut a surface: equally far apart along all axes. Whatever lies on a plane counts
/// as lying above it, always: that is the only rule for special positions, and it needs no
/// tolerance.
struct CutGrid {
  using Place = std::array<int, 3>;

  Vec3 origin = Vec3::Zero();  // where the first planes meet
  double cell = 1;             // [m]
  Place planes = {2, 2, 2};    // per axis; the first is not above the surface, the last is above

  double plane(int axis, int k) const { return origin[axis] + k * cell; }

  /// The last plane that is not above a coordinate.
  int slab(int axis, double coordinate) const {
    int k = int(std::floor((coordinate - origin[axis]) / cell));
    // The division may round across a plane; the comparison decides, here and everywhere.
    while (plane(axis, k) > coordinate) --k;
    while (plane(axis, k + 1) <= coordinate) ++k;
    return k;
  }

  /// Numbers of nodes, which are also those of the cells, squares and edges above them.
  std::size_t number(const Place& at) const {
    return std::size_t(at[0]) +
           std::size_t(planes[0]) * (std::size_t(at[1]) + std::size_t(planes[1]) * at[2]);
  }
  Place at(std::size_t number) const {
    const std::size_t nx = planes[0], ny = planes[1];
    return {int(number % nx), int(number / nx % ny), int(number / nx / ny)};
  }
  std::size_t nodes() const { return std::size_t(planes[0]) * planes[1] * planes[2]; }
  Vec3 node(const Place& at) const { return {plane(0, at[0]), plane(1, at[1]), plane(2, at[2])}; }
  Vec3 centre(const Place& at) const { return node(at) + Vec3::Constant(0.5 * cell); }
};

/// Planes about the surface that pass through `corner`.
CutGrid cut_grid_through(const TriangleMesh& surface, double cell, const Vec3& corner);

/// Planes that keep as far from all points of the surface as they can: in the middle of the widest
/// gap between the points' coordinates, modulo `cell`. Cut points then stay clear of the surface's
/// own points, and flat sides parallel to the planes are never shaved off.
CutGrid cut_grid_between(const TriangleMesh& surface, double cell);

}  // namespace pliant
