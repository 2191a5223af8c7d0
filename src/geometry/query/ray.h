#pragma once

#include "geometry/query/bvh.h"

namespace pliant {

/// How far along the ray from `origin` in `direction` (any length) the first triangle is that lies
/// further away than `least` [m]; infinite when there is none. Both sides of a triangle count. Not
/// exact at edges: never decide by one ray alone.
double ray_distance(const TriangleMesh& mesh, const Bvh& bvh, const Vec3& origin,
                    const Vec3& direction, double least = 0);
/// The same with the triangle.
struct RayHit {
  double distance = 0;  // [m] infinite: nothing
  int triangle = -1;
};
RayHit first_triangle(const TriangleMesh& mesh, const Bvh& bvh, const Vec3& origin,
                      const Vec3& direction, double least = 0);
/// Whether the ray from `origin` along `direction` (any length) meets a triangle further away than
/// `least` [m].
bool ray_hits(const TriangleMesh& mesh, const Bvh& bvh, const Vec3& origin, const Vec3& direction,
              double least = 0);

}  // namespace pliant
