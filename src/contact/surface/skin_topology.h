#pragma once

#include <array>
#include <span>
#include <vector>

#include "body/skin.h"

namespace pliant {

/// How a skin's triangles hang together, for contact. Changes only with the skin's revision.
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
  double spread = 1;  // no vertex moves further than this times the furthest node
  int revision = -1;
  int weights_revision = 0;

  void build(const Skin& skin);
  /// `spread` alone, when only weights have changed.
  void measure_spread(const Skin& skin);
  /// Whether it was built for this skin: bodies come and go, and their places change.
  bool is_of(const Skin& skin) const;

  /// see(edge) for the edges of some triangles, each by its first triangle: so none is seen twice
  /// when all parts of a skin are asked.
  template <class See>
  void for_edges_of(std::span<const int> of_triangles, const See& see) const {
    for (const int t : of_triangles)
      for (const int e : edge_of_side[t])
        if (edges[e].face[0] == t) see(e);
  }

 private:
  static constexpr int samples = 16;
  std::array<Vec3, samples> sample_{};  // [m] of its vertices at rest

  static const Vec3& sample(const Skin& skin, int k) {
    return skin.rest[skin.rest.size() * std::size_t(k) / samples];
  }
};

/// Which way a skin creases at an edge, as it is now. Ridges meet other edges: they are convex and
/// sharp, or an open rim. Hollow edges can only be passed through.
enum class Crease : char { flat, ridge, hollow };
Crease crease_at(const Skin& skin, const SkinTopology::Edge& edge);
/// Of every edge, which is quicker than one by one.
struct Creases {
  std::vector<Crease> of_edge;
  std::vector<Vec3> normal;  // per triangle

  void find(const Skin& skin, const SkinTopology& topology);
};

/// Outward unit normals of a skin as it is in `points` (position or previous). They are looked up
/// at few places of a large skin, so nothing is kept.
Vec3 face_normal(const Skin& skin, const std::vector<Vec3>& points, int triangle);
/// Mean of the two faces.
Vec3 edge_normal(const Skin& skin, const SkinTopology& topology, const std::vector<Vec3>& points,
                 int edge);
/// Area-weighted mean of a vertex's faces: quick, tells roughly where it looks.
Vec3 rough_normal(const Skin& skin, const SkinTopology& topology, const std::vector<Vec3>& points,
                  int vertex);
/// Angle-weighted mean: tells inside from outside at a corner.
Vec3 vertex_normal(const Skin& skin, const SkinTopology& topology, const std::vector<Vec3>& points,
                   int vertex);

}  // namespace pliant
