#include "geometry/query/ray.h"

#include <algorithm>
#include <cmath>

namespace pliant {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

bool ray_meets_box(const Box& box, const Vec3& origin, const Vec3& inverse, double least,
                   double most) {
  double begin = least, end = most;
  for (int axis = 0; axis < 3; ++axis) {
    double near = (box.low[axis] - origin[axis]) * inverse[axis];
    double far = (box.high[axis] - origin[axis]) * inverse[axis];
    if (near > far) std::swap(near, far);
    // Not a number (0 times infinity) means along a face: no limit.
    if (near > begin) begin = near;
    if (far < end) end = far;
  }
  return begin <= end;
}

// Moeller and Trumbore 1997. How far it is; infinite when the ray does not meet it.
double distance_to_triangle(const Vec3& origin, const Vec3& direction, const TriangleMesh& mesh,
                            const Triangle& t, double least) {
  const Vec3& a = mesh.points[t[0]];
  const Vec3 u = mesh.points[t[1]] - a, v = mesh.points[t[2]] - a;
  const Vec3 across = direction.cross(v);
  const double det = u.dot(across);
  if (det == 0) return infinite;
  const Vec3 from = origin - a;
  const double s = from.dot(across) / det;
  if (!(s >= 0 && s <= 1)) return infinite;
  const Vec3 turned = from.cross(u);
  const double r = direction.dot(turned) / det;
  if (!(r >= 0 && s + r <= 1)) return infinite;
  const double distance = v.dot(turned) / det;
  return distance > least ? distance : infinite;
}

/// Lowers `nearest` to the distance of triangles that are met, as long as `goes_on(triangle)`.
template <class GoesOn>
void search(const TriangleMesh& mesh, const Bvh& bvh, const Vec3& origin, const Vec3& direction,
            double least, double& nearest, const GoesOn& goes_on) {
  const Vec3 way = direction.normalized();
  const Vec3 inverse = way.cwiseInverse();
  bool is_over = false;
  bvh.visit(
      [&](const Box& box) {
        return !is_over && ray_meets_box(box, origin, inverse, least, nearest);
      },
      [&](const Bvh::Node& leaf) {
        for (int i = leaf.begin; i < leaf.end && !is_over; ++i) {
          const double distance =
              distance_to_triangle(origin, way, mesh, mesh.triangles[bvh.order()[i]], least);
          if (!(distance < nearest)) continue;
          nearest = distance;
          is_over = !goes_on(bvh.order()[i]);
        }
      });
}

}  // namespace

double ray_distance(const TriangleMesh& mesh, const Bvh& bvh, const Vec3& origin,
                    const Vec3& direction, double least) {
  return first_triangle(mesh, bvh, origin, direction, least).distance;
}

RayHit first_triangle(const TriangleMesh& mesh, const Bvh& bvh, const Vec3& origin,
                      const Vec3& direction, double least) {
  RayHit hit{infinite};
  search(mesh, bvh, origin, direction, least, hit.distance, [&](int triangle) {
    hit.triangle = triangle;
    return true;
  });
  return hit;
}

bool ray_hits(const TriangleMesh& mesh, const Bvh& bvh, const Vec3& origin, const Vec3& direction,
              double least) {
  double nearest = infinite;
  search(mesh, bvh, origin, direction, least, nearest, [](int) { return false; });
  return nearest < infinite;
}

}  // namespace pliant
