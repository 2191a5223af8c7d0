#include <fmt/format.h>

#include "commands.h"
#include "find_scene.h"

namespace pliant::cli {

ExitCode scenes() {
  const std::vector<BuiltInScene> found = built_in_scenes();
  if (found.empty()) throw IoError("no built-in scenes beside this program");
  for (const BuiltInScene& scene : found) fmt::print("{:20} {}\n", scene.name, scene.title);
  fmt::print("\n`pliant run NAME` simulates one; {} holds them all.\n",
             found[0].file.parent_path().parent_path().string());
  return ExitCode::ok;
}

}  // namespace pliant::cli
