#include <fmt/format.h>

#include "commands.h"
#include "find_scene.h"
#include "scene/read.h"

namespace pliant::cli {

ExitCode check(const CheckArguments& arguments) {
  const std::vector<std::filesystem::path> allowed(arguments.allowed_paths.begin(),
                                                   arguments.allowed_paths.end());
  std::vector<Problem> problems;
  for (const std::string& scene : arguments.scenes) {
    try {
      const std::filesystem::path file = find_scene(scene);
      const SceneCheck found = check_scene(file, allowed, arguments.strict);
      problems.insert(problems.end(), found.problems.begin(), found.problems.end());
      if (!found.problems.empty()) continue;
      for (const std::string& warning : found.warnings)
        fmt::print(stderr, "{}: warning: {}\n", file.string(), warning);
      if (!arguments.quiet) {
        for (const std::string& note : found.notes) fmt::print("{}\n", note);
        fmt::print("{}: no problems\n", file.string());
      }
    } catch (const InputError& error) {  // there is no such scene
      problems.insert(problems.end(), error.problems().begin(), error.problems().end());
    }
  }
  if (!problems.empty()) throw InputError(std::move(problems));
  return ExitCode::ok;
}

}  // namespace pliant::cli
