#include "methods/shared/filling.h"

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

Filling fill_surface(const TriangleMesh& surface, double cell) {
  Filling filling;
  filling.surface = refine_long_edges(surface, cell);
  filling.grid = fill_with_cells(filling.surface, cell);
  return filling;
}

std::string count_of_cells(const CellGrid& grid) {
  return std::to_string(grid.cells.size()) + " cells of " + formatted("%.3g m", grid.cell.mean());
}

}  // namespace pliant
