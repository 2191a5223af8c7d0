#include "scene/read.h"

#include "core/files.h"
#include "formats/formats.h"
#include "scene/build.h"
#include "scene/json.h"
#include "scene/reader.h"

namespace pliant {
namespace {

constexpr std::size_t largest_scene = std::size_t(8) << 20;  // bytes

struct Understood {
  SceneDescription scene;
  std::vector<Problem> problems;
  bool but_for_unknown_fields = false;  // which is all that the problems are
};

Understood understand(std::string_view text, const SceneSource& source) {
  const JsonDocument json(text, source.file);
  Reading reading{json, source, json.problems(), {}};
  Understood found;
  Reader(reading, JsonDocument::root, "", "a scene").read([&](Fields& fields) {
    describe(fields, found.scene);
  });
  for (const Problem& problem : reading.problems)
    if (problem.where == "/version" && found.scene.version > SceneDescription::newest_version)
      throw InputError({problem});  // what else looks wrong may be right in the newer format
  found.but_for_unknown_fields = reading.problems.size() == reading.unknown;
  found.problems = std::move(reading.problems);
  return found;
}

void refuse_model(const std::filesystem::path& path) {
  if (is_readable(path))
    throw InputError(path.string(), "", "is a model, not a scene",
                     "`pliant MODEL` drops it, `pliant inspect MODEL` looks at it; a scene is "
                     "{\"bodies\": [\"MODEL\"]} in a .json file");
}

}  // namespace

SceneDescription read_scene(const std::filesystem::path& path,
                            std::vector<std::filesystem::path> allowed) {
  refuse_model(path);
  return read_scene_text(read_text_file(path, largest_scene), source_of(path, std::move(allowed)));
}

SceneDescription read_scene_text(std::string_view text, const SceneSource& source) {
  Understood found = understand(text, source);
  if (!found.problems.empty()) throw InputError(std::move(found.problems));
  return std::move(found.scene);
}

SceneCheck check_scene(const std::filesystem::path& path,
                       std::vector<std::filesystem::path> allowed, bool strict) {
  SceneCheck result;
  try {
    refuse_model(path);
    const SceneSource source = source_of(path, std::move(allowed));
    Understood found = understand(read_text_file(path, largest_scene), source);
    result.problems = std::move(found.problems);
    if (!result.problems.empty() && !found.but_for_unknown_fields) return result;
    BuiltScene built = build_scene(found.scene, source, strict);
    result.notes = std::move(built.notes);
    result.warnings = std::move(built.warnings);
  } catch (const InputError& error) {
    result.problems.insert(result.problems.end(), error.problems().begin(), error.problems().end());
  }
  return result;
}

}  // namespace pliant
