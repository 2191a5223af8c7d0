#pragma once

#include "scene/build_log.h"
#include "scene/description.h"
#include "world/world.h"

namespace pliant {

/// Gives the world the scene's cuts, of bodies that are all there.
void plan_cuts(const SceneDescription& scene, World& world, BuildLog& log);

}  // namespace pliant
