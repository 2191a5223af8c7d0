#pragma once

#include <filesystem>
#include <map>

#include "formats/formats.h"

namespace pliant {

/// Model files, each read once, however many bodies are made of it and however often: a body that
/// starts too near to something is made anew where there is room.
class ModelFiles {
 public:
  /// `path` is canonical. Throws InputError as read_model() does, each time.
  const Model& read(const std::filesystem::path& path) {
    const auto known = models_.find(path);
    return known != models_.end() ? known->second
                                  : models_.emplace(path, read_model(path)).first->second;
  }

 private:
  std::map<std::filesystem::path, Model> models_;
};

}  // namespace pliant
