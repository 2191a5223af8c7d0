#pragma once

#include "scene/build_log.h"
#include "scene/description.h"
#include "world/world.h"

namespace pliant {

/// Ties bodies as the scene's attachments say, where they are now.
void tie(SceneDescription& scene, World& world, BuildLog& log);

}  // namespace pliant
