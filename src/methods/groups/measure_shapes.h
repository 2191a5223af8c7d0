#pragma once

#include "methods/groups/groups.h"
#include "methods/shared/shape_law/shapes.h"

namespace pliant::groups {

/// The rest shapes of groups. Throws InputError when a group has all its members in one place.
Shapes measure_shapes(const Groups& groups, std::span<const Material> materials,
                      const Settings& settings);

}  // namespace pliant::groups
