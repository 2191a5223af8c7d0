#pragma once

#include <Eigen/Core>
#include <cmath>
#include <span>
#include <vector>

#include "contact/surface/skin_tree.h"

namespace pliant {

/// The corners of each leaf of a skin's tree side by side, in floats, for what looks at all of them
/// in a row.
class LeafCorners {
 public:
  using Four = Eigen::Array4f;  // three numbers and a zero: as quick as one
  static Four four(const Vec3& v) { return {float(v.x()), float(v.y()), float(v.z()), 0.0f}; }
  static Four cross(const Four& a, const Four& b) {
    return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0], 0.0f};
  }
  static float length(const Four& v) { return std::sqrt((v * v).sum()); }
  /// Zero where there is none.
  static Four unit(const Four& v) {
    const float size = length(v);
    return size > 0 ? Four(v / size) : v;
  }

  /// Of a skin, as it is now.
  struct MovingPoints {
    Vec3 origin = Vec3::Zero();  // [m] near the skin, for the sake of floats
    std::vector<Four> place;     // [m] of vertices, from the origin
    std::vector<Four> way;       // [m] and where they go from there

    /// `way` [m]: of each vertex.
    void fit(const Skin& skin, const Vec3& near_by, const std::vector<Vec3>& way);
  };
  struct Corner {
    Four place, way;
  };

  /// Once per revision.
  void build(const Skin& skin, const SkinTree& tree);
  void fit(const MovingPoints& points);

  /// Of a leaf's triangles, each once: their vertices, and as they are.
  std::span<const int> vertices(int leaf) const { return of(leaf, vertex_); }
  std::span<const Corner> corners(int leaf) const { return of(leaf, corners_); }
  int first(int leaf) const { return start_[leaf]; }  // corner, where all are in one row

 private:
  template <class What>
  std::span<const What> of(int leaf, const std::vector<What>& all) const {
    return {all.data() + start_[leaf], std::size_t(start_[leaf + 1] - start_[leaf])};
  }

  std::vector<int> start_, vertex_;  // leaf -> corners of its triangles, each once
  std::vector<Corner> corners_;      // as vertex_
};

}  // namespace pliant
