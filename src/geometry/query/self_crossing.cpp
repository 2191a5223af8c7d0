#include "geometry/query/self_crossing.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "geometry/query/orientation.h"

namespace pliant {
namespace {

// The edge leaves one side of the triangle's plane for the other and meets the triangle on its way.
bool edge_passes(const TriangleMesh& mesh, int from, int to, const Triangle& t) {
  const Vec3 &p = mesh.points[from], &q = mesh.points[to];
  const Vec3 &a = mesh.points[t[0]], &b = mesh.points[t[1]], &c = mesh.points[t[2]];
  if (orientation(a, b, c, p) * orientation(a, b, c, q) >= 0) return false;
  const int ab = orientation(p, q, a, b), bc = orientation(p, q, b, c),
            ca = orientation(p, q, c, a);
  return (ab >= 0 && bc >= 0 && ca >= 0) || (ab <= 0 && bc <= 0 && ca <= 0);
}

// Triangles with a common edge: both in one plane and on the same side of the edge.
bool folded(const TriangleMesh& mesh, const Triangle& first, const Triangle& second,
            int shared[2]) {
  int apex[2] = {-1, -1};
  for (int k = 0; k < 3; ++k) {
    if (first[k] != shared[0] && first[k] != shared[1]) apex[0] = first[k];
    if (second[k] != shared[0] && second[k] != shared[1]) apex[1] = second[k];
  }
  if (apex[0] < 0 || apex[1] < 0) return true;
  if (apex[0] == apex[1]) return true;
  const Vec3 &a = mesh.points[shared[0]], &b = mesh.points[shared[1]];
  const Vec3 &c = mesh.points[apex[0]], &d = mesh.points[apex[1]];
  if (orientation(a, b, c, d) != 0) return false;
  return (b - a).cross(c - a).dot((b - a).cross(d - a)) > 0;
}

}  // namespace

bool triangles_cross(const TriangleMesh& mesh, int first, int second) {
  const Triangle &t = mesh.triangles[first], &u = mesh.triangles[second];
  int shared[3], count = 0;
  for (const int corner : t)
    if (std::find(u.begin(), u.end(), corner) != u.end() && count < 3) shared[count++] = corner;
  if (count >= 2) return folded(mesh, t, u, shared);
  const auto is_shared = [&](int corner) { return count == 1 && corner == shared[0]; };
  for (int k = 0; k < 3; ++k) {
    const int next = (k + 1) % 3;
    if (!is_shared(t[k]) && !is_shared(t[next]) && edge_passes(mesh, t[k], t[next], u)) return true;
    if (!is_shared(u[k]) && !is_shared(u[next]) && edge_passes(mesh, u[k], u[next], t)) return true;
  }
  return false;
}

std::optional<CrossingTriangles> find_self_crossing(const TriangleMesh& mesh) {
  if (mesh.triangles.empty()) return std::nullopt;
  const Bvh bvh(mesh);
  std::vector<Box> boxes;
  for (const Triangle& t : mesh.triangles) {
    Box& box = boxes.emplace_back();
    for (const int corner : t) box.add(mesh.points[corner]);
  }
  // Pairs of nodes whose boxes overlap; a node also meets itself.
  std::vector<std::pair<int, int>> waiting = {{0, 0}};
  while (!waiting.empty()) {
    const auto [i, j] = waiting.back();
    waiting.pop_back();
    const Bvh::Node &a = bvh.nodes()[i], &b = bvh.nodes()[j];
    if (!a.box.overlaps(b.box)) continue;
    if (a.left < 0 && b.left < 0) {
      for (int m = a.begin; m < a.end; ++m)
        for (int n = i == j ? m + 1 : b.begin; n < b.end; ++n) {
          const int first = bvh.order()[m], second = bvh.order()[n];
          if (boxes[first].overlaps(boxes[second]) && triangles_cross(mesh, first, second))
            return CrossingTriangles{std::min(first, second), std::max(first, second)};
        }
    } else if (i == j) {
      waiting.push_back({a.left, a.left});
      waiting.push_back({a.left + 1, a.left + 1});
      waiting.push_back({a.left, a.left + 1});
    } else if (b.left < 0 || (a.left >= 0 && a.box.extent().sum() >= b.box.extent().sum())) {
      waiting.push_back({a.left, j});
      waiting.push_back({a.left + 1, j});
    } else {
      waiting.push_back({i, b.left});
      waiting.push_back({i, b.left + 1});
    }
  }
  return std::nullopt;
}

}  // namespace pliant
