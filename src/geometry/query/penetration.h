#pragma once

#include <span>
#include <vector>

#include "geometry/mesh/triangle_mesh.h"

namespace pliant {

/// A point that lies inside a surface.
struct Penetration {
  int point;
  Vec3 exit;     // [m] the nearest point of the surface
  double depth;  // [m] its distance
};

/// Those of these points that lie inside a closed surface, which may cross itself.
std::vector<Penetration> points_inside(std::span<const Vec3> points, const TriangleMesh& surface);

/// [m] How deep the deepest of them lies; 0 = none does.
double deepest_inside(std::span<const Vec3> points, const TriangleMesh& surface);

}  // namespace pliant
