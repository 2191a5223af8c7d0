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

/// A lock on the folder, which ends with its descriptor.
int locked(const fs::path& folder) {
  const int lock = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (lock < 0) throw IoError::from_errno("cannot open " + folder.string());
  if (::flock(lock, LOCK_EX | LOCK_NB) == 0) return lock;
  ::close(lock);
  throw InputError(folder.string(), "", "is being written by another run",
                   "wait for it, or choose another folder with -o");
}

void refuse_taken(const fs::path& folder, RunFolder::IfTaken if_taken) {
  const bool ours = holds_results(folder);
  if (!ours && !fs::is_empty(folder))
    throw InputError(folder.string(), "", "is a folder with other things in it",
                     "choose a new or empty folder with -o");
  if (ours && if_taken == RunFolder::IfTaken::refuse_unfinished &&
      !is_finished(folder / "run.json") && has_checkpoint(folder))
    throw InputError(folder.string(), "", "holds an unfinished run",
                     "--resume goes on with it, --overwrite starts again");
}

}  // namespace

void RunFolder::check(const fs::path& path, IfTaken if_taken) {
  check_output_folder(path);
  if (!fs::exists(path)) return;
  ::close(locked(path));  // who writes into it says more than what it holds so far
  refuse_taken(path, if_taken);
}

RunFolder::RunFolder(fs::path path, IfTaken if_taken) : path_(std::move(path)) {
  check_output_folder(path_);
  std::error_code error;
  fs::create_directories(path_, error);
  if (error) throw IoError("cannot create " + path_.string() + ": " + error.message());
  lock_ = locked(path_);
  try {
    refuse_taken(path_, if_taken);
    if (if_taken == IfTaken::resume || !holds_results(path_)) return;
    replaced_ = is_finished(summary());
    clear(path_);
  } catch (...) {
    ::close(lock_);
    throw;
  }
}

RunFolder::~RunFolder() { ::close(lock_); }

}  // namespace pliant
