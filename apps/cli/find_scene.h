#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace pliant::cli {

struct BuiltInScene {
  std::string name;  // its folder's
  std::filesystem::path file;
  std::string title;  // first heading of its README
};

/// The scenes that come with the program: beside the build folder, or where they were installed.
std::vector<BuiltInScene> built_in_scenes();

/// A file as it is, or a built-in scene by name. Throws InputError naming the closest ones.
std::filesystem::path find_scene(const std::string& file_or_name);

}  // namespace pliant::cli
