#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "play/run.h"

namespace pliant {

struct ConvertOptions {
  std::vector<std::string> formats;  // see convert_formats()
  std::filesystem::path folder;      // where the files go
  bool original = true;  // vertices and faces of the model files; false: the skins computed with
  int first = 0, last = -1, step = 1;  // frames of the run; -1 = to its end
  bool resume = false;                 // keep what an attempt at the same has made, and go on
};

struct ConvertResult {
  bool finished = true;                      // false: stopped by the watcher
  std::vector<std::filesystem::path> files;  // the ones to open; folders for one file per frame
};

/// Makes files of a run's recording: obj, ply, stl, vtu (one a frame and body; vtu with a list for
/// ParaView), step, iges (one a frame and body that has control points, by them), pc2, mdd, csv
/// (one a body), usda, glb (one for all). One frame is in memory at a time, but for .glb (see
/// formats/gltf.h). Files appear whole or not at all; a stopped or killed conversion can be resumed
/// to the same bytes. Throws InputError for an unknown format, a folder without a recording or
/// frames that are not there, and for step and iges when no body has control points or the CAD file
/// of their trims is not as it was; IoError.
ConvertResult convert_run(const std::filesystem::path& run, const ConvertOptions& options,
                          RunWatcher& watcher);

const std::vector<std::string>& convert_formats();

}  // namespace pliant
