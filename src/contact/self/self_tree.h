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
  };
  struct Pair {
    int a, b;  // leaves
  };
  /// Two leaves that can meet, each two once; a leaf can meet itself. Until the next call.
  std::span<const Pair> find_pairs(const Reach& reach);

  /// Some vertices as they go on, as seen from a part: where they come by, how far from it at
  /// least, and how far the two go against each other [m].
  struct Passing {
    Box box;
    double distance;
    double way;
  };
  Passing passing(std::span<const int> vertices, int node) const;

 private:
  using Four = OwnLeaves::Four;
  struct Moving {            // vertices
    Four low, high;          // [m] box, from the origin
    Four way_low, way_high;  // [m] round their ways

    Moving() = default;
    Moving(const Four& place, const Four& way)
        : low(place), high(place), way_low(way), way_high(way) {}
    void add(const Moving& other) {
      low = low.min(other.low), high = high.max(other.high);
      way_low = way_low.min(other.way_low), way_high = way_high.max(other.way_high);
    }
  };
  struct Part {  // of the skin, by node of its tree
    Moving moving;
    int left, leaf;  // see SkinTree::Node
  };
  struct Relative {
    float squared;  // [m^2] distance, while both go on
    Four ways;      // [m] against each other, along each axis at most
    float way() const { return OwnLeaves::length(ways); }
  };
  static Relative relative(const Moving& a, const Moving& b);
  struct Search {
    SkinTree::Open open;
    std::vector<Pair> pairs;  // found

    void clear() {
      open.clear();
      pairs.clear();
    }
  };
  /// `most_squared` [m^2]: nothing reaches further.
  void look_into(int m, int n, const Reach& reach, float most_squared, Search& search) const;

  OwnLeaves::Points points_;
  std::vector<Part> parts_;
  OwnLeaves leaves_;
  OwnPatches patches_;
  double rounding_ = 0;  // [m] of floats

  // Workspaces.
  SkinTree::Open open_;
  std::vector<Pair> pairs_;
  std::vector<Search> searches_;
};

}  // namespace pliant
