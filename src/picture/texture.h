#pragma once

#include <vector>

#include "picture/image.h"

namespace pliant {

/// An image that covers a surface again and again, at any size without flicker: a pyramid of it,
/// each level half as large as the one below (Williams 1983).
class Texture {
 public:
  explicit Texture(Image image);

  /// Linear RGB at (u, v), v upwards, as seen by a pixel that covers `footprint` of the whole image
  /// in each direction.
  Eigen::Vector3f at(const Eigen::Vector2f& uv, float footprint) const;
  Eigen::Vector3f mean() const;
  int size() const;  // larger side [texels]

 private:
  std::vector<Image> levels_;
};

/// What the triangles of a mesh are painted with. It stays as long as pictures of it are made.
struct ShotPaint {
  struct Kind {
    Eigen::Vector3f color = Eigen::Vector3f::Ones();  // linear; multiplies the texture
    const Texture* texture = nullptr;
  };
  std::vector<Kind> kinds;
  std::vector<int> kind;               // per triangle; -1 = the mesh's color. Empty: all -1
  std::vector<Eigen::Vector2f> uv;     // three per triangle; empty = no textures
  std::vector<Eigen::Vector3f> color;  // linear, three per triangle; empty = none
  int revision = 0;                    // grows when any of it changes
};

}  // namespace pliant
