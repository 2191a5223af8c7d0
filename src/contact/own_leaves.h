#pragma once

#include <array>
#include <span>
#include <vector>

#include "contact/skin_tree.h"

namespace pliant {

/// The leaves of a skin's tree as faces and corners, in floats, so that many pairs of leaves are
/// compared in little time. Where a surface bulges, its leaves lie behind each other's faces
/// however close they are: this passes over nearly all of them.
class OwnLeaves {
 public:
  struct Pair {
    int a, b;      // leaves
    float far;     // [m] corners that are further away from a face do not count,
    float behind;  // [m] nor those that are further behind it
    // Some corner of the other counts; and looks against that face.
    bool before_a = false, before_b = false;
    bool faces_a = false, faces_b = false;
  };

  /// Once per revision.
  void build(const Skin& skin, const SkinTree& tree);
  /// `origin` [m]: near the skin, for the sake of floats.
  void fit(const Skin& skin, const SkinTree& tree, const Vec3& origin,
           const std::vector<Vec3>& faces, const std::vector<Vec3>& corners);
  /// Sets what is before and faces what. `widest`: corners and faces whose normals have a larger
  /// cosine do not look against each other.
  void compare(const SkinTree& tree, std::span<Pair> pairs, double widest) const;

  struct Faces {
    using Numbers = LeafBoxes::Numbers;
    std::array<Numbers, 3> normal;
    Numbers offset;  // of their planes from the origin; empty places have all points behind them
  };
  struct Corner {
    std::array<float, 3> point, normal;  // the first from the origin
  };
  struct View {              // of all that is compared
    const Faces* faces;      // per leaf,
    const LeafBoxes* boxes;  // likewise
    const int* start;        // leaf -> corners
    const Corner* corners;
    std::array<float, 3> origin;
  };

  /// Of a leaf's triangles, each once: their vertices, and as they are.
  std::span<const int> vertices(int leaf) const { return of(leaf, vertex_); }
  std::span<const Corner> corners(int leaf) const { return of(leaf, corners_); }
  int first(int leaf) const { return start_[leaf]; }  // corner, where all are in one row

 private:
  template <class What>
  std::span<const What> of(int leaf, const std::vector<What>& all) const {
    return {all.data() + start_[leaf], std::size_t(start_[leaf + 1] - start_[leaf])};
  }

  Vec3 origin_ = Vec3::Zero();
  std::vector<Faces> faces_;         // per leaf
  std::vector<int> start_, vertex_;  // leaf -> corners of its triangles, each once
  std::vector<Corner> corners_;      // as vertex_
};

}  // namespace pliant
