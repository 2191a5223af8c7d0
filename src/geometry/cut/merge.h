#pragma once

#include <vector>

#include "geometry/cut/pieces.h"

namespace pliant::cut {

/// Per piece: the number of the cell it becomes part of. Pieces smaller than `least` [m^3], or
/// whose points are flatter than `thinness`, join the neighbour they share the largest wall area
/// with, smallest first, until none is left that has a neighbour.
std::vector<int> merge_slivers(const Sliced& sliced, const Walls& walls, const Pieces& pieces,
                               double least, double thinness);

}  // namespace pliant::cut
