#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/errors.h"
#include "scene/model_files.h"
#include "scene/paths.h"

namespace pliant {

/// What there is to say while a scene is built, and the models that were read for it.
struct BuildLog {
  explicit BuildLog(const SceneSource& from, bool is_strict = false)
      : source(from), strict(is_strict) {}

  const SceneSource& source;
  std::vector<Problem> problems;
  std::vector<std::string> notes, warnings;
  std::shared_ptr<ModelFiles> models = std::make_shared<ModelFiles>();
  bool strict;  // warnings will be problems: look more closely

  /// A note about a body; what is the same for many is said once: "box and 99 others: 27 cells".
  void note(const std::string& before, const std::string& name, const std::string& text);

  void problem(std::string where, std::string what, std::string hint = "");
  /// Problems of something that knows nothing of scenes: they are given a place in ours.
  void problem(const std::string& where, const InputError& error);
  /// The same for a model, which has a file and lines of its own.
  void model_problem(const std::string& where, const std::string& written, const InputError& error);

 private:
  struct Said {
    std::size_t place;  // in `notes`
    std::string first;  // body it was said of
    int others;
  };
  std::map<std::string, Said> said_;
};

}  // namespace pliant
