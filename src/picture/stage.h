#pragma once

#include <cmath>
#include <vector>

#include "picture/box_set.h"
#include "picture/light.h"
#include "picture/ray_scene.h"
#include "picture/render.h"

namespace pliant {

/// Directions through the pixels of a picture.
struct View {
  View(const Camera& camera, int width, int height);

  Eigen::Vector3f eye;
  Eigen::Vector3f corner;       // direction through the upper left corner of the picture
  Eigen::Vector3f right, down;  // its change per pixel
  float down_size;              // length of `down`
  float distance;               // from the eye to what it looks at [m]
  int width, height;

  Eigen::Vector3f direction(float x, float y) const { return corner + x * right + y * down; }
  float pixel_size(float depth) const { return depth * down_size; }  // [m] at unit-depth distance
};

/// What a ray of the eye meets.
struct Surface {
  static constexpr int nothing = -1;
  int what = nothing;  // a mesh's index; plane k is -2 - k
  float depth = 0;     // along the view's direction
  Eigen::Vector3f position = Eigen::Vector3f::Zero();
  Eigen::Vector3f start = Eigen::Vector3f::Zero();   // where rays towards light leave
  Eigen::Vector3f normal = Eigen::Vector3f::Zero();  // towards the eye
  Eigen::Vector3f color = Eigen::Vector3f::Zero();   // linear
  float ground = 0;  // of planes: change of the picture's colors with distance, 1 near, 0 where the
                     // ground has become background

  bool is_plane() const { return what < nothing; }
  int plane() const { return -2 - what; }
  static int of_plane(int plane) { return -2 - plane; }
  bool operator==(const Surface& other) const {
    return what == other.what && depth == other.depth && position == other.position &&
           start == other.start && normal == other.normal && color == other.color;
  }
};

/// The shot, prepared for questions by rays.
class Stage {
 public:
  void build(const Shot& shot);

  const RayScene& rays() const { return rays_; }
  const BoxSet& boxes() const { return boxes_; }
  int planes() const { return int(planes_.size()); }
  const Eigen::Vector3f& plane_normal(int plane) const { return planes_[plane].normal; }

  /// The nearer of a mesh hit and the planes, for an eye ray through pixel place (x, y).
  Surface surface(const View& view, float x, float y, const RayHit& hit) const;

  /// What a ray that left a surface brings back from all but the key light.
  Eigen::Vector3f arriving(const Light& light, const Ray& ray, const RayHit& hit) const;

 private:
  struct Mesh {
    ShotMesh source;
    std::vector<Eigen::Vector3f> normals;  // three per triangle
    std::vector<Eigen::Vector3f> colors;   // the color map, or one
    Eigen::Vector3f mean_color;
  };
  struct Plane {
    Eigen::Vector3f point, normal, u, v;  // u, v: directions of the grid lines
    Eigen::Vector3f lit;                  // its own light when nothing is in the way
  };

  void take_mesh(const Mesh& mesh, const View& view, const Ray& ray, const RayHit& hit,
                 Surface& surface) const;
  Eigen::Vector3f grid(const Plane& plane, const View& view, const Eigen::Vector3f& direction,
                       const Eigen::Vector3f& place) const;

  RayScene rays_;
  BoxSet boxes_;
  std::vector<Mesh> meshes_;
  std::vector<Plane> planes_;
  Eigen::Vector3f ground_;  // linear
  float spacing_ = 1;       // of the grid [m]
  float size_ = 1;          // of what is seen [m]
};

}  // namespace pliant
