#pragma once

#include <vector>

#include "contact/surface/skin_topology.h"
#include "contact/surface/skin_tree.h"
#include "geometry/query/bvh.h"

namespace pliant {

/// Which features of a skin never touch each other, however it creases. Its shape at rest tells:
/// - neighbours, nearer than an edge and a fifth of one, or than the gap that contact keeps allows,
///   and on one smooth surface nearer than two and a half: no body folds finer than its elements;
/// - the two sides of one piece of flesh: each lies behind the other, not much further away than it
///   is thick and as much behind as on a ball not much larger than that, or no further away than it
///   could roll up with its few edges; squeezed as it may be, they cannot meet face to face;
/// - what is buried where a surface overlaps itself: nothing can get there.
class RestExclusions {
 public:
  /// `gap` [m]: what contact keeps between two surfaces of this skin.
  void build(const Skin& skin, const SkinTopology& topology, const SkinTree& tree, double gap);
  int revision() const { return revision_; }

  bool may_touch(const Skin& skin, int vertex, int triangle) const;
  bool may_cross(const Skin& skin, const SkinTopology& topology, int edge, int other) const;
  /// [m] How far each vertex is from all that it may touch, at least; no edge is nearer to one that
  /// it may cross than the least of their vertices is to what these may touch.
  const std::vector<double>& apart() const { return apart_; }

 private:
  struct Feature {  // a vertex or a triangle
    Vec3 normal = Vec3::UnitY();
    double edge = 0;   // [m] the longest here
    double depth = 0;  // [m] how thick the flesh is behind it; 0 = not known
    bool buried = false;
  };
  void measure_depth(const TriangleMesh& mesh, const Bvh& bvh, const SkinTree& tree);
  void find_buried(const TriangleMesh& mesh, const Bvh& bvh, const SkinTree& tree, bool closed);
  void measure_apart(const Skin& skin, const SkinTree& tree, const Bvh& bvh);
  static bool look_same_way(const Feature& a, const Feature& b);
  static bool is_same_flesh(const Vec3& between, const Vec3& normal, const Vec3& other_normal,
                            double edge, double depth);
  double neighbourhood(double edge, double other_edge) const;

  std::vector<Feature> vertices_, triangles_;
  std::vector<double> apart_;
  double least_ = 0;  // [m] between what may touch
  int revision_ = -1;
};

}  // namespace pliant
