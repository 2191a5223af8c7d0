#pragma once

#include <cmath>

#include "contact/surface/skin_topology.h"
#include "geometry/query/bvh.h"

namespace pliant {

/// The feature of a closed skin that a closest point lies on, and its pseudonormal (Baerentzen and
/// Aanaes 2005): the normal that tells inside from outside.
struct ClosestFeature {
  const Skin& skin;
  const SkinTopology& topology;
  const SurfacePoint& at;

  bool in_face() const { return zeros() == 0; }

  /// Pseudonormal of the face, the edge or the vertex that the point lies on.
  Vec3 normal() const {
    switch (zeros()) {
      case 0:
        return face_normal(skin, skin.position, at.triangle);
      case 1:
        return edge_normal(skin, topology, skin.position, edge());
      default:
        return vertex_normal(skin, topology, skin.position, corner());
    }
  }

  /// Whether offset `r` lies in the Voronoi region of this feature. Always true for a global
  /// closest point; can be false when some triangles were excluded from the search. `out`: the
  /// normal here.
  bool is_below(const Vec3& r, const Vec3& out) const {
    if (in_face()) return true;
    const double height = r.dot(out), least = grazing * r.norm();
    if (height >= least) return true;
    return height <= -least && !leans_aside(r);
  }

  /// The direction in which a point at offset `r` is pushed: over a face its normal, round edges
  /// and corners the direction to the point, unless that is too short or too flat. `out`: the
  /// normal here.
  Vec3 outward(const Vec3& r, bool inside, const Vec3& out) const {
    if (in_face()) return out;
    const double length = r.norm();
    if (length < 1e-9) return out;
    const Vec3 direction = (inside ? -1 : 1) / length * r;
    return direction.dot(out) < grazing ? out : direction;
  }

 private:
  static constexpr double grazing = 0.34;  // cosine of 70 degrees
  static constexpr double leaning = 0.17;  // cosine of 80 degrees

  static bool leans(const Vec3& r, const Vec3& aside) {
    return r.dot(aside) > leaning * r.norm() * aside.norm();
  }
  /// Whether it lies over a neighbour of this edge or corner.
  bool leans_aside(const Vec3& r) const {
    const std::vector<Vec3>& p = skin.position;
    switch (zeros()) {
      case 0:
        return false;
      case 1: {
        const SkinTopology::Edge& side = topology.edges[edge()];
        const int face = side.face[side.face[0] == at.triangle ? 1 : 0];
        if (face < 0) return false;
        const Vec3 &start = p[side.vertex[0]], along = (p[side.vertex[1]] - start).normalized();
        for (const int v : skin.triangles[face]) {
          if (v == side.vertex[0] || v == side.vertex[1]) continue;
          const Vec3 off = p[v] - start;
          if (leans(r, off - off.dot(along) * along)) return true;
        }
        return false;
      }
      default: {
        const int here = corner();
        for (int k = topology.ring_start[here]; k < topology.ring_start[here + 1]; ++k)
          for (const int v : skin.triangles[topology.ring[k]])
            if (v != here && leans(r, p[v] - p[here])) return true;
        return false;
      }
    }
  }

  /// Where the point lies on one.
  int edge() const {
    int opposite = 0;
    at.share.minCoeff(&opposite);  // the corner that has no share
    return topology.edge_of_side[at.triangle][(opposite + 1) % 3];
  }
  int corner() const {
    int most = 0;
    at.share.maxCoeff(&most);
    return skin.triangles[at.triangle][most];
  }
  int zeros() const {
    int count = 0;
    for (int k = 0; k < 3; ++k) count += at.share[k] <= 0 ? 1 : 0;
    return count;
  }
};

/// The arc of normals of an edge, from one face's to the other's (the edge of its Gauss map). An
/// open rim has all directions square to it.
struct NormalArc {
  Vec3 middle = Vec3::Zero();
  double least = -1;  // cosine from the middle

  NormalArc(const Skin& skin, const SkinTopology::Edge& edge) {
    const Vec3 first = face_normal(skin, skin.position, edge.face[0]);
    middle = first;
    if (edge.face[1] < 0) return;
    const Vec3 sum = first + face_normal(skin, skin.position, edge.face[1]);
    const double length = sum.norm();
    if (!(length > 1e-6)) return;  // folded onto itself
    middle = sum / length;
    least = middle.dot(first);
  }
  bool contains(const Vec3& normal, double margin) const {
    return middle.dot(normal) >= least - margin;
  }
};

}  // namespace pliant
