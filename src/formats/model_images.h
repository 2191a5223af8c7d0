#pragma once

#include <filesystem>
#include <map>

#include "formats/faces.h"

namespace pliant {

/// Collects the images that a model's paints name. What cannot be used is one warning, and the
/// paint does without.
class ModelImages {
 public:
  static constexpr std::size_t most_bytes = 64 << 20, most_images = 256;

  /// `file`: the model, in whose folder the images lie.
  ModelImages(std::string file, Faces& faces, std::vector<std::string>* warnings)
      : file_(std::move(file)), faces_(faces), warnings_(warnings) {}

  /// Index into Faces::images; -1 when it cannot be used. Of paths that lead out of the model's
  /// folder, as programs write them, only the last part is looked for.
  int from_file(const std::string& written);
  int from_bytes(const std::string& name, std::string bytes);

 private:
  int refuse(const std::string& name, const std::string& what);

  std::string file_;
  Faces& faces_;
  std::vector<std::string>* warnings_;
  std::map<std::string, int> known_;  // by what is written
  std::size_t taken_ = 0;             // [bytes]
};

}  // namespace pliant
