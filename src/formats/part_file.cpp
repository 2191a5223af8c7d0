#include "formats/part_file.h"

#include <cerrno>
#include <fcntl.h>
#include <unistd.h>

#include "core/assert.h"
#include "core/errors.h"

namespace pliant {
namespace {

constexpr std::size_t block = std::size_t(1) << 20;

}  // namespace

PartFile::PartFile(const std::filesystem::path& path, bool resumable)
    : path_(path), aside_(path), resumable_(resumable) {
  aside_ += ".part";
  const int start = resumable ? 0 : O_TRUNC;
  descriptor_ = ::open(aside_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | start, 0666);
  if (descriptor_ < 0) throw IoError::from_errno("cannot write " + aside_.string());
  const off_t end = ::lseek(descriptor_, 0, SEEK_END);
  length_ = end > 0 ? std::uint64_t(end) : 0;
}

PartFile::~PartFile() {
  if (descriptor_ < 0) return;
  ::close(descriptor_);
  if (!resumable_) ::unlink(aside_.c_str());
}

void PartFile::write(std::uint64_t offset, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::pwrite(descriptor_, bytes.data(), bytes.size(), off_t(offset));
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) throw IoError::from_errno("cannot write " + path_.string());
    bytes.remove_prefix(std::size_t(written));
    offset += std::uint64_t(written);
  }
}

void PartFile::flush() {
  write(length_ - waiting_.size(), waiting_);
  waiting_.clear();
}

void PartFile::append(std::string_view bytes) {
  waiting_ += bytes;
  length_ += bytes.size();
  if (waiting_.size() >= block) flush();
}

void PartFile::overwrite(std::uint64_t offset, std::string_view bytes) {
  ASSERT(offset + bytes.size() <= length_, "only what is there can be written over");
  flush();
  write(offset, bytes);
}

void PartFile::cut(std::uint64_t length) {
  flush();
  if (::ftruncate(descriptor_, off_t(length)) != 0)
    throw IoError::from_errno("cannot write " + path_.string());
  length_ = length;
}

void PartFile::sync() {
  flush();
  if (::fdatasync(descriptor_) != 0) throw IoError::from_errno("cannot write " + path_.string());
}

void PartFile::commit() {
  flush();
  if (::fsync(descriptor_) != 0) throw IoError::from_errno("cannot write " + path_.string());
  // From here on the destructor has nothing to undo, so failures clean up themselves.
  const int closed = ::close(descriptor_);
  descriptor_ = -1;
  if (closed == 0 && ::rename(aside_.c_str(), path_.c_str()) == 0) return;
  const IoError error = IoError::from_errno("cannot write " + path_.string());
  ::unlink(aside_.c_str());
  throw error;
}

}  // namespace pliant
