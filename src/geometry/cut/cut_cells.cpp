#include "geometry/cut/cut_cells.h"

#include <algorithm>
#include <cmath>

#include "core/assert.h"
#include "geometry/cut/merge.h"
#include "geometry/cut/surface_check.h"

namespace pliant {
namespace {

using namespace cut;

void set_cells(const Pieces& pieces, const std::vector<int>& cell_of, CutCells& out) {
  const int count = 1 + *std::max_element(cell_of.begin(), cell_of.end());
  out.cells.assign(std::size_t(count), {{}, 0, Vec3::Zero()});
  std::vector<double> largest(std::size_t(count), -1);
  for (int p = 0; p < pieces.size(); ++p) {
    CutCells::Cell& cell = out.cells[cell_of[p]];
    const Moments& moments = pieces.moments[p];
    if (moments.volume > largest[cell_of[p]]) {
      largest[cell_of[p]] = moments.volume;
      cell.place = pieces.cell[p];
    }
    cell.volume += moments.volume;
    cell.centre += moments.first + moments.volume * out.grid.centre(pieces.cell[p]);
  }
  for (CutCells::Cell& cell : out.cells) cell.centre /= cell.volume;
  out.merged = pieces.size() - count;
}

void set_walls(Walls walls, const Pieces& pieces, const std::vector<int>& cell_of, CutCells& out) {
  for (std::size_t w = 0; w < walls.walls.size(); ++w) {
    const int below = cell_of[pieces.of_wall[w][0]], above = cell_of[pieces.of_wall[w][1]];
    if (below == above) continue;  // inside a merged cell
    const Wall& wall = walls.walls[w];
    out.walls.push_back({below, above, wall.axis, wall.first_loop, wall.last_loop, wall.area});
  }
  out.loops = std::move(walls.loops);
}

void set_particles(const TriangleMesh& surface, CutCells& out) {
  std::vector<std::vector<int>> members(out.cells.size());
  const auto add = [&](std::span<const int> loop, int cell) {
    members[cell].insert(members[cell].end(), loop.begin(), loop.end());
  };
  for (int p = 0; p < out.patches.size(); ++p)
    add(surface.triangles[out.patch_triangle[p]], out.patch_cell[p]);
  for (const CutCells::Wall& wall : out.walls)
    for (int loop = wall.first_loop; loop < wall.last_loop; ++loop)
      for (const int cell : {wall.below, wall.above}) add(out.loops[loop], cell);
  std::vector<int> uses(out.points.size(), 0);
  for (std::vector<int>& row : members) {
    std::sort(row.begin(), row.end());
    row.erase(std::unique(row.begin(), row.end()), row.end());
    for (const int point : row) ++uses[point];
  }
  for (const std::vector<int>& row : members) {
    for (const int point : row)
      if (point < out.surface_points || (point >= out.first_corner && uses[point] > 1))
        out.particles.item.push_back(point);
    out.particles.close();
  }
}

CutResult failed(CutProblem problem, std::string reason) {
  CutResult result;
  result.problem = problem;
  result.reason = std::move(reason);
  return result;
}

// Grids of more nodes than this would be refused; tells before their planes are counted.
std::string too_fine(const TriangleMesh& surface, double cell, const CutSettings& settings) {
  const Vec3 count = bounds(surface.points).extent() / cell + Vec3::Constant(2);
  if (count.prod() <= 8.0 * settings.most_cells) return "";
  return "would need a grid of more than " + std::to_string(8LL * settings.most_cells) + " cells";
}

// After the surface has been checked.
CutResult cut_checked(const TriangleMesh& surface, const CutGrid& grid,
                      const CutSettings& settings) {
  ASSERT(double(grid.nodes()) < 1e9, "grids are checked before they are made");
  Sliced sliced = slice(surface, grid);
  const std::vector<RimSide> rims = rim_sides(sliced, grid);
  const int first_corner = int(sliced.points.size());
  const InsideLines lines = inside_lines(rims, grid, sliced);
  if (lines.overlapping)
    return failed(CutProblem::overlapping, "encloses some places more than once, or inside out");
  Walls walls = build_walls(rims, lines, grid, sliced);
  const Pieces pieces = find_pieces(sliced, walls, grid);
  const std::vector<int> cell_of = merge_slivers(
      sliced, walls, pieces, settings.sliver * std::pow(grid.cell, 3), settings.thinness);
  CutResult result;
  CutCells& out = result.cells;
  out.grid = grid;
  out.points = std::move(sliced.points);
  out.surface_points = int(surface.points.size());
  out.first_corner = first_corner;
  out.patches = std::move(sliced.patches);
  out.patch_triangle = std::move(sliced.triangle);
  for (const int piece : pieces.of_patch) out.patch_cell.push_back(cell_of[piece]);
  set_cells(pieces, cell_of, out);
  set_walls(std::move(walls), pieces, cell_of, out);
  set_particles(surface, out);
  return result;
}

}  // namespace

CutResult cut_into_cells(const TriangleMesh& surface, const CutGrid& grid,
                         const CutSettings& settings) {
  SurfaceCheck check = check_surface(surface, settings.allow_crossing);
  if (check.problem != CutProblem::none) return failed(check.problem, std::move(check.reason));
  return cut_checked(surface, grid, settings);
}

CutResult cut_into_cells(const TriangleMesh& surface, double cell, const CutSettings& settings) {
  SurfaceCheck check = check_surface(surface, settings.allow_crossing);
  if (check.problem != CutProblem::none) return failed(check.problem, std::move(check.reason));
  if (std::string reason = too_fine(surface, cell, settings); !reason.empty())
    return failed(CutProblem::too_fine, std::move(reason));
  return cut_checked(surface, cut_grid_between(surface, cell), settings);
}

CutResult cut_into_about(const TriangleMesh& surface, int count, const CutSettings& settings) {
  SurfaceCheck check = check_surface(surface, settings.allow_crossing);
  if (check.problem != CutProblem::none) return failed(check.problem, std::move(check.reason));
  // A solid of volume V and area A meets about V/c^3 + 3/4 A/c^2 cells of size c (the mean over all
  // positions and directions); slivers take away from the second part.
  const double V = volume(surface), A = area(surface);
  const auto expected = [&](double cell) {
    return V / std::pow(cell, 3) + 0.5 * A / (cell * cell);
  };
  double low = 0, high = std::max(std::sqrt(A), std::cbrt(V));
  while (expected(high) > count) high *= 2;
  for (int i = 0; i < 60; ++i) {
    const double middle = 0.5 * (low + high);
    (expected(middle) > count ? low : high) = middle;
  }
  double cell = high;
  CutResult best;
  double best_error = std::numeric_limits<double>::infinity();
  for (int tries = 0; tries < 5 && best_error > std::log(1.03); ++tries) {
    if (std::string reason = too_fine(surface, cell, settings); !reason.empty())
      return best.cells.cells.empty() ? failed(CutProblem::too_fine, std::move(reason)) : best;
    CutResult result = cut_checked(surface, cut_grid_between(surface, cell), settings);
    if (!result.fine()) return best.cells.cells.empty() ? result : best;
    const double error = std::log(double(result.cells.cells.size()) / count);
    if (std::abs(error) < best_error) {
      best_error = std::abs(error);
      best = std::move(result);
    }
    cell *= std::exp(error / 2.5);  // between squares and cubes
  }
  return best;
}

}  // namespace pliant
