#include "geometry/query/ray.h"

#include <algorithm>
#include <cmath>

namespace pliant {
namespace {

bool ray_meets_box(const Box& box, const Vec3& origin, const Vec3& inverse, double least) {
  double begin = least, end = std::numeric_limits<double>::infinity();
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

// Moeller and Trumbore 1997.
bool ray_meets_triangle(const Vec3& origin, const Vec3& direction, const TriangleMesh& mesh,
                        const Triangle& t, double least) {
  const Vec3& a = mesh.points[t[0]];
  const Vec3 u = mesh.points[t[1]] - a, v = mesh.points[t[2]] - a;
  const Vec3 across = direction.cross(v);
  const double det = u.dot(across);
  if (det == 0) return false;
  const Vec3 from = origin - a;
  const double s = from.dot(across) / det;
  if (!(s >= 0 && s <= 1)) return false;
  const Vec3 turned = from.cross(u);
  const double r = direction.dot(turned) / det;
  if (!(r >= 0 && s + r <= 1)) return false;
  return v.dot(turned) / det > least;
}

}  // namespace

bool ray_hits(const TriangleMesh& mesh, const Bvh& bvh, const Vec3& origin, const Vec3& direction,
              double least) {
  if (mesh.triangles.empty()) return false;
  const double length = direction.norm();
  const Vec3 way = direction / length;
  const Vec3 inverse = way.cwiseInverse();
  int stack[64];  // the tree halves its triangles: 31 levels at most
  int size = 0;
  stack[size++] = 0;
  while (size > 0) {
    const Bvh::Node& node = bvh.nodes()[std::size_t(stack[--size])];
    if (!ray_meets_box(node.box, origin, inverse, least)) continue;
    if (node.left >= 0) {
      stack[size++] = node.left;
      stack[size++] = node.left + 1;
      continue;
    }
    for (int i = node.begin; i < node.end; ++i)
      if (ray_meets_triangle(origin, way, mesh, mesh.triangles[bvh.order()[i]], least)) return true;
  }
  return false;
}

}  // namespace pliant
