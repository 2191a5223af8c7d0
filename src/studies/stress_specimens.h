#pragma once

#include "geometry/mesh/triangle_mesh.h"

namespace pliant {

// Closed surfaces of bodies whose stress is known.

/// A plate about the origin with a round hole through its middle along z. [m]
TriangleMesh plate_with_hole(const Vec3& size, double radius);

/// Two arms along x and y from the origin, square to each other, with a rounded inner corner. [m]
TriangleMesh angle_bracket(double arm, double thickness, double fillet, double width);

/// The eighth of a hollow sphere where x, y, z >= 0. [m]
TriangleMesh hollow_octant(double inner, double outer, int edges);

}  // namespace pliant
