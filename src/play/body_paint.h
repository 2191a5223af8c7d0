#pragma once

#include <optional>
#include <utility>

#include "picture/texture.h"
#include "play/recording.h"

namespace pliant {

/// The colors and images of a model's file on the triangles of the body made of it, wherever these
/// have come from.
class BodyPaint {
 public:
  /// Takes a frame of one body. Null: it has no paint. Images that cannot be used are told once.
  const ShotPaint* show(const RecordedBody& body);
  std::vector<std::string> take_warnings() { return std::exchange(warnings_, {}); }

 private:
  void load_images(const RecordedBody& body);

  int topology_ = -1;
  std::optional<TracedFaces> traced_;
  std::vector<std::optional<Texture>> textures_;  // per image
  std::vector<std::string> warnings_;
  ShotPaint paint_;
};

}  // namespace pliant
