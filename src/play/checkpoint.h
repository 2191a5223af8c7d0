#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "world/world.h"

namespace pliant {

/// Where a run stands: enough to go on as if it had never stopped.
struct Checkpoint {
  std::uint64_t scene = 0;  // fingerprint of the scene and its models; another scene is refused
  int frame = 0;            // done so far
  std::uint64_t recording_length = 0;  // [bytes] of the files that grow, when this was written
  std::uint64_t metrics_length = 0;
};

/// Writes aside and renames; the one before is kept as checkpoint.old.
void save_checkpoint(const std::filesystem::path& folder, const Checkpoint& checkpoint,
                     World& world);

/// The newest undamaged checkpoint in the folder, loaded into `world`; nothing when there is none.
/// What was wrong with a damaged one is appended to `warnings`. Throws InputError when it belongs
/// to another scene or version.
std::optional<Checkpoint> load_checkpoint(const std::filesystem::path& folder, std::uint64_t scene,
                                          World& world, std::vector<std::string>& warnings);

bool has_checkpoint(const std::filesystem::path& folder);

}  // namespace pliant
