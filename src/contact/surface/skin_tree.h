#pragma once

#include <array>
#include <span>
#include <utility>
#include <vector>

#include "body/skin.h"

namespace pliant {

inline double squared_distance(const Box& a, const Box& b) {
  return (a.low - b.high).cwiseMax(b.low - a.high).cwiseMax(0).squaredNorm();
}

/// Boxes round the triangles of a leaf, side by side, so that a point is compared with all at once.
/// In floats, and therefore a little larger.
struct LeafBoxes {
  static constexpr int most = 8;
  using Numbers = std::array<float, most>;
  std::array<Numbers, 3> low, high;

  /// Returns the box round all of them.
  Box fit(const std::vector<Vec3>& position, std::span<const Triangle> triangles);
  /// Squared distances from a box [m^2], and which of them are at most `furthest`: bit k for the
  /// k-th.
  unsigned in_reach(const Box& box, float furthest, Numbers& squared) const;
  /// Appends, for each of these vertices, which of these boxes (of `triangles`) it has in reach;
  /// `furthest` [m^2].
  struct TriangleInReach {
    int vertex, triangle;
    float distance;  // [m]
  };
  void find(std::span<const int> triangles, const std::vector<Vec3>& position,
            std::span<const int> vertices, float furthest,
            std::vector<TriangleInReach>& found) const;
};

/// A bounding volume tree over the triangles of a skin that moves: built once per revision,
/// refitted before it is searched (van den Bergen 1997).
class SkinTree {
 public:
  using Open = std::vector<std::pair<int, int>>;  // pairs of boxes

  void build(const Skin& skin);
  /// Boxes around the triangles as they are.
  void refit(const Skin& skin);
  /// Of these parts, and of all in them, alone; to be named first.
  void name_part(int part) { named_[part] = any_named_ = true; }
  void refit_named(const Skin& skin);

  bool empty() const { return nodes_.empty(); }

  // Leaves: a few triangles that lie together, numbered from 0. Every vertex belongs to one leaf
  // that has a triangle with it.
  int leaves() const { return int(leaf_.size()); }
  std::span<const int> triangles(int leaf) const {
    const Node& node = nodes_[leaf_[leaf]];
    return {order_.data() + node.begin, std::size_t(node.end - node.begin)};
  }
  std::span<const int> vertices(int leaf) const {
    return {vertices_.data() + vertex_start_[leaf],
            std::size_t(vertex_start_[leaf + 1] - vertex_start_[leaf])};
  }
  const Box& box(int leaf) const { return nodes_[leaf_[leaf]].box; }
  const LeafBoxes& boxes(int leaf) const { return boxes_[leaf]; }  // of its triangles, in order

  // Searches work in `open`, which is the caller's so that several can go on at once.
  /// Calls `found(leaf, leaf of the other)` for leaves of these parts whose boxes come within
  /// `reach` of each other.
  template <class Visit>
  void near(const SkinTree& other, const Open& parts, double reach, Open& open,
            const Visit& found) const {
    open = parts;
    while (!open.empty()) {
      const auto [m, n] = open.back();
      open.pop_back();
      const Node& a = nodes_[m];
      const Node& b = other.nodes_[n];
      if (squared_distance(a.box, b.box) > reach * reach) continue;
      if (a.left >= 0 || b.left >= 0) open_children(m, a, n, b, open);
      else found(a.leaf, b.leaf);
    }
  }
  /// [m] No two boxes of triangles are nearer to each other than this; `most` or more counts as
  /// that.
  double distance(const SkinTree& other, double most, Open& open) const;
  /// All parts of the two that come within `reach` of each other.
  void find_parts(const SkinTree& other, double reach, Open& open, Open& parts) const;
  /// Lower bounds [m], at most `most`, of the distance of each vertex from the other skin's parts,
  /// and of the other's vertices from these.
  struct Clearances {
    std::vector<double> of_vertex;
    std::vector<double> of_part;  // workspace: squared
  };
  void measure_clearances(const SkinTree& other, const Open& parts, double most, const Skin& skin,
                          Clearances& clearances, const Skin& other_skin,
                          Clearances& of_other) const;

  struct Node {
    Box box;
    int left = -1;           // inner: children `left` and `left + 1`; leaf: -1
    int leaf = -1;           // its number
    int begin = 0, end = 0;  // range of its triangles
  };
  /// Children come after their parents.
  std::span<const Node> nodes() const { return nodes_; }
  int node(int leaf) const { return leaf_[leaf]; }
  std::span<const LeafBoxes> boxes() const { return boxes_; }

  /// Of two nodes that are not both leaves, opens the larger.
  static void open_children(int m, const Node& a, int n, const Node& b, Open& open) {
    open_children(m, a, a.left >= 0, n, b, b.left >= 0, open);
  }

 private:
  /// Of two nodes, at least one of which may be opened, opens the larger.
  static void open_children(int m, const Node& a, bool opens_a, int n, const Node& b, bool opens_b,
                            Open& open) {
    if (!opens_a || (opens_b && b.end - b.begin > a.end - a.begin)) {
      open.push_back({m, b.left});
      open.push_back({m, b.left + 1});
    } else {
      open.push_back({a.left, n});
      open.push_back({a.left + 1, n});
    }
  }
  void refit(const Skin& skin, Node& node);
  void forget_named();
  void give_clearances(const Skin& skin, double most, Clearances& clearances) const;

  std::vector<Node> nodes_;                   // children come after their parents
  std::vector<int> order_;                    // triangles, leaf by leaf
  std::vector<Triangle> corners_;             // theirs
  std::vector<int> leaf_;                     // leaf -> node
  std::vector<int> vertex_start_, vertices_;  // leaf -> its vertices
  std::vector<LeafBoxes> boxes_;              // per leaf
  std::vector<char> named_;                   // per node
  bool any_named_ = false;
};

}  // namespace pliant
