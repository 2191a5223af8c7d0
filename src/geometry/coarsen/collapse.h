#pragma once

#include <vector>

#include "geometry/mesh/triangle_mesh.h"

namespace pliant {

struct CollapseLimits {
  double longest = 0;             // [m] no new edge is longer
  double distance = 0;            // [m] no given point lies further from the new surface
  std::vector<double> thickness;  // [m] of the solid behind each point; empty = it does not matter
  int enough = 0;                 // so few triangles need no larger distance
  double most_distance = 0;       // [m] which `distance` may be doubled to until there are so few
};

/// A surface over some of the points of another one.
struct CoarseSurface {
  TriangleMesh mesh;
  std::vector<int> point;  // per point of the mesh: its index in the given one, rising
};

/// Removes points one by one by collapsing edges. What was closed stays closed, a rim stays a rim,
/// and a solid thinner than a few distances keeps its sides apart. Points where the surface is no
/// manifold stay. The result depends on the mesh alone.
CoarseSurface collapse_edges(const TriangleMesh& mesh, const CollapseLimits& limits);

}  // namespace pliant
