#pragma once

#include <Eigen/Core>
#include <vector>

#include "contact/self/leaf_corners.h"
#include "contact/surface/skin_tree.h"

namespace pliant {

/// How each part of a skin is stretched and turned as a whole. What may touch is some way apart at
/// rest, and stays apart within a part that is deformed evenly, however far it has turned: all of
/// it is where one linear map puts it, give or take a little, and the map shortens nothing to less
/// than a known share.
class AffineCulling {
 public:
  /// Once per revision. `apart` [m]: how far each vertex is at rest from all that it may touch, at
  /// least.
  void build(const Skin& skin, const SkinTree& tree, const LeafCorners& leaves,
             const std::vector<double>& apart);
  /// As points will be halfway: so none is further from there than half of its way.
  void fit(const Skin& skin, const SkinTree& tree, const LeafCorners& leaves,
           const LeafCorners::MovingPoints& points);

  /// [m] How far what may touch within a part, or between two, is from each other, at least; may be
  /// negative. By node of the tree. What is known at once to be more than `enough` is not made any
  /// better.
  float distance(int node) const;
  float distance(int node, int other, float enough) const;

 private:
  // Of what moves: three numbers and a zero, and three columns of these, as they are quicker.
  using Vector = Eigen::Vector4f;
  using Matrix = Eigen::Matrix<float, 4, 3>;
  struct RestPart {
    Eigen::Vector3f centre;   // [m] of its corners, as of all lengths here
    Eigen::Matrix3f moments;  // [m^2] how its corners spread round the centre, and a little across
    Eigen::Matrix3f inverse;  // of the same; 0 where it has none
    Eigen::Vector3f normal;   // of its leaves, about
    float count = 0;
    float across = 0;  // [m^2] how much across a leaf
    float radius = 0;  // [m]
    float height = 0;  // [m] nothing is further from the centre along the normal
    float apart = 0;   // [m] the least of its vertices
  };
  struct DeformedPart {  // what is asked for of many pairs lies together
    Vector centre;
    Matrix map;                   // from rest, round the centres
    float off = 0;                // [m] no corner is further from where the map puts it
    float least = 0;              // no length is mapped to a smaller share of it
    Eigen::Vector3f rest_centre;  // as at rest,
    Eigen::Vector3f normal;       // likewise
    float radius = 0, height = 0, apart = 0;
  };
  template <class Extent>  // a part, or as it is at rest
  static float off_by(const Matrix& change, const Extent& of);
  static float least_share(const Matrix& map);
  void set_map(int node);
  void fit_leaf(const Skin& skin, const SkinTree& tree, const LeafCorners& leaves,
                const LeafCorners::MovingPoints& points, int leaf);
  void fit_inner(int node, int left);

  std::vector<Eigen::Vector3f> at_rest_;  // [m] all corners, from the centres of their leaves
  // Per node.
  std::vector<RestPart> rest_;
  std::vector<DeformedPart> parts_;
  std::vector<Matrix> moments_;  // [m^2] of corners with where they were at rest
};

}  // namespace pliant
