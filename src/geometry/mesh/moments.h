#pragma once

#include <array>

#include "geometry/mesh/triangle_mesh.h"

namespace pliant {

/// How matter is spread: what there is of it, and where. With a density of one, of a volume.
struct Moments {
  double mass = 0;             // [kg], or [m^3]
  Vec3 first = Vec3::Zero();   // integral of x
  Mat3 second = Mat3::Zero();  // integral of x x^T

  void add(const Moments& other, double density = 1);

  Vec3 centre() const { return first / mass; }
  /// Second moments about the centre, integral of (x - c)(x - c)^T.
  Mat3 spread() const { return second - mass * centre() * centre().transpose(); }
};

/// Inertia tensor of a spread: trace(spread) - spread.
inline Mat3 inertia_of(const Mat3& spread) { return spread.trace() * Mat3::Identity() - spread; }

/// Of a tet, about the origin; negative when its corners go the other way round.
Moments moments(const std::array<Vec3, 4>& corners);

/// Of what a closed surface encloses, measured from `origin`: exact for its triangles, whatever
/// their shape. Negative when they face inwards. Precise when the origin is near.
Moments moments(const TriangleMesh& mesh, const Vec3& origin);

}  // namespace pliant
