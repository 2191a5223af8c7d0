#include "scene/material_use.h"

#include <algorithm>
#include <fmt/format.h>
#include <vector>

#include "scene/json.h"
#include "scene/words.h"

namespace pliant {
namespace {

const Material* find(const SceneDescription& scene, const std::string& name) {
  for (const auto& [key, material] : scene.materials)
    if (key == name) return &material;
  return nullptr;
}

std::vector<std::string> preset_names() {
  std::vector<std::string> names;
  for (const MaterialPreset& preset : material_presets()) names.push_back(preset.name);
  return names;
}

std::string unknown(const std::string& name, const char* kind,
                    const std::vector<std::string>& known) {
  const std::string meant = nearest_word(name, known);
  return fmt::format("is {}, which is no {}; {}known: {}", quote(name), kind,
                     meant.empty() ? "" : fmt::format("did you mean {}? ", quote(meant)),
                     joined(known, ", "));
}

}  // namespace

Material looked_up(const SceneDescription& scene, const MaterialUse& use) {
  Material material;
  if (const Material* named = find(scene, use.name)) material = *named;
  else material.preset = use.name;
  material.take(use.values);
  return material;
}

// Beyond these, squares and quotients in the solvers are no longer finite; nothing real is near
// them.
void check_extremes(Fields& fields, const Material& material, const std::string& where) {
  const auto check = [&](const char* name, const std::optional<double>& value, double low,
                         double high) {
    if (!value || (*value >= low && *value <= high)) return;
    fields.check(
        false, (where + '/' + name).c_str(),
        fmt::format("is {}; it must be between {} and {}", shown(*value), shown(low), shown(high)));
  };
  check("young", material.young, 1e-3, 1e15);
  check("density", material.density, 1e-6, 1e9);
  check("damping", material.damping, 0, 1e9);
}

void check_material(Fields& fields, const SceneDescription& scene, const MaterialUse& use,
                    const std::string& where) {
  check_extremes(fields, use.values, where);
  if (use.name.empty() || find(scene, use.name) || find_material_preset(use.name)) return;
  std::vector<std::string> known;
  for (const auto& [name, material] : scene.materials) known.push_back(name);
  for (std::string& name : preset_names())
    if (std::find(known.begin(), known.end(), name) == known.end())
      known.push_back(std::move(name));
  fields.check(false, (where + "/name").c_str(),
               unknown(use.name, "material of this scene and no preset", known));
}

}  // namespace pliant
