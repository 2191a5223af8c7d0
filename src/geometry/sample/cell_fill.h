#pragma once

#include <vector>

#include "geometry/query/winding_number.h"
#include "geometry/sample/cell_grid.h"

namespace pliant {

/// Sets grid.fill: 1 in cells the surface does not cross, else the share of 20 fixed points per tet
/// that lie inside, at least 0.05: an element without mass or stiffness would be no element. `sign`
/// is -1 for surfaces that face inwards. On `tight` surfaces (closed, all triangles facing the same
/// way) the winding number only changes where the surface is crossed, which is several times faster
/// to find out.
void measure_fill(const TriangleMesh& surface, const WindingNumber& winding, double sign,
                  bool tight, const std::vector<char>& crossed, CellGrid& grid);

/// Scales the fill of crossed cells such that the filled volume is `volume`. Does nothing when no
/// fill up to 1 could do that.
void rescale_fill(double volume, const std::vector<char>& crossed, CellGrid& grid);

}  // namespace pliant
