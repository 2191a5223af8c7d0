#pragma once

#include <optional>

#include "methods/groups/groups.h"

namespace pliant::groups {

/// Who is in the group of a particle: all nearer than `radius` [m], or itself and the `nearest`
/// others (and all as near as the last of them, so that regular clouds make regular groups).
struct Neighbourhood {
  double radius = 0;
  std::optional<int> nearest;
};

/// Points of a cloud, one group around each. Volumes and masses are left for the caller:
/// `volume` is 0, `material` the given one for each point. Throws InputError when a point has
/// fewer than three neighbours.
Groups point_groups(const std::vector<Vec3>& points, const std::vector<int>& material,
                    const Neighbourhood& neighbourhood);

/// Weights of particles for any point near group g, by its affine fit: moves with the group, exact
/// for affine movement.
void add_fit_row(const Groups& groups, int g, const Vec3& rest_point, Weights& weights);

/// Hangs points of a surface into the fits of the groups nearest to them.
Weights hang_on_groups(const Groups& groups, const std::vector<Vec3>& points);

}  // namespace pliant::groups
