#pragma once

#include <vector>

#include "body/skin.h"

namespace pliant {

/// A tree of boxes over the triangles of a skin that moves: built once per revision, its boxes
/// fitted again once per step. Each box also knows how far the normals in it spread, so that a part
/// of a skin that cannot meet a point of its own body is passed over at once.
class SkinTree {
 public:
  void build(const Skin& skin);
  void refit(const Skin& skin);

  const Box& box() const { return nodes_[0].box; }
  bool empty() const { return nodes_.empty(); }

  /// Calls `found(triangle)` for every triangle whose box comes within `reach` of the point.
  template <class Found>
  void near(const Vec3& p, double reach, const Found& found) const {
    visit(p, reach, nullptr, found);
  }
  /// The same, without triangles whose normals all lie within 78 degrees of `normal`: a surface
  /// does not meet a part of itself that looks the same way.
  template <class Found>
  void near_facing(const Vec3& p, const Vec3& normal, double reach, const Found& found) const {
    visit(p, reach, &normal, found);
  }

 private:
  struct Node {
    Box box;
    Vec3 axis = Vec3::UnitY();  // of the normals
    double angle = 0;           // [rad] no normal is further from the axis
    int left = -1;              // inner: children `left` and `left + 1`; leaf: -1
    int begin = 0, end = 0;     // leaf: range in order_
  };
  static constexpr double same_way = 1.36;  // [rad] 78 degrees: cosine 0.2

  template <class Found>
  void visit(const Vec3& p, double reach, const Vec3* normal, const Found& found) const {
    if (nodes_.empty()) return;
    int stack[64];
    int size = 0;
    stack[size++] = 0;
    const double reach2 = reach * reach;
    while (size > 0) {
      const Node& node = nodes_[stack[--size]];
      const Vec3 away = (node.box.low - p).cwiseMax(p - node.box.high).cwiseMax(0);
      if (away.squaredNorm() > reach2) continue;
      if (normal && node.angle < same_way &&
          std::acos(std::clamp(node.axis.dot(*normal), -1.0, 1.0)) + node.angle < same_way)
        continue;
      if (node.left >= 0) {
        stack[size++] = node.left + 1;
        stack[size++] = node.left;
        continue;
      }
      for (int k = node.begin; k < node.end; ++k) found(order_[k]);
    }
  }

  std::vector<Node> nodes_;   // children come after their parents
  std::vector<int> order_;    // triangles, leaf by leaf
  std::vector<Vec3> normal_;  // workspace: per triangle
};

}  // namespace pliant
