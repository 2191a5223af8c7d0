#pragma once

#include "geometry/nurbs/patch.h"

namespace pliant {

/// Brings the domain of a closed patch into its knots, cutting triangles where they cross the seam.
/// Periods are those of the surface in u and v; 0: not closed that way. What sticks out by
/// rounding is clamped. False when more than that still lies outside.
bool wrap_domain(NurbsPatch& patch, const Vec2& period);

}  // namespace pliant
