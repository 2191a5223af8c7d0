#include "find_scene.h"

#include <algorithm>
#include <fstream>

#include "core/errors.h"

namespace pliant::cli {
namespace {

namespace fs = std::filesystem;

fs::path scenes_folder() {
  std::error_code error;
  const fs::path here = fs::read_symlink("/proc/self/exe", error).parent_path();
  for (const fs::path& folder : {here / "../scenes", here / "../share/pliant/scenes"})
    if (fs::is_directory(folder)) return folder.lexically_normal();
  return {};
}

std::string first_heading(const fs::path& readme) {
  std::ifstream file(readme);
  std::string line;
  while (std::getline(file, line))
    if (line.rfind("# ", 0) == 0) return line.substr(2);
  return "";
}

}  // namespace

std::vector<BuiltInScene> built_in_scenes() {
  std::vector<BuiltInScene> scenes;
  const fs::path folder = scenes_folder();
  if (folder.empty()) return scenes;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    const fs::path file = entry.path() / "scene.json";
    if (!fs::exists(file)) continue;
    scenes.push_back(
        {entry.path().filename().string(), file, first_heading(entry.path() / "README.md")});
  }
  std::sort(scenes.begin(), scenes.end(),
            [](const auto& a, const auto& b) { return a.name < b.name; });
  return scenes;
}

fs::path find_scene(const std::string& file_or_name) {
  if (fs::exists(file_or_name)) {
    const fs::path inside = fs::path(file_or_name) / "scene.json";
    return fs::is_directory(file_or_name) && fs::exists(inside) ? inside : fs::path(file_or_name);
  }
  std::string known;
  for (const BuiltInScene& scene : built_in_scenes()) {
    if (scene.name == file_or_name) return scene.file;
    known += (known.empty() ? "" : ", ") + scene.name;
  }
  throw InputError(file_or_name, "", "is neither a file nor a built-in scene",
                   known.empty() ? "" : "built-in scenes: " + known);
}

}  // namespace pliant::cli
