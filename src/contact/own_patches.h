#pragma once

#include <Eigen/Core>
#include <vector>

#include "contact/own_leaves.h"
#include "contact/skin_tree.h"

namespace pliant {

/// How each part of a skin is stretched and turned as a whole. What may touch is some way apart at
/// rest, and stays apart within a part that is deformed evenly, however far it has turned: all of
/// it is where one linear map puts it, give or take a little, and the map shortens nothing to less
/// than a known share.
class OwnPatches {
 public:
  /// Once per revision. `apart` [m]: how far each vertex is at rest from all that it may touch, at
  /// least.
  void build(const Skin& skin, const SkinTree& tree, const OwnLeaves& leaves,
             const std::vector<double>& apart);
  /// `normals`: of leaves, about.
  using Vector = Eigen::Vector3f;
  void fit(const SkinTree& tree, const OwnLeaves& leaves, const std::vector<Vector>& normals);

  /// [m] How far what may touch within a part, or between two, is from each other, at least; may be
  /// negative. By node of the tree.
  float distance(int node) const;
  float distance(int node, int other) const;

 private:
  using Matrix = Eigen::Matrix3f;
  struct Rest {
    Vector centre;   // [m] of its corners, as of all lengths here
    Matrix moments;  // [m^2] how its corners spread round the centre, and a little across it
    Matrix inverse;  // of the same; 0 where it has none
    Vector normal;   // of its leaves, about
    float count = 0;
    float across = 0;  // [m^2] how much across a leaf
    float radius = 0;  // [m]
    float height = 0;  // [m] nothing is further from the centre along the normal
    float apart = 0;   // [m] the least of its vertices
  };
  struct Now {
    Vector centre;
    Matrix moments;   // [m^2] of corners with where they were at rest
    Matrix map;       // from rest, round the centres
    float off = 0;    // [m] no corner is further from where the map puts it
    float least = 0;  // no length is mapped to a smaller share of it
  };
  static float off_by(const Matrix& change, const Rest& rest);
  static void set_map(const Rest& rest, Now& now);
  void fit_leaf(const OwnLeaves& leaves, int leaf, const Vector& normal, const Rest& rest,
                Now& now) const;
  void fit_inner(int node, int left);

  std::vector<Vector> at_rest_;  // [m] all corners, from the centres of their leaves
  std::vector<Rest> rest_;       // per node
  std::vector<Now> now_;
};

}  // namespace pliant
