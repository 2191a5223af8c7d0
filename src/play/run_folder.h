#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "core/files.h"

namespace pliant {

/// Where the results of one run lie, and the lock that keeps a second run out.
class RunFolder {
 public:
  enum class IfTaken { refuse, overwrite, resume };

  /// Throws what the constructor would throw, and touches nothing: to be asked before long work.
  static void check(const std::filesystem::path& path, IfTaken if_taken);
  /// Creates the folder, or clears the results of an earlier run in it. Throws InputError when the
  /// folder cannot be made or written, holds something else, a run (unless told what to do with
  /// it) or a run that is going on; IoError when the disk fails.
  RunFolder(std::filesystem::path path, IfTaken if_taken);

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path metrics() const { return path_ / "metrics.csv"; }
  std::filesystem::path statics() const { return path_ / "static.csv"; }
  std::filesystem::path recording() const { return path_ / "recording.bin"; }
  std::filesystem::path summary() const { return path_ / "run.json"; }
  std::filesystem::path picture() const { return path_ / "last.png"; }
  std::filesystem::path film() const { return path_ / "film.mp4"; }
  std::filesystem::path animation() const { return path_ / "animation.glb"; }
  std::filesystem::path surfaces() const { return path_ / "ply"; }

 private:
  std::filesystem::path path_;
  std::optional<FolderLock> lock_;
};

}  // namespace pliant
