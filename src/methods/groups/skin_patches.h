#pragma once

#include <span>

#include "math/types.h"
#include "methods/groups/groups.h"

namespace pliant::groups {

/// Adds patches to the groups of a cut body: vertices of the skin with their neighbours, which hold
/// each other about as strongly as the material would against a push on one of them. By the filter
/// of its cell alone a vertex gives way as if the whole cell were as soft as it is wide, and what
/// touches leaves the skin rough. `triangles`: of particles. Every particle they use is in at
/// least one patch, in two on average.
void add_skin_patches(std::span<const Triangle> triangles, std::span<const Material> materials,
                      Groups& groups);

}  // namespace pliant::groups
