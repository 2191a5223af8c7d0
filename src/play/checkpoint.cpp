#include "play/checkpoint.h"

#include <cstring>
#include <fmt/format.h>

#include "core/errors.h"
#include "core/files.h"

// The file: "pliantC1", a checksum of all that follows, then the archive.

namespace pliant {
namespace {

namespace fs = std::filesystem;

constexpr char magic[] = "pliantC1";
constexpr std::size_t magic_size = 8;
constexpr std::size_t head_size = magic_size + sizeof(std::uint64_t);

fs::path newest(const fs::path& folder) { return folder / "checkpoint.bin"; }
fs::path before(const fs::path& folder) { return folder / "checkpoint.old.bin"; }

void archive_head(Archive& archive, Checkpoint& checkpoint) {
  archive.value("scene", checkpoint.scene);
  archive.value("frame", checkpoint.frame);
  archive.value("recording length", checkpoint.recording_length);
  archive.value("metrics length", checkpoint.metrics_length);
}

/// The archive inside, or an ArchiveError that says what is wrong with the file.
std::span<const std::byte> verified(std::span<const std::byte> bytes) {
  if (bytes.size() < head_size || std::memcmp(bytes.data(), magic, magic_size) != 0)
    throw ArchiveError("it is not a checkpoint of this version");
  std::uint64_t expected;
  std::memcpy(&expected, bytes.data() + magic_size, sizeof expected);
  const std::span<const std::byte> content = bytes.subspan(head_size);
  if (hash_of(content) != expected) throw ArchiveError("its checksum is wrong");
  return content;
}

Checkpoint load(const fs::path& folder, std::span<const std::byte> content, std::uint64_t scene,
                World& world) {
  const char* again = "leave out --resume and add --overwrite to start again";
  Checkpoint checkpoint;
  try {
    Archive archive = Archive::loading(content);
    archive_head(archive, checkpoint);
    if (checkpoint.scene != scene)
      throw InputError(
          folder.string(), "",
          "holds a run of another scene (or the scene, a model or pliant has changed since)",
          again);
    world.archive(archive);
  } catch (const ArchiveError& error) {  // undamaged, so from a program that saves other things
    throw InputError(folder.string(), "",
                     std::string("holds a run of another version of pliant: ") + error.what(),
                     again);
  }
  return checkpoint;
}

}  // namespace

bool has_checkpoint(const fs::path& folder) {
  return fs::exists(newest(folder)) || fs::exists(before(folder));
}

void save_checkpoint(const fs::path& folder, const Checkpoint& checkpoint, World& world) {
  Archive archive = Archive::saving();
  Checkpoint copy = checkpoint;
  archive_head(archive, copy);
  world.archive(archive);
  const std::uint64_t checksum = hash_of(archive.bytes());
  std::vector<std::byte> file(head_size + archive.bytes().size());
  std::memcpy(file.data(), magic, magic_size);
  std::memcpy(file.data() + magic_size, &checksum, sizeof checksum);
  std::memcpy(file.data() + head_size, archive.bytes().data(), archive.bytes().size());

  std::error_code ignored;  // there is none before the first
  fs::rename(newest(folder), before(folder), ignored);
  write_file(newest(folder), file);
}

std::optional<Checkpoint> load_checkpoint(const fs::path& folder, std::uint64_t scene, World& world,
                                          std::vector<std::string>& warnings) {
  for (const fs::path& path : {newest(folder), before(folder)}) {
    if (!fs::exists(path)) continue;
    const std::string text = read_text_file(path);
    try {
      return load(folder, verified(std::as_bytes(std::span(text.data(), text.size()))), scene,
                  world);
    } catch (const ArchiveError& error) {
      warnings.push_back(fmt::format("{} cannot be used: {}", path.string(), error.what()));
    }
  }
  return std::nullopt;
}

}  // namespace pliant
