#include "methods/shared/filling.h"

#include <cmath>

#include "core/formatted.h"
#include "geometry/mesh/refine.h"

namespace pliant {

void describe_cells(Fields& fields, std::optional<int>& cells, std::optional<double>& cell_size,
                    const char* help, const char* computed) {
  static const char* const resolution[] = {"cells", "cell_size"};
  fields.at_most_one(resolution);
  fields.integer("cells", cells,
                 {.at_least = 1, .at_most = 2e6, .help = help, .computed = computed});
  fields.number("cell_size", cell_size,
                {.unit = "m",
                 .above = 0,
                 .help = "edge of a cell, instead of their number",
                 .computed = "from cells"});
}

std::optional<std::string> cells_unused(const std::optional<int>& cells,
                                        const std::optional<double>& cell_size) {
  if (!cells && !cell_size) return std::nullopt;
  return std::string(cells ? "\"cells\"" : "\"cell_size\"") +
         " has no effect: the body is made of the file's own tets";
}

Filling fill_surface(const TriangleMesh& surface, double cell) {
  Filling filling;
  filling.surface = refine_long_edges(surface, cell);
  filling.grid = fill_with_cells(filling.surface, cell);
  return filling;
}

std::string count_of_cells(const CellGrid& grid) {
  double inside = 0;
  for (int t = 0; t < int(grid.tets.tets.size()); ++t)
    inside += (grid.fill.empty() ? 1 : grid.fill[t]) * volume(grid.tets, t);
  const long kept = long(grid.cells.size()), worth = std::lround(inside / grid.cell.prod());
  return std::to_string(kept) + " cells of " + formatted("%.3g m", grid.cell.mean()) +
         (worth == kept ? "" : ", worth " + std::to_string(worth) + " by volume");
}

}  // namespace pliant
