#pragma once

#include <string>
#include <vector>

#include "geometry/mesh/triangle_mesh.h"

namespace pliant {

struct CloudSurface {
  TriangleMesh mesh;      // closed, facing outwards
  double spacing = 0;     // [m] typical distance between neighbours
  double cell = 0;        // [m] of the grid it was drawn from
  int left_out = 0;       // points in the air, far from the others
  bool is_shell = false;  // the points enclose nothing: a shell along them
};

/// A closed surface around points that lie on the skin of a body or fill it. Gaps up to a quarter
/// of the whole are bridged, no farther than is needed to enclose something; what cannot be reached
/// from outside becomes inside. Needs no normals. Throws InputError (no file) for fewer than 10
/// points, for points in a plane.
CloudSurface surface_around(const std::vector<Vec3>& points);

}  // namespace pliant
