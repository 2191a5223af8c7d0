#pragma once

#include <vector>

#include "geometry/track/cell_set.h"
#include "geometry/track/tracked_surface.h"

namespace pliant::track {

/// Adds the cells of triangles that pass through each other, and returns how many pairs there are;
/// triangles with a common point do not count. Only cells whose faces look apart are searched: in
/// none of the directions of a sampled sphere do all faces look within 78 degrees of it. So smooth
/// surfaces cost one look at each triangle. `normal` is of unit length, or zero.
int find_crossing_faces(const TrackedSurface& surface, const std::vector<Vec3>& normal,
                        const Lattice& lattice, CellSet& cells);

}  // namespace pliant::track
