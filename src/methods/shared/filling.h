#pragma once

#include <optional>
#include <string>

#include "core/fields.h"
#include "geometry/sample/cell_grid.h"

namespace pliant {

/// How finely methods of cells fill a surface: about how many cells, or how large.
void describe_cells(Fields& fields, std::optional<int>& cells, std::optional<double>& cell_size,
                    const char* help, const char* computed);

/// Of a body that is made of a mesh's own tets and not of cells: a warning if they are asked for.
std::optional<std::string> cells_unused(const std::optional<int>& cells,
                                        const std::optional<double>& cell_size);

/// A surface filled with cells, and the surface as it hangs in them: with edges no longer than a
/// cell. Contact pushes its vertices; if they were farther apart than nodes it would spike single
/// nodes.
struct Filling {
  TriangleMesh surface;
  CellGrid grid;
};
Filling fill_surface(const TriangleMesh& surface, double cell);

/// "1500 cells of 0.03 m", and what their volume is worth where the surface cuts some: "2100 cells
/// of 0.03 m, worth 1500 by volume".
std::string count_of_cells(const CellGrid& grid);

}  // namespace pliant
