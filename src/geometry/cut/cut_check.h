#pragma once

#include <algorithm>
#include <cmath>
#include <doctest/doctest.h>
#include <iterator>
#include <map>

#include "geometry/cut/cut_cells.h"
#include "geometry/cut/pieces.h"

// What is true of every cut, checked from the result alone.

namespace pliant::test {

/// Calls visit(cell, loop, sign) for everything that bounds a cell.
template <class Visit>
void for_each_side(const CutCells& cut, const Visit& visit) {
  for (int p = 0; p < cut.patches.size(); ++p) visit(cut.patch_cell[p], cut.patches[p], 1);
  for (const CutCells::Wall& wall : cut.walls)
    for (int loop = wall.first_loop; loop < wall.last_loop; ++loop) {
      visit(wall.below, cut.loops[loop], 1);
      visit(wall.above, cut.loops[loop], -1);
    }
}

/// Edges of cells that are not met equally often in both directions, or more than once by the
/// skin; corners of the skin's patches that lie inside a neighbour's edge show up here.
inline int unmatched_edges(const CutCells& cut) {
  std::map<std::array<int, 3>, int> balance, skin;
  for_each_side(cut, [&](int cell, std::span<const int> loop, int sign) {
    int from = loop.back();
    for (const int to : loop) {
      if (from < to) balance[{cell, from, to}] += sign;
      else balance[{cell, to, from}] -= sign;
      from = to;
    }
  });
  for (int p = 0; p < cut.patches.size(); ++p) {
    int from = cut.patches[p].back();
    for (const int to : cut.patches[p]) {
      ++skin[{0, from, to}];
      from = to;
    }
  }
  int wrong = 0;
  for (const auto& [edge, count] : balance) wrong += count != 0;
  for (const auto& [edge, count] : skin) {
    const auto opposite = skin.find({0, edge[2], edge[1]});
    wrong += count != 1 || opposite == skin.end();
  }
  return wrong;
}

inline void check_cut(const CutCells& cut, const TriangleMesh& surface, double sliver = 0.02) {
  const double whole = volume(surface), cell_volume = std::pow(cut.grid.cell, 3);
  REQUIRE(!cut.cells.empty());
  REQUIRE(cut.surface_points == int(surface.points.size()));
  CHECK(std::equal(surface.points.begin(), surface.points.end(), cut.points.begin()));
  CHECK(unmatched_edges(cut) == 0);

  // Volumes, measured again from another place.
  std::vector<cut::Moments> moments(cut.cells.size());
  const Vec3 apex = surface.points.front();
  for_each_side(cut, [&](int cell, std::span<const int> loop, int sign) {
    moments[cell].add_loop(cut.points, loop, apex, sign);
  });
  double sum = 0, largest_error = 0, least = 1;
  std::vector<char> has_wall(cut.cells.size(), 0);
  for (const CutCells::Wall& wall : cut.walls) {
    CHECK(wall.below != wall.above);
    has_wall[wall.below] = has_wall[wall.above] = 1;
  }
  for (std::size_t c = 0; c < cut.cells.size(); ++c) {
    sum += cut.cells[c].volume;
    largest_error = std::max(largest_error, std::abs(moments[c].volume - cut.cells[c].volume));
    if (has_wall[c]) least = std::min(least, cut.cells[c].volume / cell_volume);
    if (cut.cells[c].volume > 0.01 * cell_volume)
      CHECK((apex + moments[c].first / moments[c].volume - cut.cells[c].centre).norm() <
            1e-8 * cut.grid.cell);
  }
  CHECK(std::abs(sum - whole) <= 1e-12 * whole + 1e-12 * cell_volume);
  CHECK(largest_error <= 1e-11 * whole);
  CHECK(least >= sliver);

  // Patches make up their triangles.
  std::vector<Vec3> area(surface.triangles.size(), Vec3::Zero());
  for (int p = 0; p < cut.patches.size(); ++p) {
    const std::span<const int> loop = cut.patches[p];
    for (std::size_t i = 2; i < loop.size(); ++i)
      area[cut.patch_triangle[p]] += 0.5 * (cut.points[loop[i - 1]] - cut.points[loop[0]])
                                               .cross(cut.points[loop[i]] - cut.points[loop[0]]);
  }
  double worst = 0;
  for (int t = 0; t < int(surface.triangles.size()); ++t)
    worst = std::max(worst, (area[t] - area_vector(surface, t)).norm());
  CHECK(worst <= 1e-11 * std::pow(whole, 2.0 / 3));

  // Particles: every used point of the surface, and of the others only corners that are shared.
  // Cells on both sides of a wall have enough of them in common to hold together.
  std::vector<int> uses(cut.points.size(), 0);
  for (int c = 0; c < int(cut.cells.size()); ++c)
    for (const int point : cut.particles[c]) ++uses[point];
  int missing = 0, single = 0, cut_points = 0, loose = 0;
  for (const Triangle& t : surface.triangles)
    for (const int corner : t) missing += uses[corner] == 0;
  for (std::size_t p = surface.points.size(); p < uses.size(); ++p) single += uses[p] == 1;
  for (int p = cut.surface_points; p < cut.first_corner; ++p) cut_points += uses[p];
  for (const CutCells::Wall& wall : cut.walls) {
    std::vector<int> common;
    const std::span<const int> below = cut.particles[wall.below], above = cut.particles[wall.above];
    std::set_intersection(below.begin(), below.end(), above.begin(), above.end(),
                          std::back_inserter(common));
    loose += common.size() < 3;
  }
  CHECK(loose == 0);
  CHECK(cut_points == 0);
  CHECK(missing == 0);
  CHECK(single == 0);
}

}  // namespace pliant::test
