#pragma once

#include <string>

#include "scene/description.h"

namespace pliant {

/// What the body's material says after names are looked up: the scene's materials first, then
/// presets. Values that nobody gave are still missing. The names must have passed check_material().
Material looked_up(const SceneDescription& scene, const MaterialUse& use);

/// Problems with a name that nobody knows (lists the known ones) and with values no solver can
/// compute with. `where` is the path below the scene.
void check_material(Fields& fields, const SceneDescription& scene, const MaterialUse& use,
                    const std::string& where);
void check_extremes(Fields& fields, const Material& material, const std::string& where);

}  // namespace pliant
