#pragma once

#include <vector>

#include "geometry/track/cell_set.h"
#include "geometry/track/matter.h"
#include "geometry/track/tracked_surface.h"

namespace pliant::track {

/// How many places were found, by reason.
struct SeedCounts {
  int wound = 0;        // nodes round which the surface winds neither 0 nor 1 times
  int pinched = 0;      // edges too short that hold a tube together
  int thin = 0;         // lines through matter that is too thin
  int gaps = 0;         // lines through gaps that are too thin
  int glued = 0;        // lines through wider gaps, whose sides hang together
  int crossing = 0;     // pairs of triangles that pass through each other
  int unsupported = 0;  // vertices without matter near them

  void add(const SeedCounts& other);
};

/// Finds the cells where the surface must be made anew, and decides there which of the lattice's
/// nodes are inside from now on. Without any the surface is fine as it is.
SeedCounts find_seeds(const TrackedSurface& surface, const std::vector<Vec3>& pinches,
                      const TrackSettings& settings, const Matter& matter, Lattice& lattice,
                      CellSet& cells);

}  // namespace pliant::track
