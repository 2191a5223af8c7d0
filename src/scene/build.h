#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "formats/faces.h"
#include "scene/description.h"
#include "scene/paths.h"
#include "world/world.h"

namespace pliant {

/// A vertex of a skin whose path is recorded.
struct Probe {
  std::string name;
  BodyId body;
  int mark = 0;  // of that body
  std::vector<std::string> fields;
};

/// A scene made ready to run.
struct BuiltScene {
  World world;
  std::vector<Probe> probes;
  std::vector<Original> originals;  // per body: its model file's surface; empty = there is none
  std::vector<std::filesystem::path>
      cad_files;                      // per body with control points: where they are from
  SceneDescription resolved;          // every value chosen; building it again gives the same world
  std::vector<std::string> notes;     // what was chosen, one sentence each
  std::vector<std::string> warnings;  // what looks wrong or was repaired
  std::vector<StageClock::Stage> stages;  // making bodies that take their time, of all together
};

/// Loads models, fills in what was left out and makes the bodies. Throws one InputError with the
/// problems of all bodies and colliders, each with its JSON path and, for models, their own file
/// and line. `strict`: warnings are problems, and surfaces are searched for self-intersection too.
BuiltScene build_scene(const SceneDescription& scene, const SceneSource& source,
                       bool strict = false);

/// For a model without a scene: problems name the model.
SceneSource source_of_model(const std::filesystem::path& model);

}  // namespace pliant
