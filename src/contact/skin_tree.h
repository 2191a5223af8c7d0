#pragma once

#include <utility>
#include <vector>

#include "body/skin.h"

namespace pliant {

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

  /// Calls `found(triangle)` for the triangles whose boxes come within `reach` of the point, near
  /// ones early; `found` may make the reach smaller.
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

  /// Calls `mark(triangle)` for every triangle in a leaf whose box comes within `reach` of one of
  /// the other's leaves.
  template <class Mark>
  void near(const SkinTree& other, double reach, const Mark& mark) const {
    meet(other, reach, false, mark);
  }
  /// The same with its own leaves, without those that look the same way, and without itself.
  template <class Mark>
  void near_itself(double reach, const Mark& mark) const {
    meet(*this, reach, true, mark);
  }

 private:
  struct Node {
    Box box;
    int left = -1;           // inner: children `left` and `left + 1`; leaf: -1
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

  template <class Mark>
  void meet(const SkinTree& other, double reach, bool self, const Mark& mark) const {
    if (nodes_.empty() || other.nodes_.empty()) return;
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
      const Node& b = other.nodes_[n];
      if (self && m == n) {
        if (a.left < 0) continue;
        open_.push_back({a.left, a.left});
        open_.push_back({a.left + 1, a.left + 1});
        open_.push_back({a.left, a.left + 1});
        continue;
      }
      if (!self && marked_[m]) continue;
      Box grown = a.box;
      grown.grow(reach);
      if (!grown.overlaps(b.box)) continue;
      if (self && look_same(cones_[m], cones_[n])) continue;
      if (a.left < 0 && b.left < 0) {
        mark_leaf(m);
        if (self) mark_leaf(n);
      } else if (a.left < 0 || (b.left >= 0 && b.end - b.begin > a.end - a.begin)) {
        open_.push_back({m, b.left});
        open_.push_back({m, b.left + 1});
      } else {
        open_.push_back({a.left, n});
        open_.push_back({a.left + 1, n});
      }
    }
  }

  static bool look_same(const Cone& a, const Cone& b);
  void fit_cones(const Skin& skin);

  std::vector<Node> nodes_;  // children come after their parents
  std::vector<Cone> cones_;
  std::vector<int> order_;  // triangles, leaf by leaf

  // Workspaces.
  mutable std::vector<char> marked_;
  mutable std::vector<std::pair<int, int>> open_;
};

}  // namespace pliant
