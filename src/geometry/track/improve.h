#pragma once

#include <vector>

#include "geometry/track/corner_table.h"
#include "geometry/track/original.h"
#include "geometry/track/tracked_surface.h"

namespace pliant::track {

/// What improve() did and what it could not do.
struct Improved {
  int splits = 0, collapses = 0, flips = 0, removed = 0, spikes = 0;
  // [m] Middles of edges too short that hold a tube together: there the surface has to part.
  std::vector<Vec3> pinches;

  bool triangles_changed() const { return splits + collapses + flips + removed > 0; }
};

/// Splits long edges, collapses short ones, and turns, blunts and removes what is badly shaped;
/// never changes what the surface is joined to. Points that are left over keep their numbers until
/// they are dropped by compact(). `placed` is marked for points that are made or moved.
class Improver {
 public:
  Improved improve(TrackedSurface& surface, const TrackSettings& settings,
                   const OriginalSurface& original, std::vector<char>& placed);

 private:
  CornerTable table_;
  std::vector<int> kept_;
  std::vector<int> source_;
};

}  // namespace pliant::track
