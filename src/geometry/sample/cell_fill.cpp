#include "geometry/sample/cell_fill.h"

#include <algorithm>
#include <array>

#include "core/parallel.h"

namespace pliant {
namespace {

constexpr double least_fill = 0.05;

// Shares of the four corners. A lattice of order 3 drawn a little towards the middle: symmetric in
// the corners, so neighbouring mirror images measure alike.
const std::vector<std::array<double, 4>>& sample_points() {
  static const std::vector<std::array<double, 4>> points = [] {
    constexpr int order = 3;
    std::vector<std::array<double, 4>> all;
    for (int i = 0; i <= order; ++i)
      for (int j = 0; i + j <= order; ++j)
        for (int k = 0; i + j + k <= order; ++k)
          all.push_back({(i + 0.5) / (order + 2), (j + 0.5) / (order + 2), (k + 0.5) / (order + 2),
                         (order - i - j - k + 0.5) / (order + 2)});
    return all;
  }();
  return points;
}

double share_inside(const WindingNumber& winding, double sign, const TetMesh& mesh,
                    const Tet& tet) {
  int inside = 0;
  for (const std::array<double, 4>& share : sample_points()) {
    Vec3 p = Vec3::Zero();
    for (int v = 0; v < 4; ++v) p += share[v] * mesh.points[tet[v]];
    inside += sign * winding.at(p) > 0.5;
  }
  return double(inside) / double(sample_points().size());
}

}  // namespace

void measure_fill(const WindingNumber& winding, double sign, const std::vector<char>& crossed,
                  CellGrid& grid) {
  grid.fill.assign(grid.tets.tets.size(), 1);
  parallel_for(int(grid.cells.size()), 8, [&](int begin, int end) {
    for (int c = begin; c < end; ++c) {
      if (!crossed[c]) continue;
      for (int t = 5 * c; t < 5 * c + 5; ++t)
        grid.fill[t] =
            std::max(least_fill, share_inside(winding, sign, grid.tets, grid.tets.tets[t]));
    }
  });
}

void rescale_fill(double target, const std::vector<char>& crossed, CellGrid& grid) {
  double room = 0;  // [m^3] of the crossed cells
  for (int t = 0; t < int(grid.fill.size()); ++t) {
    if (crossed[t / 5]) room += volume(grid.tets, t);
    else target -= volume(grid.tets, t);
  }
  // The last bits may be missing when the surface fits the cells exactly.
  if (!(target > 0) || target > room * (1 + 1e-9)) return;
  target = std::min(target, room);

  // fill = min(1, scale * measured). Each round fixes the tets that became full and shares the rest
  // anew; a full tet never empties again, because the scale only grows.
  std::vector<double> measured = grid.fill;
  std::vector<char> full(grid.fill.size(), 0);
  double scale = 0;
  for (bool changed = true; changed;) {
    double missing = target, open = 0;
    for (int t = 0; t < int(measured.size()); ++t) {
      if (!crossed[t / 5]) continue;
      if (full[t]) missing -= volume(grid.tets, t);
      else open += measured[t] * volume(grid.tets, t);
    }
    if (!(open > 0)) break;
    scale = missing / open;
    changed = false;
    for (int t = 0; t < int(measured.size()); ++t) {
      if (!crossed[t / 5] || full[t] || scale * measured[t] <= 1) continue;
      full[t] = changed = true;
    }
  }
  for (int t = 0; t < int(measured.size()); ++t)
    if (crossed[t / 5]) grid.fill[t] = full[t] ? 1 : std::min(1.0, scale * measured[t]);
}

}  // namespace pliant
