#pragma once

#include <vector>

#include "geometry/track/cell_set.h"
#include "geometry/track/original.h"
#include "geometry/track/tracked_surface.h"

namespace pliant::track {

struct PatchReport {
  bool done = false;  // false: the surface is as it was
  int rounds = 0;
  int cells = 0;
};

/// Makes the surface anew in these cells, between the lattice's nodes that are inside and those
/// that are not, and sews it to the rest, of which nothing moves. `cells` grows, for at most
/// `most_rounds`, until the surface enters and leaves them simply enough. With all cells it cannot
/// fail. Points that are left over stay; new ones come last and are marked in `placed`.
PatchReport patch(TrackedSurface& surface, const Lattice& lattice, CellSet& cells,
                  const OriginalSurface& original, int most_rounds, std::vector<char>& placed);

}  // namespace pliant::track
