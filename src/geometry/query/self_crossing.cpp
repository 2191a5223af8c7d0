#include "geometry/query/self_crossing.h"

#include <algorithm>
#include <vector>

#include "geometry/query/near_triangles.h"
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
  std::vector<int> crossed(mesh.triangles.size(), -1);  // per triangle: a later one
  visit_near_triangles(mesh, Bvh(mesh), [&](int i, int j) {
    if (j > i && triangles_cross(mesh, i, j)) crossed[i] = j;
    return crossed[i] < 0;
  });
  for (std::size_t i = 0; i < crossed.size(); ++i)
    if (crossed[i] >= 0) return CrossingTriangles{int(i), crossed[i]};
  return std::nullopt;
}

}  // namespace pliant
