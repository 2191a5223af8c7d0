#pragma once

#include <cmath>
#include <functional>
#include <numbers>

#include "core/random.h"
#include "geometry/mesh/triangle_mesh.h"

// Surfaces as files bring them: what the tests of several rooms break in the same way.

namespace pliant::test {

inline TriangleMesh joined(TriangleMesh mesh, const TriangleMesh& other,
                           const Vec3& by = Vec3::Zero()) {
  const int first = int(mesh.points.size());
  for (const Vec3& p : other.points) mesh.points.push_back(p + by);
  for (const Triangle& t : other.triangles)
    mesh.triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
  return mesh;
}

inline TriangleMesh inside_out(TriangleMesh mesh) {
  for (Triangle& t : mesh.triangles) std::swap(t[1], t[2]);
  return mesh;
}

/// Every triangle with points of its own, as STL and some exporters write it, moved by up to half
/// of `noise` [m].
inline TriangleMesh soup(const TriangleMesh& mesh, double noise = 0) {
  TriangleMesh result;
  std::uint64_t counter = 0;
  for (const Triangle& t : mesh.triangles) {
    const int first = int(result.points.size());
    for (const int p : t) {
      Vec3 at = mesh.points[p];
      for (int k = 0; k < 3; ++k) at[k] += noise * (random_unit(11, counter++) - 0.5);
      result.points.push_back(at);
    }
    result.triangles.push_back({first, first + 1, first + 2});
  }
  return result;
}

/// Without the triangles whose middle is `gone`; all points stay.
inline TriangleMesh without(TriangleMesh mesh, const std::function<bool(const Vec3&)>& gone) {
  std::vector<Triangle> kept;
  for (const Triangle& t : mesh.triangles)
    if (!gone((mesh.points[t[0]] + mesh.points[t[1]] + mesh.points[t[2]]) / 3)) kept.push_back(t);
  mesh.triangles = kept;
  return mesh;
}

/// A wavy sheet of n x n squares of edge 0.15 m.
inline TriangleMesh sheet(int n, double wave) {
  TriangleMesh mesh;
  for (int j = 0; j <= n; ++j)
    for (int i = 0; i <= n; ++i)
      mesh.points.emplace_back(0.15 * i, wave * std::sin(1.1 * i) * std::cos(0.9 * j), 0.15 * j);
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) {
      const int a = i + (n + 1) * j, b = a + n + 1;
      mesh.triangles.push_back({a, b, a + 1});
      mesh.triangles.push_back({a + 1, b, b + 1});
    }
  return mesh;
}

/// A band with a half turn.
inline TriangleMesh moebius() {
  TriangleMesh mesh;
  const int n = 20;
  for (int i = 0; i < n; ++i) {
    const double a = 2 * std::numbers::pi * i / n;
    const Vec3 out(std::cos(a), 0, std::sin(a));
    const Vec3 across = std::cos(a / 2) * out + std::sin(a / 2) * Vec3::UnitY();
    mesh.points.push_back(out - 0.3 * across);
    mesh.points.push_back(out + 0.3 * across);
  }
  for (int i = 0; i < n; ++i) {
    const int a = 2 * i, b = a + 1, c = i + 1 < n ? a + 2 : 1, d = i + 1 < n ? a + 3 : 0;
    mesh.triangles.push_back({a, b, c});
    mesh.triangles.push_back({b, d, c});
  }
  return mesh;
}

}  // namespace pliant::test
