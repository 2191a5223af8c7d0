#include "scene/paths.h"

#include <algorithm>
#include <fmt/format.h>
#include <system_error>

#include "core/file_name.h"
#include "scene/json.h"
#include "scene/words.h"

namespace pliant {
namespace {

namespace fs = std::filesystem;

/// "http:", "file:", "C:". A colon further on, after a slash, is part of a name.
bool has_scheme(const std::string& path) {
  const std::size_t colon = path.find(':');
  if (colon == std::string::npos || colon == 0) return false;
  return path.find('/') > colon;
}

bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }

/// Why the text is no path of a scene, whatever the disk holds; empty if it is one.
std::string wrong_form(const std::string& written) {
  if (written.empty()) return "is empty; it must name a file";
  if (written.size() > 1000)
    return fmt::format("has {} characters; a path has at most 1000", written.size());
  if (std::any_of(written.begin(), written.end(), is_control))
    return fmt::format("is {}; a path has no control characters", quote(written));
  if (written.find('\\') != std::string::npos)
    return fmt::format("is {}; write / between folders", quote(written));
  if (has_scheme(written))
    return fmt::format("is {}; it must be a file on this machine, without a scheme or drive",
                       quote(written));
  if (written.front() == '~')
    return fmt::format("is {}; ~ is not expanded, write the path out", quote(written));
  return "";
}

bool lies_in(const fs::path& file, const fs::path& folder) {
  const auto differ = std::mismatch(folder.begin(), folder.end(), file.begin(), file.end());
  // A folder written with a slash at its end has one empty last component.
  return differ.first == folder.end() ||
         (differ.first->empty() && std::next(differ.first) == folder.end());
}

bool is_allowed(const SceneSource& source, const fs::path& file, bool is_absolute) {
  std::error_code error;
  const auto inside = [&](const fs::path& root) {
    const fs::path folder = fs::weakly_canonical(fs::absolute(root, error), error);
    return !error && lies_in(file, folder);
  };
  if (!is_absolute && inside(source.folder)) return true;
  return std::any_of(source.allowed.begin(), source.allowed.end(), inside);
}

std::string similar_name(const fs::path& missing) {
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator entry(missing.parent_path(), error), end;
       !error && entry != end && names.size() < 2000; entry.increment(error))
    names.push_back(entry->path().filename().string());
  std::sort(names.begin(), names.end());
  return nearest_word(missing.filename().string(), names);
}

}  // namespace

std::string SceneSource::model_word() const { return valid_utf8(model.filename().string()); }

SceneSource source_of(const fs::path& scene, std::vector<fs::path> allowed) {
  const fs::path folder = scene.has_parent_path() ? scene.parent_path() : fs::path(".");
  return {scene.string(), folder, std::move(allowed)};
}

ResolvedPath resolve(const SceneSource& source, const std::string& written) {
  const auto refused = [&](const std::string& but, const std::string& reason,
                           const std::string& hint = "") {
    return ResolvedPath{{}, fmt::format("is {}{}{}", quote(written), but, reason), hint, reason};
  };
  const bool is_model = !source.model.empty() && written == source.model_word();
  if (const std::string problem = wrong_form(written); !problem.empty() && !is_model)
    return {{}, problem, "", problem};

  std::error_code error;
  const fs::path path(written);
  const fs::path file = fs::weakly_canonical(
      fs::absolute(is_model ? source.model : source.folder / path, error), error);
  if (error) return refused(": ", error.message());
  if (!is_model && !is_allowed(source, file, path.is_absolute()))
    return refused(", which ", "leads out of the scene's folder",
                   "move the file there, or allow its folder with --allow-path");

  const fs::file_status status = fs::status(file, error);
  if (!fs::exists(status)) {
    const std::string similar = similar_name(file);
    const std::string meant =
        similar.empty() ? "" : fmt::format("; did you mean {}?", quote(similar));
    return refused(", but ", "there is no such file" + meant,
                   "paths are relative to the scene's folder");
  }
  if (fs::is_directory(status)) return refused(", which ", "is a folder");
  if (!fs::is_regular_file(status)) return refused(", which ", "is not a plain file");
  return {file, "", "", ""};
}

}  // namespace pliant
