#pragma once

#include <cmath>

#include "contact/skin_shape.h"
#include "geometry/query/bvh.h"

namespace pliant {

/// A point of a closed skin and what is around it: which way is out.
struct Surroundings {
  const Skin& skin;
  const SkinShape& shape;
  const SurfacePoint& at;

  bool in_face() const { return zeros() == 0; }

  /// Tells inside from outside: of the face, the edge or the vertex the point lies on.
  Vec3 normal() const {
    const Triangle& t = skin.triangles[at.triangle];
    switch (zeros()) {
      case 0:
        return face_normal(skin, skin.position, at.triangle);
      case 1: {
        int opposite = 0;
        at.share.minCoeff(&opposite);  // the corner that has no share
        return edge_normal(skin, shape, skin.position,
                           shape.edge_of_side[at.triangle][(opposite + 1) % 3]);
      }
      default: {
        int corner = 0;
        at.share.maxCoeff(&corner);
        return vertex_normal(skin, shape, skin.position, t[corner]);
      }
    }
  }

  /// The way a point at `r` from here is to be pushed, or kept: over a face its normal, round edges
  /// and corners the way to the point, unless that is too short or too flat to tell.
  Vec3 outward(const Vec3& r, bool inside) const { return outward(r, inside, normal()); }
  /// Where the normal is known.
  Vec3 outward(const Vec3& r, bool inside, const Vec3& out) const {
    if (in_face()) return out;
    const double length = r.norm();
    if (length < 1e-9) return out;
    const Vec3 way = (inside ? -1 : 1) / length * r;
    return way.dot(out) < grazing ? out : way;
  }

 private:
  static constexpr double grazing = 0.34;  // cosine of 70 degrees

  int zeros() const {
    int count = 0;
    for (int k = 0; k < 3; ++k) count += at.share[k] <= 0 ? 1 : 0;
    return count;
  }
};

/// The normals that an edge of a skin has: from one face's to the other's. An open rim has all that
/// are square to it.
struct Arc {
  Vec3 middle = Vec3::Zero();
  double least = -1;  // cosine from the middle

  Arc(const Skin& skin, const SkinShape::Edge& edge) {
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
