#pragma once

#include <vector>

#include "geometry/mesh/triangle_mesh.h"

namespace pliant {

/// Nearest point of a surface.
struct SurfacePoint {
  int triangle = -1;  // -1 = nothing within reach
  Vec3 point = Vec3::Zero();
  Vec3 share = Vec3::Zero();  // barycentric, per corner
  double distance = 0;
};

/// Of the triangle a b c; its number is left to the caller.
SurfacePoint closest_on_triangle(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c);
SurfacePoint closest_on_triangle(const Vec3& p, const TriangleMesh& mesh, int triangle);
/// The judge of Bvh::closest_point: looks at every triangle. Ties go to the lower triangle.
SurfacePoint closest_point_brute_force(const TriangleMesh& mesh, const Vec3& p, double reach);

/// A tree of boxes over triangles, for questions about a surface that stands still. Keeps no
/// reference to the mesh: pass the same one to each question.
class Bvh {
 public:
  explicit Bvh(const TriangleMesh& mesh);

  /// Closest point within `reach`. Same answer as brute force.
  SurfacePoint closest_point(const TriangleMesh& mesh, const Vec3& p,
                             double reach = std::numeric_limits<double>::infinity()) const;

  /// Appends every triangle whose box overlaps `box`, in rising order.
  void triangles_in(const Box& box, std::vector<int>& found) const;

  struct Node {
    Box box;
    int left = -1;  // inner: children `left` and `left + 1`; leaf: -1
    int begin = 0;  // leaf: range in order()
    int end = 0;
  };
  const std::vector<Node>& nodes() const { return nodes_; }
  const std::vector<int>& order() const { return order_; }

  /// Calls look(leaf) for the leaves that are reached through boxes of which may_enter(box) is
  /// true, in their order. What that says may change on the way.
  template <class MayEnter, class Look>
  void visit(const MayEnter& may_enter, const Look& look) const {
    if (order_.empty()) return;
    int stack[64];  // halving 2^31 triangles is 31 levels, one waiting on each
    int size = 0;
    stack[size++] = 0;
    while (size > 0) {
      const Node& node = nodes_[stack[--size]];
      if (!may_enter(node.box)) continue;
      if (node.left < 0) {
        look(node);
        continue;
      }
      stack[size++] = node.left + 1;
      stack[size++] = node.left;
    }
  }

 private:
  std::vector<Node> nodes_;
  std::vector<int> order_;  // triangles, leaf by leaf
  std::vector<Box> boxes_;  // of the triangles in that order
};

}  // namespace pliant
