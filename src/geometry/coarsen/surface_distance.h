#pragma once

#include <vector>

#include "geometry/query/bvh.h"

namespace pliant {

/// Of each point, the nearest one of a surface. Runs in parallel.
std::vector<SurfacePoint> closest_points(const TriangleMesh& surface, const Bvh& bvh,
                                         const std::vector<Vec3>& points);

/// How far two surfaces are apart, by samples: vertices, middles of edges and of triangles.
struct SurfaceDistance {
  double outward = 0;  // [m] of the first from the second where it lies outside; where the second
                       // has no inside, on either side
  double either = 0;   // [m] of any sample of one of them from the other: about Hausdorff's
};
SurfaceDistance surface_distance(const TriangleMesh& first, const TriangleMesh& second);

/// [m] Per point how far away the next layer of the surface is that faces it, on either side: what
/// a solid is thick there, or how wide a gap is. At most `reach`.
std::vector<double> layer_distances(const TriangleMesh& surface, double reach);

}  // namespace pliant
