#pragma once

#include <vector>

#include "geometry/track/corner_table.h"
#include "geometry/track/tracked_surface.h"

namespace pliant::track {

/// Moves points with a face more than 65 degrees off their normal a little towards the mean of
/// their ring, unless they are marked as sharp, and marks them in `placed`. Faces smaller than a
/// thousandth of `shortest` squared have no say. Returns how many.
int blunt_spikes(TrackedSurface& surface, const CornerTable& table, double shortest,
                 std::vector<char>& placed);

}  // namespace pliant::track
