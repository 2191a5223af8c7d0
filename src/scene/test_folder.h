#pragma once

#include <filesystem>
#include <fstream>
#include <string>
#include <unistd.h>

#include "scene/paths.h"

namespace pliant {

/// A folder of its own for a test, gone afterwards.
class TestFolder {
 public:
  TestFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "pliant_scene_XXXXXX").string();
    path_ = mkdtemp(name.data());
  }
  ~TestFolder() {
    std::error_code error;
    std::filesystem::remove_all(path_, error);
  }
  TestFolder(const TestFolder&) = delete;
  TestFolder& operator=(const TestFolder&) = delete;

  void add(const std::string& name, const std::string& text) const {
    std::filesystem::create_directories((path_ / name).parent_path());
    std::ofstream(path_ / name, std::ios::binary) << text;
  }
  const std::filesystem::path& path() const { return path_; }
  SceneSource source() const { return {"scene.json", path_, {}}; }

 private:
  std::filesystem::path path_;
};

/// The unit cube of eight points; its top is the group "top".
inline const char* const cube_obj =
    "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\n"
    "f 1 3 2\nf 1 4 3\nf 5 6 7\nf 5 7 8\nf 1 2 6\nf 1 6 5\nf 1 5 8\nf 1 8 4\nf 2 3 7\nf 2 7 6\n"
    "g top\nf 4 8 7\nf 4 7 3\n";

}  // namespace pliant
