#include "studies/stress_specimens.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/assert.h"

namespace pliant {
namespace {

/// Two lines in the plane side by side, point by point, and what lies between them.
struct Strip {
  std::vector<Vec2> left, right;
  bool is_closed = false;
  int across = 1;      // quads from left to right
  double grading = 1;  // above 1: narrower quads at the left line
};

void add_quad(TriangleMesh& mesh, int a, int b, int c, int d) {
  mesh.triangles.push_back({a, b, c});
  mesh.triangles.push_back({a, c, d});
}

/// Without points that no triangle uses, and facing outwards.
TriangleMesh finished(TriangleMesh mesh) {
  std::vector<int> number(mesh.points.size(), -1);
  std::vector<Vec3> used;
  for (Triangle& t : mesh.triangles)
    for (int& v : t) {
      if (number[v] < 0) {
        number[v] = int(used.size());
        used.push_back(mesh.points[v]);
      }
      v = number[v];
    }
  mesh.points = std::move(used);
  if (volume(mesh) < 0)
    for (Triangle& t : mesh.triangles) std::swap(t[1], t[2]);
  return mesh;
}

/// The strip as a solid between two heights.
TriangleMesh raised(const Strip& strip, double low, double high, int layers) {
  ASSERT(strip.left.size() == strip.right.size(), "lines side by side");
  const int n = int(strip.left.size()), m = strip.across;
  const int pieces = strip.is_closed ? n : n - 1;
  TriangleMesh mesh;
  // Points of a cap, and between the caps those of the rim only, which all caps share.
  const auto place = [&](int i, int k) -> Vec2 {
    const double s = std::pow(double(k) / m, strip.grading);
    return (1 - s) * strip.left[std::size_t(i)] + s * strip.right[std::size_t(i)];
  };
  const auto id = [&](int layer, int i, int k) { return (layer * n + i % n) * (m + 1) + k; };
  for (int layer = 0; layer <= layers; ++layer)
    for (int i = 0; i < n; ++i)
      for (int k = 0; k <= m; ++k) {
        const Vec2 p = place(i, k);
        mesh.points.emplace_back(p.x(), p.y(), low + (high - low) * layer / layers);
      }
  for (int i = 0; i < pieces; ++i)
    for (int k = 0; k < m; ++k) {
      add_quad(mesh, id(layers, i, k), id(layers, i, k + 1), id(layers, i + 1, k + 1),
               id(layers, i + 1, k));
      add_quad(mesh, id(0, i, k), id(0, i + 1, k), id(0, i + 1, k + 1), id(0, i, k + 1));
    }
  for (int layer = 0; layer < layers; ++layer) {
    for (int i = 0; i < pieces; ++i) {
      add_quad(mesh, id(layer, i, 0), id(layer + 1, i, 0), id(layer + 1, i + 1, 0),
               id(layer, i + 1, 0));
      add_quad(mesh, id(layer, i, m), id(layer, i + 1, m), id(layer + 1, i + 1, m),
               id(layer + 1, i, m));
    }
    if (strip.is_closed) continue;
    for (int k = 0; k < m; ++k) {
      add_quad(mesh, id(layer, 0, k), id(layer, 0, k + 1), id(layer + 1, 0, k + 1),
               id(layer + 1, 0, k));
      add_quad(mesh, id(layer, n - 1, k), id(layer + 1, n - 1, k), id(layer + 1, n - 1, k + 1),
               id(layer, n - 1, k + 1));
    }
  }
  return finished(std::move(mesh));
}

}  // namespace

TriangleMesh plate_with_hole(const Vec3& size, double radius) {
  constexpr int around = 96;
  Strip strip;
  strip.is_closed = true;
  strip.across = 14;
  strip.grading = 1.7;
  for (int i = 0; i < around; ++i) {
    const double angle = 2 * std::numbers::pi * i / around;
    const Vec2 d(std::cos(angle), std::sin(angle));
    const double rim = 0.5 / std::max(std::abs(d.x()) / size.x(), std::abs(d.y()) / size.y());
    strip.left.push_back(radius * d);
    strip.right.push_back(rim * d);
  }
  for (const double x : {-0.5, 0.5})  // the rays next to the corners end there
    for (const double y : {-0.5, 0.5}) {
      const Vec2 corner(x * size.x(), y * size.y());
      const auto off = [&](const Vec2& p) { return (p - corner).norm(); };
      *std::min_element(strip.right.begin(), strip.right.end(),
                        [&](const Vec2& a, const Vec2& b) { return off(a) < off(b); }) = corner;
    }
  return raised(strip, -size.z() / 2, size.z() / 2, 4);
}

TriangleMesh angle_bracket(double arm, double thickness, double fillet, double width) {
  constexpr int straight = 20, round = 24;
  const double start = thickness + fillet;
  Strip strip;
  strip.across = 6;
  // From the end of the arm along y, round the corner, to the end of the arm along x.
  for (int i = 0; i < straight; ++i) {
    const double y = arm + (start - arm) * i / straight;
    strip.left.emplace_back(thickness, y);
    strip.right.emplace_back(0, y);
  }
  for (int i = 0; i <= round; ++i) {
    const double angle = 0.5 * std::numbers::pi * i / round;
    strip.left.emplace_back(start - fillet * std::cos(angle), start - fillet * std::sin(angle));
    const double along = 2.0 * i / round;  // down to the corner, then out
    strip.right.emplace_back(along <= 1 ? Vec2(0, start * (1 - along))
                                        : Vec2(start * (along - 1), 0));
  }
  for (int i = 1; i <= straight; ++i) {
    const double x = start + (arm - start) * i / straight;
    strip.left.emplace_back(x, thickness);
    strip.right.emplace_back(x, 0);
  }
  return raised(strip, 0, width, 8);
}

TriangleMesh hollow_octant(double inner, double outer, int edges) {
  TriangleMesh mesh;
  const int layers = std::max(2, int(std::lround(edges * (outer - inner) / outer)));
  // Directions over the octant, in rows; then layer upon layer of them.
  std::vector<Vec3> direction;
  std::vector<std::vector<int>> at(std::size_t(edges) + 1);
  for (int i = 0; i <= edges; ++i)
    for (int j = 0; i + j <= edges; ++j) {
      at[i].push_back(int(direction.size()));
      direction.push_back(Vec3(i, j, edges - i - j).normalized());
    }
  const int count = int(direction.size());
  for (int layer = 0; layer <= layers; ++layer)
    for (const Vec3& d : direction)
      mesh.points.push_back((inner + (outer - inner) * layer / layers) * d);
  const auto id = [&](int layer, int i, int j) { return layer * count + at[i][j]; };
  const auto both = [&](int a, int b, int c) {
    mesh.triangles.push_back({a, c, b});
    mesh.triangles.push_back({layers * count + a, layers * count + b, layers * count + c});
  };
  for (int i = 0; i < edges; ++i)
    for (int j = 0; i + j < edges; ++j) {
      both(at[i][j], at[i + 1][j], at[i][j + 1]);
      if (i + j + 1 < edges) both(at[i + 1][j], at[i + 1][j + 1], at[i][j + 1]);
    }
  for (int layer = 0; layer < layers; ++layer)
    for (int i = 0; i < edges; ++i) {
      add_quad(mesh, id(layer, i, 0), id(layer + 1, i, 0), id(layer + 1, i + 1, 0),
               id(layer, i + 1, 0));
      add_quad(mesh, id(layer, 0, i), id(layer, 0, i + 1), id(layer + 1, 0, i + 1),
               id(layer + 1, 0, i));
      add_quad(mesh, id(layer, i, edges - i), id(layer, i + 1, edges - i - 1),
               id(layer + 1, i + 1, edges - i - 1), id(layer + 1, i, edges - i));
    }
  return finished(std::move(mesh));
}

}  // namespace pliant
