#include "play/run_folder.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include "core/errors.h"
#include "core/files.h"
#include "play/checkpoint.h"

namespace pliant {
namespace {

namespace fs = std::filesystem;

// Everything a run writes; nothing else in a folder is ever touched.
constexpr const char* results[] = {
    "metrics.csv",   "recording.bin", "run.json",       "last.png",           "film.mp4",
    "animation.glb", "ply",           "checkpoint.bin", "checkpoint.old.bin", "convert"};

bool holds_results(const fs::path& folder) {
  for (const char* name : results)
    if (fs::exists(folder / name)) return true;
  return false;
}

/// run.json is written when a run ends, and when it is stopped on the way.
bool is_finished(const fs::path& summary) {
  return fs::exists(summary) &&
         read_text_file(summary).find("\"finished\": true") != std::string::npos;
}

void clear(const fs::path& folder) {
  for (const char* name : results) {
    fs::remove_all(folder / name);
    fs::remove(folder / (std::string(name) + ".part"));
  }
  fs::remove(folder / "film.part.mp4");  // as the film is called in the making
}

}  // namespace

RunFolder::RunFolder(fs::path path, IfTaken if_taken) : path_(std::move(path)) {
  if (fs::exists(path_) && !fs::is_directory(path_))
    throw InputError(path_.string(), "", "is a file; -o needs a folder");
  const bool ours = fs::exists(path_) && holds_results(path_);
  if (!ours && fs::exists(path_) && !fs::is_empty(path_))
    throw InputError(path_.string(), "", "is a folder with other things in it",
                     "choose a new or empty folder with -o");
  std::error_code error;
  fs::create_directories(path_, error);
  if (error) throw IoError("cannot create " + path_.string() + ": " + error.message());

  lock_ = ::open(path_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (lock_ < 0) throw IoError::from_errno("cannot open " + path_.string());
  if (::flock(lock_, LOCK_EX | LOCK_NB) != 0) {
    ::close(lock_);
    throw InputError(path_.string(), "", "is being written by another run",
                     "wait for it, or choose another folder with -o");
  }
  if (::access(path_.c_str(), W_OK) != 0) {
    const IoError refused = IoError::from_errno("cannot write into " + path_.string());
    ::close(lock_);
    throw refused;
  }
  if (!ours || if_taken == IfTaken::resume) return;
  replaced_ = is_finished(summary());
  if (!replaced_ && has_checkpoint(path_) && if_taken != IfTaken::overwrite) {
    ::close(lock_);
    throw InputError(path_.string(), "", "holds an unfinished run",
                     "--resume goes on with it, --overwrite starts again");
  }
  clear(path_);
}

RunFolder::~RunFolder() { ::close(lock_); }

}  // namespace pliant
