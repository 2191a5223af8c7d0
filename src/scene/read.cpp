#include "scene/read.h"

#include "core/files.h"
#include "formats/formats.h"
#include "scene/json.h"
#include "scene/reader.h"

namespace pliant {
namespace {

constexpr std::size_t largest_scene = std::size_t(8) << 20;  // bytes

}  // namespace

SceneDescription read_scene(const std::filesystem::path& path,
                            std::vector<std::filesystem::path> allowed) {
  if (is_readable(path))
    throw InputError(path.string(), "", "is a model, not a scene",
                     "`pliant MODEL` drops it, `pliant inspect MODEL` looks at it; a scene is "
                     "{\"bodies\": [\"MODEL\"]} in a .json file");
  return read_scene_text(read_text_file(path, largest_scene), source_of(path, std::move(allowed)));
}

SceneDescription read_scene_text(std::string_view text, const SceneSource& source) {
  const JsonDocument json(text, source.file);
  Reading reading{json, source, json.problems(), {}};
  SceneDescription scene;
  Reader(reading, JsonDocument::root, "", "a scene").read([&](Fields& fields) {
    describe(fields, scene);
  });

  for (const Problem& problem : reading.problems)
    if (problem.where == "/version" && scene.version > SceneDescription::newest_version)
      throw InputError({problem});  // what else looks wrong may be right in the newer format
  if (!reading.problems.empty()) throw InputError(reading.problems);
  return scene;
}

}  // namespace pliant
