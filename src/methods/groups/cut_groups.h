#pragma once

#include <string>

#include "geometry/cut/cut_cells.h"
#include "methods/groups/groups.h"

namespace pliant::groups {

/// Cut cells as groups, one each. Particles are the surface's own points under their indices, then
/// corners of the grid and cut points that several cells share. `particle` tells for every point of
/// the cut which one it is, -1 = none.
///
/// Masses: a cell gives its mass to its particles such that their centre of mass is the cell's, as
/// far as that leaves each at least a fifth of an equal part. Equal parts would put nearly all of
/// it where the surface has most points.
Groups cut_groups(const CutCells& cells, const Solid& solid, std::vector<int>& particle);

/// A body whose skin is the solid's own surface, each vertex a particle of its own; edges longer
/// than a cell are cut first, as for all methods, behind the given points. When the surface cannot
/// be cut, the result has no method and `reason` says why in a clause ("is open: ...").
Body cut_body(const Solid& solid, const Settings& settings, std::string& reason);

}  // namespace pliant::groups
