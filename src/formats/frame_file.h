#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/files.h"
#include "formats/part_file.h"

namespace pliant {

/// A large file of frames, written one after another as in PartFile. With a `job`, a name for what
/// is being made of what, the frames of an attempt that was stopped or killed stay in
/// "<path>.part", and the next attempt at the same job goes on after them:
///
///   for each frame: if (file.has_next()) file.take_next(); else append(...), end_frame();
///
/// What the next attempt appends before and between frames that are there already must be what the
/// first one appended; it is passed over. Which frames are there is noted in "<path>.frames.part",
/// behind the frames themselves: never more than the disk has.
class FrameFile {
 public:
  using Note = std::array<float, 6>;  // what a writer must know of a frame at the end: its bounds

  explicit FrameFile(const std::filesystem::path& path, const std::string& job = {});
  ~FrameFile();  // without commit(): keeps what is there for the same job, or removes it

  bool has_next() const { return next_ < kept_.size(); }
  Note take_next();

  void append(std::string_view bytes);
  void end_frame(const Note& note = {});
  void overwrite(std::uint64_t offset, std::string_view bytes) { file_.overwrite(offset, bytes); }
  void commit();

  std::uint64_t length() const { return at_; }

  /// Removes what an attempt has left.
  static void forget(const std::filesystem::path& path);

 private:
  struct Frame {
    std::uint64_t end;  // bytes of the file up to here
    Note note;
  };
  void read_log(const std::string& head);
  void save();

  std::filesystem::path log_path_;
  PartFile file_;
  std::vector<Frame> kept_;  // of an earlier attempt
  std::size_t next_ = 0;     // of them
  std::uint64_t at_ = 0, saved_ = 0;
  std::optional<GrowingFile> log_;
  std::string unsaved_;  // lines of the log whose frames may not be on the disk yet
};

}  // namespace pliant
