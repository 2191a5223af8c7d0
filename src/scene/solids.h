#pragma once

#include <optional>
#include <string>

#include "body/solid.h"
#include "scene/build_log.h"
#include "scene/description.h"

namespace pliant {

/// The body's shape in the world, in metres, materials complete. Writes what it chose into `body`.
/// Nothing: there were problems, which are in the log under `where`.
std::optional<Solid> make_solid(BodyDescription& body, const SceneDescription& scene,
                                const std::string& where, BuildLog& log);

/// A model file's surface, scaled; for colliders.
std::optional<TriangleMesh> load_surface(const std::string& file, double scale,
                                         const std::string& where, BuildLog& log);

/// Largest extent [m].
double largest_extent(const Solid& solid);

}  // namespace pliant
