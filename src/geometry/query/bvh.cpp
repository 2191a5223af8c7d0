#include "geometry/query/bvh.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace pliant {
namespace {

constexpr int leaf_size = 4;

Box box_of(const TriangleMesh& mesh, int triangle) {
  Box box;
  for (const int p : mesh.triangles[triangle]) box.add(mesh.points[p]);
  return box;
}

}  // namespace

SurfacePoint closest_on_triangle(const Vec3& p, const TriangleMesh& mesh, int triangle) {
  const Triangle& t = mesh.triangles[triangle];
  SurfacePoint found =
      closest_on_triangle(p, mesh.points[t[0]], mesh.points[t[1]], mesh.points[t[2]]);
  found.triangle = triangle;
  return found;
}

SurfacePoint closest_on_triangle(const Vec3& p, const Vec3& corner_a, const Vec3& corner_b,
                                 const Vec3& corner_c) {
  const std::array<const Vec3*, 3> corner = {&corner_a, &corner_b, &corner_c};
  const Vec3 a = corner_a - p, b = corner_b - p, c = corner_c - p;
  const Vec3 normal = (b - a).cross(c - a);
  const Vec3 share(b.cross(c).dot(normal), c.cross(a).dot(normal), a.cross(b).dot(normal));
  const double sum = share.sum();  // = normal.squaredNorm()

  SurfacePoint found;
  if (sum > 0 && share.minCoeff() >= 0) {
    found.share = share / sum;
    found.point = p + found.share[0] * a + found.share[1] * b + found.share[2] * c;
    found.distance = (found.point - p).norm();
    return found;
  }
  // Outside the prism over the triangle. Seen from there, only sides with a negative share can be
  // nearest; a triangle without area has no prism, and all three sides are tried.
  found.distance = std::numeric_limits<double>::infinity();
  for (int k = 0; k < 3; ++k) {
    const int from = (k + 1) % 3, to = (k + 2) % 3;
    if (sum > 0 && share[k] >= 0) continue;
    const Vec3 along = *corner[to] - *corner[from];
    const double length2 = along.squaredNorm();
    const double s =
        length2 > 0 ? std::clamp((p - *corner[from]).dot(along) / length2, 0.0, 1.0) : 0;
    // The ends are returned exactly, not as start + 1 * along.
    const Vec3 q = s < 1 ? Vec3(*corner[from] + s * along) : *corner[to];
    const double distance = (q - p).norm();
    if (!(distance < found.distance)) continue;
    found.distance = distance;
    found.point = q;
    found.share = Vec3::Zero();
    found.share[from] = 1 - s;
    found.share[to] = s;
  }
  return found;
}

SurfacePoint closest_point_brute_force(const TriangleMesh& mesh, const Vec3& p, double reach) {
  SurfacePoint best;
  best.distance = reach;
  for (int t = 0; t < int(mesh.triangles.size()); ++t) {
    const SurfacePoint here = closest_on_triangle(p, mesh, t);
    if (here.distance < best.distance || (best.triangle < 0 && here.distance <= reach)) best = here;
  }
  return best;
}

Bvh::Bvh(const TriangleMesh& mesh) {
  const int count = int(mesh.triangles.size());
  order_.resize(count);
  std::iota(order_.begin(), order_.end(), 0);
  std::vector<Box> boxes(count);
  std::vector<Vec3> centres(count);
  for (int t = 0; t < count; ++t) {
    boxes[t] = box_of(mesh, t);
    centres[t] = boxes[t].centre();
    if (!centres[t].allFinite()) centres[t].setZero();  // sorting needs an order
  }

  nodes_.reserve(count > 0 ? std::size_t(count) : 1);
  nodes_.push_back({Box(), -1, 0, count});
  for (int n = 0; n < int(nodes_.size()); ++n) {
    const int begin = nodes_[n].begin, end = nodes_[n].end;
    Box box, spread;
    for (int i = begin; i < end; ++i) {
      box.add(boxes[order_[i]]);
      spread.add(centres[order_[i]]);
    }
    nodes_[n].box = box;
    if (end - begin <= leaf_size) {
      std::sort(order_.begin() + begin, order_.begin() + end);
      continue;
    }
    // Half of the triangles to each side. Equal centres are told apart by index, so that the tree
    // is the same with every standard library.
    int axis;
    spread.extent().maxCoeff(&axis);
    const int middle = (begin + end) / 2;
    std::nth_element(order_.begin() + begin, order_.begin() + middle, order_.begin() + end,
                     [&](int a, int b) {
                       const double x = centres[a][axis], y = centres[b][axis];
                       return x != y ? x < y : a < b;
                     });
    nodes_[n].left = int(nodes_.size());
    nodes_.push_back({Box(), -1, begin, middle});
    nodes_.push_back({Box(), -1, middle, end});
  }
  boxes_.reserve(count);
  for (const int t : order_) boxes_.push_back(boxes[t]);
}

SurfacePoint Bvh::closest_point(const TriangleMesh& mesh, const Vec3& p, double reach) const {
  SurfacePoint best;
  best.distance = reach;
  // A box may come out a rounding error farther than the triangle in it; ties must still be seen.
  const Box& all = nodes_[0].box;
  const double slack =
      1e-14 * (p.cwiseAbs().maxCoeff() +
               (order_.empty() ? 0 : all.low.cwiseAbs().cwiseMax(all.high.cwiseAbs()).maxCoeff()));
  const auto too_far = [&](double distance2) {
    const double limit = best.distance + slack;
    return distance2 > limit * limit;
  };

  struct Waiting {
    int node;
    double distance2;
  };
  Waiting stack[64];  // halving 2^31 triangles is 31 levels, one waiting on each
  int size = 0;
  stack[size++] = {0, all.squared_distance(p)};
  while (size > 0) {
    const Waiting top = stack[--size];
    if (too_far(top.distance2)) continue;
    const Node& node = nodes_[top.node];
    if (node.left >= 0) {
      Waiting near = {node.left, nodes_[node.left].box.squared_distance(p)};
      Waiting far = {node.left + 1, nodes_[node.left + 1].box.squared_distance(p)};
      if (far.distance2 < near.distance2) std::swap(near, far);
      stack[size++] = far;
      stack[size++] = near;
      continue;
    }
    for (int i = node.begin; i < node.end; ++i) {
      const SurfacePoint here = closest_on_triangle(p, mesh, order_[i]);
      const bool tie =
          here.distance == best.distance && (best.triangle < 0 || here.triangle < best.triangle);
      if (here.distance < best.distance || tie) best = here;
    }
  }
  return best;
}

void Bvh::triangles_in(const Box& box, std::vector<int>& found) const {
  const std::size_t first = found.size();
  visit([&](const Box& part) { return part.overlaps(box); },
        [&](const Node& leaf) {
          for (int i = leaf.begin; i < leaf.end; ++i)
            if (boxes_[i].overlaps(box)) found.push_back(order_[i]);
        });
  std::sort(found.begin() + first, found.end());
}

}  // namespace pliant
