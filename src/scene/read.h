#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/errors.h"
#include "scene/description.h"
#include "scene/paths.h"

namespace pliant {

/// Reads and checks a scene. Throws one InputError with every problem of the file, each with its
/// JSON path. Model files are looked for but not opened; build_scene() does that.
SceneDescription read_scene(const std::filesystem::path& path,
                            std::vector<std::filesystem::path> allowed = {});
SceneDescription read_scene_text(std::string_view text, const SceneSource& source);

/// Reads, builds and throws away a scene for what is wrong with it. Where nothing but unknown
/// fields is wrong with the text, it is built without them, so that all is told at once.
struct SceneCheck {
  std::vector<Problem> problems;
  std::vector<std::string> notes, warnings;  // where there are no problems
};
SceneCheck check_scene(const std::filesystem::path& path,
                       std::vector<std::filesystem::path> allowed, bool strict);

}  // namespace pliant
