#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace pliant {

/// A large file written piece by piece under the name "<path>.part" and renamed when it is whole.
/// Left before commit(), it vanishes, unless it may be resumed. Everything throws IoError with the
/// file's name and the system's reason.
class PartFile {
 public:
  /// `resumable` goes on with what an earlier attempt left in "<path>.part", and leaves it there
  /// when this one fails, too.
  explicit PartFile(const std::filesystem::path& path, bool resumable = false);
  ~PartFile();
  PartFile(const PartFile&) = delete;
  PartFile& operator=(const PartFile&) = delete;

  void append(std::string_view bytes);
  /// Writes over what was appended before.
  void overwrite(std::uint64_t offset, std::string_view bytes);
  /// Forgets everything after `length` bytes.
  void cut(std::uint64_t length);
  /// Waits until what was appended is on the disk.
  void sync();
  void commit();

  std::uint64_t length() const { return length_; }

 private:
  void write(std::uint64_t offset, std::string_view bytes);
  void flush();

  std::filesystem::path path_, aside_;
  bool resumable_;
  int descriptor_ = -1;
  std::uint64_t length_ = 0;
  std::string waiting_;  // appended, not yet handed to the system
};

}  // namespace pliant
