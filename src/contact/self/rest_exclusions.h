#pragma once

#include <vector>

#include "contact/surface/skin_topology.h"
#include "contact/surface/skin_tree.h"
#include "geometry/query/bvh.h"

namespace pliant {

/// Features of a skin that can never touch each other, however it bends, by its shape at rest:
/// - Neighbours: nearer than 1.2 edges, or than the kept gap allows; on one smooth surface nearer
///   than 2.5 edges. No body folds finer than its elements.
/// - Opposite sides of one solid part. Two features are opposite if each lies behind the other's
///   tangent plane and (a) they are closer than R = 3 local thicknesses and the surface between
///   them curves at least like a ball of radius R, or (b) closer than 6 edge lengths with normals
///   that differ (cosine below 0.3). However squeezed, they cannot meet face to face.
/// - Buried features, where a surface overlaps itself: nothing can get there.
/// Of a body in parts only features of different parts can touch, whatever its shape.
class RestExclusions {
 public:
  /// `gap` [m]: what contact keeps between two surfaces of this skin.
  void build(const Skin& skin, const SkinTopology& topology, const SkinTree& tree, double gap);
  int revision() const { return revision_; }

  bool may_touch(const Skin& skin, int vertex, int triangle) const;
  bool may_cross(const Skin& skin, const SkinTopology& topology, int edge, int other) const;
  /// [m] Per vertex, a lower bound of the distance from all triangles that it may touch. The least
  /// of their vertices' bounds holds for two edges that may cross.
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
  void measure_parts(const Skin& skin);
  static bool normals_agree(const Feature& a, const Feature& b);
  static bool is_same_flesh(const Vec3& between, const Vec3& normal, const Vec3& other_normal,
                            double edge, double depth);
  double neighbourhood(double edge, double other_edge) const;

  std::vector<Feature> vertices_, triangles_;
  std::vector<double> apart_;
  double least_ = 0;  // [m] between what may touch
  int revision_ = -1;
};

}  // namespace pliant
