#pragma once

#include <vector>

#include "geometry/track/tracked_surface.h"

namespace pliant::track {

class OriginalSurface;

/// An endless plane, or the part of one within polygons.
struct PlaneCut {
  Vec3 point = Vec3::Zero();
  Vec3 normal = Vec3::UnitY();
  // Corners of simple polygons in that plane, in either sense. A piece is cut only where all of its
  // section lies within them, as half a cut has no closed caps. Empty: endless.
  std::vector<std::vector<Vec3>> within = {};
  std::vector<Vec3> spared = {};  // corners of a polygon: sections wholly within it stay whole
  double clearance = 0;  // [m] each cap is moved back by this, and what is near it makes room
};

/// Cuts every piece that the plane meets, exactly; closes both sides with caps of source -1. What
/// lies in front of the plane gets new numbers in `apart`. Returns how many closed sections there
/// were. Vertices keep their numbers, new ones come last and are marked in `placed`, as is what was
/// moved; `piece` is left to find_pieces().
int cut_by_plane(TrackedSurface& surface, const PlaneCut& cut, const OriginalSurface& original,
                 std::vector<char>& placed);

}  // namespace pliant::track
