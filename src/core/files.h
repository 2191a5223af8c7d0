#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pliant {

/// The whole file. Throws InputError naming `path` when it does not exist, is a directory, a pipe
/// or a device, is unreadable, or is larger than `limit` bytes.
std::string read_text_file(const std::filesystem::path& path, std::size_t limit = std::size_t(4)
                                                                                  << 30);

/// Writes aside, flushes to the disk, then renames: a reader sees the old file or the new one,
/// never half of one. Throws IoError with the file's name and the system's reason.
void write_file(const std::filesystem::path& path, std::span<const std::byte> bytes);
void write_file(const std::filesystem::path& path, std::string_view text);

/// Throws InputError naming `path` when no folder can be made or written there: it or something
/// above it is a file, or we may not. Touches nothing.
void check_output_folder(const std::filesystem::path& path);

/// Keeps other programs of ours out of a folder as long as it lives; a kill ends it, too. Throws
/// InputError when another one is at work there, IoError when the folder cannot be opened.
class FolderLock {
 public:
  explicit FolderLock(const std::filesystem::path& folder);
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  int descriptor_ = -1;
};

/// A file that grows by whole records: each append is on disk or missing, and a later run may cut
/// it back to a length it remembers.
class GrowingFile {
 public:
  /// Opens `path`, cut to `length` bytes (0 = start anew). Throws IoError.
  GrowingFile(std::filesystem::path path, std::size_t length);
  ~GrowingFile();
  GrowingFile(const GrowingFile&) = delete;
  GrowingFile& operator=(const GrowingFile&) = delete;

  void append(std::span<const std::byte> bytes);
  void append(std::string_view text);
  void flush();  // to the disk; called before a checkpoint refers to length()
  std::size_t length() const { return length_; }

 private:
  std::filesystem::path path_;
  int descriptor_ = -1;
  std::size_t length_ = 0;
};

}  // namespace pliant
