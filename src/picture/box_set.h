#pragma once

#include <Eigen/Geometry>
#include <cmath>
#include <span>
#include <vector>

#include "math/types.h"

namespace pliant {

/// Boxes around meshes and around their parts: tells cheaply that a ray meets none of them.
class BoxSet {
 public:
  /// Parts a mesh is cut into along each axis: more follow its shape more closely and cost a test
  /// each.
  explicit BoxSet(int cuts = 3) : cuts_(cuts) {}

  void clear();

  /// Begins a mesh; add() then belongs to it. `bounds` holds all that will be added.
  void begin_mesh(const Eigen::AlignedBox3f& bounds);
  void add(std::span<const Eigen::Vector3f> points, std::span<const Triangle> triangles);
  void end_mesh();

  bool empty() const { return meshes_.empty(); }

  /// Whether a ray from some point of the box may meet a triangle. Never false when one does;
  /// seldom true when none does. The ray's direction is given as inverse_of() it.
  bool may_meet(const Eigen::AlignedBox3f& from, const Eigen::Vector3f& inverse) const;

  template <class Work>
  void for_each_part(const Work& work) const {
    for (const Mesh& mesh : meshes_)
      for (const Eigen::AlignedBox3f& part : mesh.parts) work(part);
  }

 private:
  struct Mesh {
    Eigen::AlignedBox3f whole;
    std::vector<Eigen::AlignedBox3f> parts;
  };
  int cuts_;
  std::vector<Mesh> meshes_;
  Eigen::AlignedBox3f all_;
};

/// One over each component, and a large number where that is 0.
inline Eigen::Vector3f inverse_of(const Eigen::Vector3f& direction) {
  return direction.unaryExpr([](float d) { return 1 / (std::abs(d) > 1e-12f ? d : 1e-12f); });
}

/// Of the finite points.
Eigen::AlignedBox3f bounds_of(std::span<const Eigen::Vector3f> points);

}  // namespace pliant
