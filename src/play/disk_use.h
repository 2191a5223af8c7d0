#pragma once

#include <cstdint>
#include <string>

#include "play/run.h"

namespace pliant {

/// About how many bytes a whole run of a scene leaves, by what they are for.
struct DiskUse {
  std::uint64_t recording = 0, surfaces = 0, animation = 0;
  std::uint64_t whole() const { return recording + surfaces + animation; }
};

DiskUse disk_use(const BuiltScene& scene);

/// Tells the user about a run that will fill disks, with what can be left out: a note above a
/// gigabyte, a warning when less than that is free where `folder` lies.
void tell_disk_use(const DiskUse& use, const std::filesystem::path& folder, RunWatcher& watcher);

}  // namespace pliant
