#pragma once

#include <vector>

#include "geometry/track/tracked_surface.h"

namespace pliant::track {

class OriginalSurface;

/// An endless plane, or the part of one within a convex polygon.
struct PlaneCut {
  Vec3 point = Vec3::Zero();
  Vec3 normal = Vec3::UnitY();
  // Corners of a polygon in that plane, in either sense. A piece is cut only where all of its
  // section lies within it, as half a cut has no closed caps. Empty: endless.
  std::vector<Vec3> polygon;
  double clearance = 0;  // [m] each cap is moved back by this
};

/// Cuts every piece that the plane meets, exactly; closes both sides with caps of source -1. What
/// lies in front of the plane gets new numbers in `apart`. Returns how many closed sections there
/// were. Vertices keep their numbers, new ones come last; `piece` is left to find_pieces().
int cut_by_plane(TrackedSurface& surface, const PlaneCut& cut, const OriginalSurface& original);

}  // namespace pliant::track
