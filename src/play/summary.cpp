#include "play/summary.h"

#include <fmt/format.h>

#include "core/files.h"
#include "core/version.h"
#include "methods/error_share.h"
#include "scene/json.h"
#include "scene/write.h"

namespace pliant {
namespace {

std::string list_of(const std::vector<std::string>& sentences) {
  std::string text;
  for (const std::string& sentence : sentences)
    text += (text.empty() ? "" : ",\n     ") + json_text(sentence);
  return "[" + text + "]";
}

/// What became of each body: what was chosen for it, what looks wrong, and how it ended.
std::string bodies_of(const World& world) {
  std::string text;
  for (const Body& body : world.bodies) {
    text += fmt::format("{}\n   {{\"name\": {}, \"nodes\": {}", text.empty() ? "" : ",",
                        json_text(body.name), body.nodes.size());
    if (const std::optional<double> share = error_share(body))
      text += fmt::format(", \"error_energy_share\": {:.3g}", *share);
    text += fmt::format(",\n    \"notes\": {},\n    \"warnings\": {}}}", list_of(body.notes),
                        list_of(body.warnings));
  }
  return text;
}

}  // namespace

std::uint64_t scene_fingerprint(BuiltScene& scene) {
  SceneDescription physics = scene.resolved;
  physics.title.clear();
  physics.frames = 0;
  physics.outputs = {};
  physics.outputs.color_by = scene.resolved.outputs.color_by;  // recorded with every frame
  physics.outputs.fields = scene.resolved.outputs.fields;      // these, too
  physics.outputs.volume = scene.resolved.outputs.volume;
  physics.outputs.contact_surface = scene.resolved.outputs.contact_surface;
  physics.camera = {};
  Hash hash;
  hash.add(hash_of(write_scene(physics)));
  hash.add(state_hash(scene.world));  // the models themselves
  return hash.value();
}

void write_summary(const BuiltScene& scene, const RunFolder& folder, const Fineness& fineness,
                   const RunResult& result) {
  std::string statics;
  if (!fineness.why.empty()) statics += fmt::format("  \"resolution\": {},\n", quote(fineness.why));
  if (scene.world.statics)
    statics += fmt::format("  \"static\": {},\n", static_json(result.statics, "  "));
  write_file(
      folder.summary(),
      fmt::format("{{\n  \"pliant\": \"{}\",\n  \"compiler\": \"{}\",\n  \"finished\": {},\n"
                  "  \"frames\": {},\n  \"seed\": {},\n  \"hash\": \"{}\",\n{}  \"bodies\": [{}],\n"
                  "  \"scene\": {}\n}}\n",
                  version(), compiler(), result.finished, result.frames, scene.resolved.seed,
                  hex(result.hash), statics, bodies_of(scene.world),
                  write_scene(scene.resolved, 2)));
}

}  // namespace pliant
