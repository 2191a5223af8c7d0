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
  // The nearest of those that fit, then the nearest of those that fit with it.
  CornerWalls found;
  std::array<Vec3, 1 + CornerWalls::most> taken = {first};
  const std::vector<Bvh::Node>& nodes = shape.bvh->nodes();
  while (found.count < CornerWalls::most && !nodes.empty()) {
    Wall best;
    std::array<int, 128> stack;
    int top = 0;
    stack[top++] = 0;
    while (top > 0) {
      const Bvh::Node& node = nodes[stack[--top]];
      if (node.box.squared_distance(p) > reach * reach) continue;
      if (node.left >= 0) {
        ASSERT(top + 2 <= int(stack.size()), "the tree over a mesh collider is too deep");
        stack[top++] = node.left + 1;
        stack[top++] = node.left;
        continue;
      }
      for (int k = node.begin; k < node.end; ++k) {
        const int t = shape.bvh->order()[k];
        Vec3 normal = shape.pseudonormals->face(t);
        const SurfacePoint nearest = closest_on_triangle(p, *shape.mesh, t);
        if (nearest.distance > reach || nearest.share.minCoeff() <= 0) continue;
        double gap = normal.dot(p - nearest.point);
        if (!shape.closed && gap < 0) normal = -normal, gap = -gap;
        bool fits = gap > 0;
        for (int i = 0; i <= found.count; ++i) fits = fits && normal.dot(taken[i]) < corner_turn;
        const Wall wall{nearest.distance, t, {gap, normal, nearest.point}};
        if (fits && wall.is_before(best)) best = wall;
      }
    }
    if (best.triangle < 0) return found;
    found.wall[found.count++] = best.hit;
    taken[found.count] = best.hit.normal;
  }
  return found;
}

}  // namespace pliant
