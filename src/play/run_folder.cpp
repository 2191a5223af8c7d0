#include "play/run_folder.h"

#include <fmt/format.h>

#include "core/errors.h"
#include "play/checkpoint.h"

namespace pliant {
namespace {

namespace fs = std::filesystem;

// Everything a run writes; nothing else in a folder is ever touched.
constexpr const char* results[] = {
    "metrics.csv",   "static.csv", "recording.bin",  "run.json",           "last.png", "film.mp4",
    "animation.glb", "ply",        "checkpoint.bin", "checkpoint.old.bin", "convert"};

// What is worth keeping without the rest. A recording without a checkpoint was killed at once.
constexpr const char* kept[] = {"run.json",      "last.png", "film.mp4",
                                "animation.glb", "ply",      "convert"};

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

void refuse_taken(const fs::path& folder, RunFolder::IfTaken if_taken) {
  const bool ours = holds_results(folder);
  if (!ours && !fs::is_empty(folder))
    throw InputError(folder.string(), "", "is a folder with other things in it",
                     "choose a new or empty folder with -o");
  if (!ours || if_taken != RunFolder::IfTaken::refuse) return;
  if (is_finished(folder / "run.json"))
    throw InputError(folder.string(), "", "holds a finished run",
                     "--overwrite replaces it, --resume makes it longer or its pictures anew, -o "
                     "chooses another folder");
  if (has_checkpoint(folder))
    throw InputError(folder.string(), "", "holds an unfinished run",
                     "--resume goes on with it, --overwrite starts again");
  for (const char* name : kept)
    if (fs::exists(folder / name))
      throw InputError(folder.string(), "", fmt::format("holds {} of an earlier run", name),
                       "--overwrite replaces it, -o chooses another folder");
}

}  // namespace

void RunFolder::check(const fs::path& path, IfTaken if_taken) {
  check_output_folder(path);
  if (!fs::exists(path)) return;
  const FolderLock lock(path);  // a run at work there says more than what it has written so far
  refuse_taken(path, if_taken);
}

RunFolder::RunFolder(fs::path path, IfTaken if_taken) : path_(std::move(path)) {
  check_output_folder(path_);
  std::error_code error;
  fs::create_directories(path_, error);
  if (error) throw IoError("cannot create " + path_.string() + ": " + error.message());
  lock_.emplace(path_);
  refuse_taken(path_, if_taken);
  if (if_taken != IfTaken::resume) clear(path_);
}

}  // namespace pliant
