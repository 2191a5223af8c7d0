#include "contact/collider_contacts/corner_walls.h"

#include "contact/narrow/reach.h"
#include "core/assert.h"
#include "geometry/query/bvh.h"
#include "geometry/query/pseudonormal.h"

namespace pliant {
namespace {

struct Wall {
  double distance = 0;
  int triangle = -1;
  ColliderHit hit;

  bool is_before(const Wall& other) const {
    return other.triangle < 0 || distance < other.distance ||
           (distance == other.distance && triangle < other.triangle);
  }
};

}  // namespace

CornerWalls corner_walls(const MeshShape& shape, const Vec3& p, const Vec3& first, double reach) {
  ASSERT(shape.bvh && shape.pseudonormals, "mesh shapes are made by mesh_shape()");
  // The nearest of those that fit, then the nearest of those that fit with it.
  CornerWalls found;
  std::array<Vec3, 1 + CornerWalls::most> taken = {first};
  while (found.count < CornerWalls::most) {
    Wall best;
    const auto look = [&](int t) {
      Vec3 normal = shape.pseudonormals->face(t);
      const SurfacePoint nearest = closest_on_triangle(p, *shape.mesh, t);
      if (nearest.distance > reach || nearest.share.minCoeff() <= 0) return;
      double gap = normal.dot(p - nearest.point);
      if (!shape.closed && gap < 0) normal = -normal, gap = -gap;
      bool fits = gap > 0;
      for (int i = 0; i <= found.count; ++i) fits = fits && normal.dot(taken[i]) < corner_turn;
      const Wall wall{nearest.distance, t, {gap, normal, nearest.point}};
      if (fits && wall.is_before(best)) best = wall;
    };
    shape.bvh->visit([&](const Box& box) { return box.squared_distance(p) <= reach * reach; },
                     [&](const Bvh::Node& leaf) {
                       for (int k = leaf.begin; k < leaf.end; ++k) look(shape.bvh->order()[k]);
                     });
    if (best.triangle < 0) return found;
    found.wall[found.count++] = best.hit;
    taken[found.count] = best.hit.normal;
  }
  return found;
}

}  // namespace pliant
