#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "contact/self/affine_culling.h"
#include "contact/self/leaf_corners.h"
#include "contact/surface/skin_tree.h"

namespace pliant {

/// How the parts of one skin lie and go on, so that those that can meet each other are found at
/// once: they come near each other, and are deformed unevenly. Which way they look does not count,
/// as they may turn before they are asked for again.
class SelfTree {
 public:
  /// Once per revision. `apart` [m]: see AffineCulling.
  void build(const Skin& skin, const SkinTree& tree, const std::vector<double>& apart);
  /// `way` [m]: where each vertex goes from now on. Boxes of the tree must be up to date.
  void fit(const Skin& skin, const SkinTree& tree, const std::vector<Vec3>& way);

  /// When features count as near each other, for how far they go against each other [m].
  struct MotionReach {
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
  };
  struct LeafPair {
    int a, b;  // leaves
  };
  /// Two leaves that can meet, each two once; a leaf can meet itself. Until the next call.
  std::span<const LeafPair> find_pairs(const MotionReach& reach);

  /// Some vertices as they go on, as seen from a part: where they come by, how far from it at
  /// least, and how far the two go against each other [m].
  struct Approach {
    Box box;
    double distance;
    double way;
  };
  Approach approach(std::span<const int> vertices, int node) const;

 private:
  using Four = LeafCorners::Four;
  struct MovingBox {         // vertices
    Four low, high;          // [m] box, from the origin
    Four way_low, way_high;  // [m] round their ways

    MovingBox() = default;
    MovingBox(const Four& place, const Four& way)
        : low(place), high(place), way_low(way), way_high(way) {}
    void add(const MovingBox& other) {
      low = low.min(other.low), high = high.max(other.high);
      way_low = way_low.min(other.way_low), way_high = way_high.max(other.way_high);
    }
  };
  struct MovingPart {  // of the skin, by node of its tree
    MovingBox moving;
    int left, leaf;  // see SkinTree::Node
  };
  struct Relative {
    float squared;  // [m^2] distance, while both go on
    Four ways;      // [m] against each other, along each axis at most
    float way() const { return LeafCorners::length(ways); }
  };
  static Relative relative(const MovingBox& a, const MovingBox& b);
  struct Search {
    SkinTree::Open open;
    std::vector<LeafPair> pairs;  // found

    void clear() {
      open.clear();
      pairs.clear();
    }
  };
  /// `most_squared` [m^2]: nothing reaches further.
  void look_into(int m, int n, const MotionReach& reach, float most_squared, Search& search) const;

  LeafCorners::MovingPoints points_;
  std::vector<MovingPart> parts_;
  LeafCorners leaves_;
  AffineCulling patches_;
  double rounding_ = 0;  // [m] of floats

  // Workspaces.
  SkinTree::Open open_;
  std::vector<LeafPair> pairs_;
  std::vector<Search> searches_;
};

}  // namespace pliant
