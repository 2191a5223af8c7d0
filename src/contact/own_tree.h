#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "contact/own_leaves.h"
#include "contact/own_patches.h"
#include "contact/skin_shape.h"
#include "contact/skin_tree.h"

namespace pliant {

/// How the parts of one skin lie, look and go on, so that those that can meet each other are found
/// at once: they come near each other, look against each other, are deformed unevenly, and do not
/// lie behind each other like the two sides of a thin part.
class OwnTree {
 public:
  /// Once per revision. `apart` [m]: see OwnPatches.
  void build(const Skin& skin, const SkinTree& tree, const std::vector<double>& apart);
  /// `way` [m]: where each vertex goes from now on. Boxes of the tree must be up to date.
  void fit(const Skin& skin, const SkinTree& tree, const std::vector<Vec3>& way);

  /// When features count as near each other, for how far they go against each other [m].
  struct Reach {
    double thickness;  // [m] of both together
    double near;       // [m] smaller gaps take part always,
    double share;      // and gaps smaller than what twice this share of the ways closes
    double most_way;   // [m] of which more counts as this,
    double slack;      // [m] by how much distances may be other than foreseen

    double of(double way) const {
      return thickness + std::max(near, thickness + 2 * std::min(share * way, most_way)) + slack;
    }
    /// [m] Whatever is further apart does not count, however it moves.
    double most() const { return thickness + std::max(near, thickness + 2 * most_way) + slack; }
    /// [m] What is further behind a face cannot come round to its front.
    double behind(double way) const { return 2 * thickness + (1 + 2 * share) * way + slack; }
  };
  /// Two leaves that can meet, each two once; a leaf can meet itself. Until the next call.
  std::span<const OwnLeaves::Pair> find_pairs(const SkinTree& tree, const Reach& reach);

  /// A box round something whose points go ways that lie in another box [m]. How far its points and
  /// those of a part go against each other, and where to, as seen from the part.
  struct Swept {
    Box box;
    double way;
  };
  Swept swept(const Box& box, const Box& ways, int node) const;

  // What may look against each other until it has turned:
  bool may_face(int vertex, int triangle) const {
    return corners_[vertex].dot(faces_[triangle]) < widest_cosine;
  }
  bool may_face(const SkinShape::Edge& edge, const SkinShape::Edge& other) const;
  /// Whether an edge is open, or so sharp that it must be kept from crossing others: flatter ones
  /// are held by the vertices around, to an eighth of their length or so.
  bool is_ridge(const SkinShape::Edge& edge) const {
    constexpr double sharp = 0.8;  // cosine of 37 degrees between its faces
    return edge.face[1] < 0 || faces_[edge.face[0]].dot(faces_[edge.face[1]]) <= sharp;
  }
  const Vec3& face(int triangle) const { return faces_[triangle]; }

 private:
  using Four = Eigen::Array4f;  // three numbers
  struct Part {                 // of the skin, by node of its tree
    Four low, high;             // [m] box, from the origin
    Four way_low, way_high;     // [m] round the ways of its vertices
    Four axis;                  // normals of its faces and vertices lie in a cone round this
    float angle;                // [rad] no normal is further from the axis
    float cosine, sine;         // of the angle
    float chord;                // from the axis to the furthest
    float longest;              // [m] edge, of a leaf
  };
  struct Relative {
    float squared;  // [m^2] distance, while both go on
    float way;      // [m] against each other
  };
  static const double widest_cosine;

  void fit_normals(const Skin& skin);
  void fit_leaf(const Skin& skin, const SkinTree& tree, int leaf, const std::vector<Vec3>& way,
                Part& part) const;
  static void fit_inner(const Part& a, const Part& b, Part& part);
  static void set_cone(float angle, Part& part);
  OwnLeaves::Pair pair_of(const SkinTree& tree, int leaf, int other, double way,
                          const Reach& reach) const;
  static bool look_same(const Part& a, const Part& b);
  static Relative relative(const Part& a, const Part& b);

  std::vector<Vec3> faces_, corners_;  // unit normals of triangles and vertices
  std::vector<Part> parts_;
  std::vector<Eigen::Vector3f> axes_;  // of leaves
  OwnLeaves leaves_;
  OwnPatches patches_;
  Vec3 origin_ = Vec3::Zero();
  double rounding_ = 0;  // [m] of floats

  // Workspaces.
  SkinTree::Open open_;
  std::vector<OwnLeaves::Pair> pairs_;
};

}  // namespace pliant
