#include "core/files.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/errors.h"

namespace pliant {
namespace {

/// Closes on every way out.
struct Descriptor {
  int value;
  ~Descriptor() {
    if (value >= 0) ::close(value);
  }
};

void write_all(int descriptor, std::span<const std::byte> bytes, const std::string& name) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) throw IoError::from_errno("cannot write " + name);
    bytes = bytes.subspan(std::size_t(written));
  }
}

[[noreturn]] void refuse(const std::filesystem::path& path, const std::string& what) {
  throw InputError(path.string(), "", what);
}

}  // namespace

std::string read_text_file(const std::filesystem::path& path, std::size_t limit) {
  // Non-blocking, so that a pipe is refused instead of waited for.
  const Descriptor file{::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC)};
  if (file.value < 0) refuse(path, std::string("cannot be read: ") + std::strerror(errno));
  struct stat info {};
  if (::fstat(file.value, &info) != 0)
    refuse(path, std::string("cannot be read: ") + std::strerror(errno));
  if (S_ISDIR(info.st_mode)) refuse(path, "is a folder, not a file");
  if (!S_ISREG(info.st_mode)) refuse(path, "is not an ordinary file");
  if (std::size_t(info.st_size) > limit) refuse(path, "is larger than this kind of file may be");

  std::string text(std::size_t(info.st_size), '\0');
  std::size_t filled = 0;
  while (filled < text.size()) {
    const ssize_t got = ::read(file.value, text.data() + filled, text.size() - filled);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) refuse(path, std::string("cannot be read: ") + std::strerror(errno));
    if (got == 0) break;
    filled += std::size_t(got);
  }
  text.resize(filled);
  return text;
}

void write_file(const std::filesystem::path& path, std::span<const std::byte> bytes) {
  std::filesystem::path aside = path;
  aside += ".part";
  {
    const Descriptor file{::open(aside.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666)};
    if (file.value < 0) throw IoError::from_errno("cannot write " + aside.string());
    try {
      write_all(file.value, bytes, path.string());
      if (::fsync(file.value) != 0) throw IoError::from_errno("cannot write " + path.string());
    } catch (...) {
      ::unlink(aside.c_str());
      throw;
    }
  }
  if (::rename(aside.c_str(), path.c_str()) != 0) {
    const IoError failed = IoError::from_errno("cannot write " + path.string());
    ::unlink(aside.c_str());
    throw failed;
  }
}

void write_file(const std::filesystem::path& path, std::string_view text) {
  write_file(path, std::as_bytes(std::span(text.data(), text.size())));
}

void check_output_folder(const std::filesystem::path& path) {
  namespace fs = std::filesystem;
  fs::path there = fs::absolute(path).lexically_normal();
  if (there.filename().empty()) there = there.parent_path();  // "out/"
  const fs::path wanted = there;
  std::error_code unseen;  // what we may not look at, we may not write below either
  while (!fs::exists(there, unseen) && there.has_relative_path()) there = there.parent_path();
  if (!fs::is_directory(there, unseen))
    refuse(path, there == wanted ? "is a file; a folder is needed"
                                 : "cannot be made: " + there.string() + " is a file");
  if (::access(there.c_str(), W_OK | X_OK) == 0) return;
  const std::string reason = std::strerror(errno);
  refuse(path, there == wanted ? "cannot be written into: " + reason
                               : "cannot be made in " + there.string() + ": " + reason);
}

FolderLock::FolderLock(const std::filesystem::path& folder)
    : descriptor_(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
  if (descriptor_ < 0) throw IoError::from_errno("cannot open " + folder.string());
  if (::flock(descriptor_, LOCK_EX | LOCK_NB) == 0) return;
  ::close(descriptor_);
  throw InputError(folder.string(), "", "is being written by another run or conversion",
                   "wait for it, or choose another folder with -o");
}

FolderLock::~FolderLock() { ::close(descriptor_); }

GrowingFile::GrowingFile(std::filesystem::path path, std::size_t length)
    : path_(std::move(path)), length_(length) {
  descriptor_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
  if (descriptor_ < 0) throw IoError::from_errno("cannot write " + path_.string());
  struct stat info {};
  const bool fits = ::fstat(descriptor_, &info) == 0 && std::size_t(info.st_size) >= length;
  if (!fits || ::ftruncate(descriptor_, off_t(length)) != 0 ||
      ::lseek(descriptor_, 0, SEEK_END) < 0) {
    ::close(descriptor_);
    throw IoError("cannot go on with " + path_.string() + ": it is shorter than it was");
  }
}

GrowingFile::~GrowingFile() { ::close(descriptor_); }

void GrowingFile::append(std::span<const std::byte> bytes) {
  write_all(descriptor_, bytes, path_.string());
  length_ += bytes.size();
}

void GrowingFile::append(std::string_view text) {
  append(std::as_bytes(std::span(text.data(), text.size())));
}

void GrowingFile::flush() {
  if (::fdatasync(descriptor_) != 0) throw IoError::from_errno("cannot write " + path_.string());
}

}  // namespace pliant
