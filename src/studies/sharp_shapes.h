#pragma once

#include <vector>

#include "geometry/mesh/triangle_mesh.h"

// Sharp and hollow shapes, and a judge of penetration that knows nothing of contact: for tests of
// what touches where normals are not defined (Erleben 2018).

namespace pliant::test {

/// A square pyramid with its tip up in the origin; `width` at the foot, [m].
TriangleMesh spike(double width, double height, double edge);
/// A roof along z with its ridge up, through the origin.
TriangleMesh wedge(double width, double height, double length, double edge);
/// A block with a V cut into its top along z; the bottom of the cut is the origin.
TriangleMesh crack(double width, double depth, double length, double wall, double edge);
/// A block with an open channel of square cross-section along z; its floor goes through the origin.
TriangleMesh channel(double width, double depth, double length, double wall, double edge);
/// A block with a square pit that does not go through; its floor's middle is the origin.
TriangleMesh pit(double width, double depth, double wall, double edge);

/// How two closed surfaces cross.
struct Piercing {
  int edges = 0;     // of either that go through a triangle of the other
  double depth = 0;  // [m] of the deepest vertex of one in the other, or point on such an edge
};
Piercing piercing(const TriangleMesh& a, const TriangleMesh& b);

}  // namespace pliant::test
