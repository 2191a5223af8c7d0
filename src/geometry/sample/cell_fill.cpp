#include "geometry/sample/cell_fill.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "core/parallel.h"
#include "geometry/sample/crossings.h"

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

Vec3 sample(const TetMesh& mesh, const Tet& tet, const std::array<double, 4>& share) {
  Vec3 p = Vec3::Zero();
  for (int v = 0; v < 4; ++v) p += share[v] * mesh.points[tet[v]];
  return p;
}

// Winding numbers in one cell: asked for once, then followed from there through the cell's
// triangles.
class CellWinding {
 public:
  CellWinding(const TriangleMesh& surface, const WindingNumber& winding, const Bvh* bvh)
      : surface_(surface), winding_(winding), bvh_(bvh) {}

  void enter(const Box& cell, const Vec3& start) {
    if (!bvh_) return;
    near_.clear();
    bvh_->triangles_in(cell, near_);
    start_ = start;
    at_start_ = std::round(winding_.at(start));
  }

  double at(const Vec3& p) const {
    if (!bvh_) return winding_.at(p);
    const std::optional<int> left = crossings(start_, p, surface_, near_);
    return left ? at_start_ - *left : winding_.at(p);
  }

 private:
  const TriangleMesh& surface_;
  const WindingNumber& winding_;
  const Bvh* bvh_;  // null: every point is asked for
  std::vector<int> near_;
  Vec3 start_ = Vec3::Zero();
  double at_start_ = 0;
};

}  // namespace

void measure_fill(const TriangleMesh& surface, const WindingNumber& winding, double sign,
                  bool tight, const std::vector<char>& crossed, CellGrid& grid) {
  grid.fill.assign(grid.tets.tets.size(), 1);
  std::optional<Bvh> bvh;
  if (tight) bvh.emplace(surface);
  parallel_for(int(grid.cells.size()), 8, [&](int begin, int end) {
    CellWinding cell_winding(surface, winding, bvh ? &*bvh : nullptr);
    for (int c = begin; c < end; ++c) {
      if (!crossed[c]) continue;
      Box cell;
      for (int t = 5 * c; t < 5 * c + 5; ++t)
        for (const int p : grid.tets.tets[t]) cell.add(grid.tets.points[p]);
      // Off the middle, where symmetric models have their edges.
      const Vec3 start = cell.low + Vec3(0.4871, 0.5093, 0.5217).cwiseProduct(cell.extent());
      cell_winding.enter(cell, start);
      for (int t = 5 * c; t < 5 * c + 5; ++t) {
        int inside = 0;
        for (const std::array<double, 4>& share : sample_points())
          inside += sign * cell_winding.at(sample(grid.tets, grid.tets.tets[t], share)) > 0.5;
        grid.fill[t] = std::max(least_fill, double(inside) / double(sample_points().size()));
      }
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
