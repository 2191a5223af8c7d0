#pragma once

#include <vector>

#include "geometry/track/lattice.h"
#include "geometry/track/tracked_surface.h"

namespace pliant::track {

/// What hangs together by edges, numbered from 0 by the lowest points.
struct Components {
  std::vector<int> of_point;  // -1: no triangle has it
  int count = 0;
};
Components find_components(const TrackedSurface& surface);

/// Enclosed volumes [m^3]; those of voids are negative.
std::vector<double> component_volumes(const TrackedSurface& surface, const Components& components);

/// Removes matter smaller than `least` and voids smaller than `least_void` [m^3], but never the
/// largest piece. Returns how many.
int drop_crumbs(TrackedSurface& surface, const Components& components, double least,
                double least_void);

/// Removes points without triangles. Returns the new number per point, -1 = gone; `placed` goes
/// along.
std::vector<int> compact(TrackedSurface& surface, std::vector<char>& placed);

/// Sets `piece` and the lattices' labels. Each lattice was scanned with the surface as it is, and
/// with only those of its triangles that `lattice_of_triangle` gives it.
void find_pieces(TrackedSurface& surface, const Components& components,
                 const std::vector<int>& lattice_of_triangle, std::vector<Lattice>& lattices);

/// Divides a surface into parts that are looked at one by one: those that must not unite, and
/// those so far apart that they cannot, as one lattice for all would be mostly empty.
/// Per point: its part, numbered from 0 by the lowest points.
std::vector<int> find_parts(const TrackedSurface& surface, const Components& components, bool merge,
                            double reach);

/// Lets pieces unite again that were cut apart and are further than `reach` from each other.
void forget_distant_cuts(TrackedSurface& surface, double reach);

}  // namespace pliant::track
