#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/errors.h"

namespace pliant {

/// Where a scene came from, and which files it may open.
struct SceneSource {
  std::string file;                            // the scene as the user named it, for messages
  std::filesystem::path folder = ".";          // its paths are relative to this, and stay inside
  std::vector<std::filesystem::path> allowed;  // other folders they may lead into; "/" = anywhere
  bool is_model = false;             // there is no scene: JSON paths mean nothing to the user
  std::filesystem::path model = {};  // what the user named instead: a file, whatever its name is

  /// The text that stands for `model` in the scene that is made for it.
  std::string model_word() const;
};

SceneSource source_of(const std::filesystem::path& scene,
                      std::vector<std::filesystem::path> allowed = {});

/// The only way from a path written in a scene to a file. Nothing is expanded: no ~, no variables,
/// no %xx. Links are followed before the folder is checked. On success `path` is canonical and
/// names a regular file; otherwise `problem` is the rest of a sentence that starts with the field's
/// JSON path. What the command line names as a model is a file as it is. Opens nothing.
struct ResolvedPath {
  std::filesystem::path path;
  std::string problem, hint;
  std::string reason;  // the same without the path: "there is no such file"
  bool fine() const { return problem.empty(); }
};
ResolvedPath resolve(const SceneSource& source, const std::string& written);

}  // namespace pliant
