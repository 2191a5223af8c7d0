#pragma once

#include <span>
#include <utility>
#include <vector>

#include "body/skin.h"

namespace pliant {

inline double squared_distance(const Box& a, const Box& b) {
  return (a.low - b.high).cwiseMax(b.low - a.high).cwiseMax(0).squaredNorm();
}

/// A tree of boxes over the triangles of a skin that moves: built once per revision, its boxes
/// fitted again once per step. Each box also knows how far the normals in it spread, so that a part
/// of a skin that cannot meet a point of its own body is passed over at once.
class SkinTree {
 public:
  void build(const Skin& skin);
  /// Boxes around the triangles as they are; `normals`: also how these look.
  void refit(const Skin& skin, bool normals);

  const Box& box() const { return nodes_[0].box; }
  bool empty() const { return nodes_.empty(); }

  /// Calls `found(triangle)` for the triangles in leaves that come within `reach` of the point,
  /// near ones early; `found` may make the reach smaller.
  template <class Found>
  void near(const Vec3& p, const double& reach, const Found& found) const {
    visit(p, reach, nullptr, found);
  }
  /// The same, without triangles whose normals all lie within 101 degrees of `normal`: a
  /// surface meets only parts of itself that look the other way.
  template <class Found>
  void near_facing(const Vec3& p, const Vec3& normal, const double& reach,
                   const Found& found) const {
    visit(p, reach, &normal, found);
  }

  // Leaves: a few triangles that lie together, numbered from 0. Every vertex belongs to one leaf
  // that has a triangle with it.
  int leaves() const { return int(leaf_.size()); }
  const Box& leaf_box(int leaf) const { return nodes_[leaf_[leaf]].box; }
  std::span<const int> leaf_triangles(int leaf) const {
    const Node& node = nodes_[leaf_[leaf]];
    return {order_.data() + node.begin, std::size_t(node.end - node.begin)};
  }
  std::span<const int> leaf_vertices(int leaf) const {
    return {vertices_.data() + vertex_start_[leaf],
            std::size_t(vertex_start_[leaf + 1] - vertex_start_[leaf])};
  }

  /// Calls `found(leaf, leaf of the other)` for leaves whose boxes come within `reach` of each
  /// other.
  template <class Found>
  void near(const SkinTree& other, double reach, const Found& found) const {
    if (nodes_.empty() || other.nodes_.empty()) return;
    open_.assign(1, {0, 0});
    while (!open_.empty()) {
      const auto [m, n] = open_.back();
      open_.pop_back();
      const Node& a = nodes_[m];
      const Node& b = other.nodes_[n];
      if (squared_distance(a.box, b.box) > reach * reach) continue;
      if (a.left < 0 && b.left < 0) found(a.leaf, b.leaf);
      else if (a.left < 0 || (b.left >= 0 && b.end - b.begin > a.end - a.begin)) {
        open_.push_back({m, b.left});
        open_.push_back({m, b.left + 1});
      } else {
        open_.push_back({a.left, n});
        open_.push_back({a.left + 1, n});
      }
    }
  }

  /// Calls `mark(triangle)` for every triangle in a leaf whose box comes within `reach` of another
  /// leaf's that does not look the same way.
  template <class Mark>
  void near_itself(double reach, const Mark& mark) const {
    if (nodes_.empty()) return;
    marked_.assign(nodes_.size(), 0);
    open_.assign(1, {0, 0});
    const auto mark_leaf = [&](int leaf) {
      if (marked_[leaf]) return;
      marked_[leaf] = 1;
      for (int k = nodes_[leaf].begin; k < nodes_[leaf].end; ++k) mark(order_[k]);
    };
    while (!open_.empty()) {
      const auto [m, n] = open_.back();
      open_.pop_back();
      const Node& a = nodes_[m];
      const Node& b = nodes_[n];
      if (m == n) {
        if (a.left < 0) continue;
        open_.push_back({a.left, a.left});
        open_.push_back({a.left + 1, a.left + 1});
        open_.push_back({a.left, a.left + 1});
        continue;
      }
      if (squared_distance(a.box, b.box) > reach * reach || look_same(cones_[m], cones_[n]))
        continue;
      if (a.left < 0 && b.left < 0) {
        mark_leaf(m);
        mark_leaf(n);
      } else if (a.left < 0 || (b.left >= 0 && b.end - b.begin > a.end - a.begin)) {
        open_.push_back({m, b.left});
        open_.push_back({m, b.left + 1});
      } else {
        open_.push_back({a.left, n});
        open_.push_back({a.left + 1, n});
      }
    }
  }

 private:
  struct Node {
    Box box;
    int left = -1;           // inner: children `left` and `left + 1`; leaf: -1
    int leaf = -1;           // its number
    int begin = 0, end = 0;  // range in order_
  };
  struct Cone {  // of the normals below a node
    Vec3 axis = Vec3::UnitY();
    double angle = 0;     // [rad] no normal is further from the axis
    double same_way = 2;  // the cosine from which on a normal looks the same way as all of them
  };

  template <class Found>
  void visit(const Vec3& p, const double& reach, const Vec3* normal, const Found& found) const {
    if (nodes_.empty()) return;
    struct Open {
      int node;
      double squared;
    };
    Open stack[64];
    int size = 0;
    stack[size++] = {0, nodes_[0].box.squared_distance(p)};
    while (size > 0) {
      const auto [index, squared] = stack[--size];
      if (squared > reach * reach) continue;
      if (normal && cones_[index].axis.dot(*normal) > cones_[index].same_way) continue;
      const Node& node = nodes_[index];
      if (node.left < 0) {
        for (int k = node.begin; k < node.end; ++k) found(order_[k]);
        continue;
      }
      Open first{node.left, nodes_[node.left].box.squared_distance(p)};
      Open second{node.left + 1, nodes_[node.left + 1].box.squared_distance(p)};
      if (second.squared < first.squared) std::swap(first, second);
      stack[size++] = second;
      stack[size++] = first;
    }
  }

  static bool look_same(const Cone& a, const Cone& b);
  void fit_cones(const Skin& skin);

  std::vector<Node> nodes_;  // children come after their parents
  std::vector<Cone> cones_;
  std::vector<int> order_;                    // triangles, leaf by leaf
  std::vector<int> leaf_;                     // leaf -> node
  std::vector<int> vertex_start_, vertices_;  // leaf -> its vertices

  // Workspaces.
  mutable std::vector<char> marked_;
  mutable std::vector<std::pair<int, int>> open_;
};

}  // namespace pliant
