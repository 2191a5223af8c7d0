#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "formats/cells.h"
#include "formats/scanner.h"

// What the two VTK formats share.
namespace pliant::vtk {

/// Reads the corners of one cell and hands it on: tets (types 10 and 24), triangles (5 and 22), or
/// skips it. Corners are the next `corners` numbers.
void read_cell(Scanner& scan, NumberType as, std::int64_t type, std::int64_t corners,
               std::int64_t number, CellCollector& cells);

/// All cells: cell i has the corners from ends[i - 1] (0 for the first) up to ends[i].
void read_cells(Scanner& connectivity, NumberType as, std::span<const std::int64_t> ends,
                std::span<const std::uint8_t> types, CellCollector& cells);

void read_points(Scanner& scan, NumberType as, std::int64_t count, CellCollector& cells);

/// `count` ends of cells, which must not fall.
std::vector<std::int64_t> read_ends(Scanner& scan, NumberType as, std::int64_t count);
std::vector<std::uint8_t> read_types(Scanner& scan, NumberType as, std::int64_t count);

}  // namespace pliant::vtk
