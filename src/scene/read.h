#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "scene/description.h"
#include "scene/paths.h"

namespace pliant {

/// Reads and checks a scene. Throws one InputError with every problem of the file, each with its
/// JSON path. Model files are looked for but not opened; build_scene() does that.
SceneDescription read_scene(const std::filesystem::path& path,
                            std::vector<std::filesystem::path> allowed = {});
SceneDescription read_scene_text(std::string_view text, const SceneSource& source);

}  // namespace pliant
