#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "play/run_folder.h"
#include "scene/build.h"
#include "statics/fineness.h"

namespace pliant {

struct RunOptions {
  std::filesystem::path folder;
  RunFolder::IfTaken if_taken = RunFolder::IfTaken::refuse;
  std::string scene_name;  // for captions of scenes without a title
  Fineness fineness = {};  // of static scenes: what building them found out
};

/// What a caller may watch and say while a run goes on.
class RunWatcher {
 public:
  virtual ~RunWatcher() = default;
  /// A line for the user.
  virtual void note(const std::string&) {}
  virtual void warning(const std::string&) {}
  /// `done` of `total` of something countable: "simulating", "filming".
  virtual void progress(const char* /*what*/, int /*done*/, int /*total*/) {}
  /// Asked after every frame: true ends the run there, with everything valid.
  virtual bool stop() { return false; }
};

struct RunResult {
  bool finished = false;  // false: stopped by the watcher
  bool film_failed = false;
  int unbalanced = 0;  // frames of a static scene without an equilibrium
  int frames = 0;      // simulated, over all sittings
  std::uint64_t hash = 0;
  std::vector<StaticFigures> statics;        // of a static scene, as it ends
  std::vector<std::filesystem::path> files;  // all that was made, in the order of interest
};

/// Simulates a scene into a folder: metrics.csv, recording.bin, run.json, and from the recording
/// the picture, animation, PLY files and film. Can be killed at any moment and resumed to the same
/// bits. Throws NumericalError when the state is no longer finite; what was recorded before is
/// kept.
RunResult run(BuiltScene& scene, const RunOptions& options, RunWatcher& watcher);

}  // namespace pliant
