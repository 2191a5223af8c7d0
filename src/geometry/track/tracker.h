#pragma once

#include <array>
#include <memory>
#include <vector>

#include "geometry/track/cell_set.h"
#include "geometry/track/improve.h"
#include "geometry/track/inside.h"
#include "geometry/track/matter.h"
#include "geometry/track/original.h"
#include "geometry/track/plane_cut.h"
#include "geometry/track/tracked_surface.h"

namespace pliant::track {

/// What one advance() or cut() did.
struct TrackReport {
  int splits = 0, collapses = 0, flips = 0, spikes = 0, crumbs = 0;
  // Places where topology had to change: wound round wrongly, pinched, thin, gap, glued, crossing
  // triangles, without support.
  int wound = 0, pinched = 0, thin = 0, gaps = 0, glued = 0, crossing = 0, unsupported = 0;
  int cells = 0;     // made anew
  int rounds = 0;    // a patch needed, at most
  int rebuilds = 0;  // a patch could not be sewn in, and the whole surface was made anew
  bool out_of_range =
      false;  // not finite, or spread so far that no lattice holds it: left as it was
};

struct TrackChanges {
  bool triangles = false;   // points or triangles are other ones than before
  std::vector<int> vertex;  // per old point: its new number, -1 = gone; as many as there were
  std::vector<int> placed;  // new numbers of points that were made or moved here, rising
  // {old piece, new piece} that share points, rising: tells splits from merges.
  std::vector<std::array<int, 2>> pieces;
  TrackReport report;
};

/// Keeps a surface in order while something moves its points.
class Tracker {
 public:
  /// `original` must be closed and manifold.
  Tracker(const TriangleMesh& original, const TrackSettings& settings);

  /// The original as the first surface, its long edges not yet split.
  TrackedSurface begin() const;

  /// To be called after the points moved, once a frame. Results do not depend on the number of
  /// threads; they depend on the surface alone, so that a saved surface goes on as it would have.
  TrackChanges advance(TrackedSurface& surface, const Matter& matter = {});

  /// Cuts along a plane and closes both sides with caps of inner material.
  TrackChanges cut(TrackedSurface& surface, const PlaneCut& plane);

  /// What lies inside the surface as the last advance() or cut() left it.
  const Inside& inside() const { return inside_; }
  /// The same for a surface that was loaded, or was moved since. Numbers its pieces.
  void look_inside_anew(TrackedSurface& surface);

  const OriginalSurface& original() const { return *original_; }
  const TrackSettings& settings() const { return settings_; }

 private:
  double cell() const { return settings_.cell * settings_.longest; }
  void change_topology(TrackedSurface& surface, const std::vector<Vec3>& pinches,
                       const Matter& matter, std::vector<char>& placed, TrackChanges& changes);
  void patch_or_rebuild(TrackedSurface& surface, const Lattice& lattice, CellSet& cells,
                        std::vector<char>& placed, TrackReport& report);
  void settle(TrackedSurface& surface, std::vector<char>& placed, TrackChanges& changes);
  void look_inside(TrackedSurface& surface);

  std::shared_ptr<const OriginalSurface> original_;
  TrackSettings settings_;
  Improver improver_;
  Inside inside_;
};

}  // namespace pliant::track
