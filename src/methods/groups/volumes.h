#pragma once

#include "methods/groups/groups.h"

namespace pliant::groups {

/// How much material belongs to groups whose volume nobody knows. Cells, tets and cut cells have
/// exact ones; these are for clouds of points.
enum class VolumeEstimate {
  even,     // all the same: right for regular clouds
  density,  // mass over density at the particle the group belongs to (group i to particle i)
  sphere,   // a ball of the mean distance of members from their centre, at rest: a cube's corners
            // make it 2.7 times too large; the last resort
};

/// Sets the volumes of all groups by the estimate, then scales them to sum to `object` [m^3]: where
/// groups overlap the estimates count material several times, which would multiply its stiffness.
/// `density` needs masses (their unit does not matter) and looks as far as `radius` [m].
void estimate_volumes(Groups& groups, VolumeEstimate estimate, double object, double radius);

/// Multiplies all volumes such that they sum to `object` [m^3].
void scale_volumes(Groups& groups, double object);

}  // namespace pliant::groups
