#pragma once

#include <array>
#include <span>
#include <vector>

#include "body/skin.h"

namespace pliant {

/// Edges, rings and measures of a skin. Changes only with the skin's revision.
struct SkinTopology {
  struct Edge {
    std::array<int, 2> vertex{};
    std::array<int, 2> face{-1, -1};  // -1 = an open edge
  };
  std::vector<Edge> edges;
  std::vector<std::array<int, 3>> edge_of_side;  // triangle, side k (corner k to k + 1) -> edge
  std::vector<int> ring_start, ring;             // vertex -> its triangles
  bool closed = false;                           // no open edge, all triangles agree about outside
  double longest_edge = 0, mean_edge = 0;        // [m] at rest
  double weight_norm = 1;  // largest sum of absolute weights: no vertex moves further than this
                           // times the furthest node
  int revision = -1;
  int weights_revision = 0;

  void build(const Skin& skin);
  /// `weight_norm` alone, when only weights have changed.
  void measure_weight_norm(const Skin& skin);
  /// Whether it fits a skin of the same body.
  bool is_of(const Skin& skin) const;

  /// see(edge) for the edges of some triangles, each by its first triangle: so none is seen twice
  /// when all parts of a skin are asked.
  template <class See>
  void for_edges_of(std::span<const int> of_triangles, const See& see) const {
    for (const int t : of_triangles)
      for (const int e : edge_of_side[t])
        if (edges[e].face[0] == t) see(e);
  }
};

/// How a skin is bent at an edge, as it is now. Ridges, which are convex and sharp or an open rim,
/// can touch other edges. Hollow edges can only be passed through.
enum class Crease : char { flat, ridge, hollow };
Crease crease_at(const Skin& skin, const SkinTopology::Edge& edge);
/// The creases of all edges, quicker than one by one.
struct Creases {
  std::vector<Crease> of_edge;
  std::vector<Vec3> normal;  // per triangle

  void find(const Skin& skin, const SkinTopology& topology);
};

/// Outward unit normals of a skin as it is in `points` (position or previous). Needed at few places
/// of a large skin, so nothing is stored.
Vec3 face_normal(const Skin& skin, const std::vector<Vec3>& points, int triangle);
/// Mean of the two faces.
Vec3 edge_normal(const Skin& skin, const SkinTopology& topology, const std::vector<Vec3>& points,
                 int edge);
/// Area-weighted mean of a vertex's faces: quick and rough.
Vec3 rough_normal(const Skin& skin, const SkinTopology& topology, const std::vector<Vec3>& points,
                  int vertex);
/// Angle-weighted mean, the pseudonormal of a corner (Thuermer and Wuethrich 1998): tells inside
/// from outside.
Vec3 vertex_normal(const Skin& skin, const SkinTopology& topology, const std::vector<Vec3>& points,
                   int vertex);

}  // namespace pliant
