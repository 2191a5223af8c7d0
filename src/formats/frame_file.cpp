#include "formats/frame_file.h"

#include <system_error>

#include "core/assert.h"
#include "core/errors.h"
#include "formats/bytes.h"

namespace pliant {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t line_bytes = sizeof(std::uint64_t) + sizeof(FrameFile::Note);
constexpr std::uint64_t save_after = 8u << 20;  // at most so many bytes are made twice after a kill

fs::path log_of(fs::path path) { return path += ".frames.part"; }

}  // namespace

FrameFile::FrameFile(const fs::path& path, const std::string& job)
    : log_path_(log_of(path)), file_(path, !job.empty()) {
  if (job.empty()) return;
  const std::string head = job + '\n';
  read_log(head);
  saved_ = kept_.empty() ? 0 : kept_.back().end;
  file_.cut(saved_);
  log_.emplace(log_path_, kept_.empty() ? 0 : head.size() + kept_.size() * line_bytes);
  if (kept_.empty()) log_->append(head);
}

void FrameFile::read_log(const std::string& head) {
  std::error_code none;
  if (!fs::is_regular_file(log_path_, none)) return;
  const std::string text = read_text_file(log_path_);
  if (!text.starts_with(head)) return;  // another job's
  for (std::size_t at = head.size(); at + line_bytes <= text.size(); at += line_bytes) {
    std::string_view line = std::string_view(text).substr(at, line_bytes);
    Frame frame;
    frame.end = get<std::uint64_t>(line, std::endian::little);
    for (float& number : frame.note) {
      const std::size_t offset = sizeof(frame.end) + std::size_t(&number - frame.note.data()) * 4;
      number = get<float>(line.substr(offset), std::endian::little);
    }
    if (frame.end > file_.length() || (!kept_.empty() && frame.end < kept_.back().end)) break;
    kept_.push_back(frame);
  }
}

FrameFile::~FrameFile() {
  if (!log_) return;
  try {
    save();
  } catch (const IoError&) {  // then the next attempt has a little more to do
  }
}

FrameFile::Note FrameFile::take_next() {
  ASSERT(has_next(), "only what is there can be taken");
  at_ = kept_[next_].end;
  return kept_[next_++].note;
}

void FrameFile::append(std::string_view bytes) {
  if (at_ == file_.length()) file_.append(bytes);
  at_ += bytes.size();
  ASSERT(at_ <= file_.length(), "what was appended earlier is appended again alike");
}

void FrameFile::end_frame(const Note& note) {
  if (!log_) return;
  put(unsaved_, at_);
  for (const float number : note) put(unsaved_, number);
  if (at_ - saved_ >= save_after) save();
}

void FrameFile::save() {
  if (unsaved_.empty()) return;
  file_.sync();
  log_->append(std::string_view(unsaved_));
  unsaved_.clear();
  saved_ = at_;
}

void FrameFile::commit() {
  log_.reset();
  fs::remove(log_path_);  // first: a log without frames would be left for ever
  file_.commit();
}

void FrameFile::forget(const fs::path& path) {
  std::error_code none;
  fs::path part = path;
  fs::remove(part += ".part", none);
  fs::remove(log_of(path), none);
}

}  // namespace pliant
