#pragma once

#include <string>
#include <vector>

#include "core/errors.h"
#include "scene/paths.h"

namespace pliant {

/// What there is to say while a scene is built.
struct BuildLog {
  const SceneSource& source;
  std::vector<Problem> problems;
  std::vector<std::string> notes, warnings;
  bool strict = false;  // warnings will be problems: look more closely

  void problem(std::string where, std::string what, std::string hint = "");
  /// Problems of something that knows nothing of scenes: they are given a place in ours.
  void problem(const std::string& where, const InputError& error);
  /// The same for a model, which has a file and lines of its own.
  void model_problem(const std::string& where, const std::string& written, const InputError& error);
};

}  // namespace pliant
