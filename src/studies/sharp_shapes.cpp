#include "studies/sharp_shapes.h"

#include <algorithm>
#include <set>

#include "geometry/mesh/refine.h"
#include "geometry/query/bvh.h"
#include "geometry/query/segments.h"
#include "geometry/query/winding_number.h"

namespace pliant::test {
namespace {

/// A profile of quadrangles in the plane, drawn out along z. Points anticlockwise seen from +z.
TriangleMesh drawn_out(const std::vector<Vec2>& rim,
                       const std::vector<std::array<int, 4>>& quadrangles, double length,
                       double edge) {
  TriangleMesh mesh;
  const int n = int(rim.size());
  for (const double z : {-0.5 * length, 0.5 * length})
    for (const Vec2& p : rim) mesh.points.push_back({p.x(), p.y(), z});
  for (int i = 0; i < n; ++i) {
    const int j = (i + 1) % n;
    mesh.triangles.push_back({i, j, n + j});
    mesh.triangles.push_back({i, n + j, n + i});
  }
  for (const auto& [a, b, c, d] : quadrangles) {
    const bool triangle = c == d;
    mesh.triangles.push_back({n + a, n + b, n + c});
    mesh.triangles.push_back({a, c, b});
    if (triangle) continue;
    mesh.triangles.push_back({n + a, n + c, n + d});
    mesh.triangles.push_back({a, d, c});
  }
  return refine_long_edges(mesh, edge);
}

void look(const TriangleMesh& a, const TriangleMesh& b, Piercing& found) {
  const Bvh bvh(b);
  const WindingNumber winding(b);
  const Box box = bounds(b.points);
  const auto depth = [&](const Vec3& p) {
    if (!box.contains(p) || !winding.inside(p)) return 0.0;
    return bvh.closest_point(b, p).distance;
  };
  for (const Vec3& p : a.points) found.depth = std::max(found.depth, depth(p));
  std::set<std::pair<int, int>> edges;
  for (const Triangle& t : a.triangles)
    for (int k = 0; k < 3; ++k) edges.insert(std::minmax(t[k], t[(k + 1) % 3]));
  std::vector<int> near;
  for (const auto& [i, j] : edges) {
    const Vec3 &p = a.points[i], &q = a.points[j];
    Box way;
    way.add(p), way.add(q);
    near.clear();
    bvh.triangles_in(way, near);
    const bool crosses = std::any_of(near.begin(), near.end(), [&](int t) {
      const Triangle& c = b.triangles[t];
      return cross_triangle(b.points[c[0]], b.points[c[1]], b.points[c[2]], p, q - p, false) <= 1;
    });
    if (!crosses) continue;
    ++found.edges;
    constexpr int parts = 16;
    for (int k = 1; k < parts; ++k)
      found.depth = std::max(found.depth, depth(p + double(k) / parts * (q - p)));
  }
}

}  // namespace

TriangleMesh spike(double width, double height, double edge) {
  const double w = 0.5 * width;
  TriangleMesh mesh;
  mesh.points = {{0, 0, 0}, {-w, -height, -w}, {w, -height, -w}, {w, -height, w}, {-w, -height, w}};
  mesh.triangles = {{0, 2, 1}, {0, 3, 2}, {0, 4, 3}, {0, 1, 4}, {1, 2, 3}, {1, 3, 4}};
  return refine_long_edges(mesh, edge);
}

TriangleMesh wedge(double width, double height, double length, double edge) {
  const double w = 0.5 * width;
  return drawn_out({{0, 0}, {-w, -height}, {w, -height}}, {{0, 1, 2, 2}}, length, edge);
}

TriangleMesh crack(double width, double depth, double length, double wall, double edge) {
  const double w = 0.5 * width, far = w + wall;
  return drawn_out(
      {{0, 0}, {-w, depth}, {-far, depth}, {-far, -wall}, {far, -wall}, {far, depth}, {w, depth}},
      {{0, 1, 2, 3}, {0, 3, 4, 4}, {0, 4, 5, 6}}, length, edge);
}

TriangleMesh channel(double width, double depth, double length, double wall, double edge) {
  const double w = 0.5 * width, far = w + wall;
  return drawn_out({{w, 0},
                    {-w, 0},
                    {-w, depth},
                    {-far, depth},
                    {-far, -wall},
                    {far, -wall},
                    {far, depth},
                    {w, depth}},
                   {{1, 2, 3, 4}, {0, 1, 4, 5}, {0, 5, 6, 7}}, length, edge);
}

TriangleMesh pit(double width, double depth, double wall, double edge) {
  TriangleMesh mesh;
  const double w = 0.5 * width, far = w + wall;
  const auto ring = [&](double half, double y) {
    const int first = int(mesh.points.size());
    for (const Vec2& c : {Vec2(-1, -1), Vec2(1, -1), Vec2(1, 1), Vec2(-1, 1)})
      mesh.points.push_back({half * c.x(), y, half * c.y()});
    return first;
  };
  const auto quad = [&](int a, int b, int c, int d) {
    mesh.triangles.push_back({a, b, c});
    mesh.triangles.push_back({a, c, d});
  };
  const int bottom = ring(far, -wall), top = ring(far, depth), rim = ring(w, depth),
            floor = ring(w, 0);
  quad(bottom, bottom + 1, bottom + 2, bottom + 3);
  quad(floor + 3, floor + 2, floor + 1, floor);
  for (int k = 0; k < 4; ++k) {
    const int next = (k + 1) % 4;
    quad(bottom + next, bottom + k, top + k, top + next);
    quad(top + next, top + k, rim + k, rim + next);
    quad(rim + next, rim + k, floor + k, floor + next);
  }
  return refine_long_edges(mesh, edge);
}

Piercing piercing(const TriangleMesh& a, const TriangleMesh& b) {
  Piercing found;
  look(a, b, found);
  look(b, a, found);
  return found;
}

}  // namespace pliant::test
