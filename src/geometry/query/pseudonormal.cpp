#include "geometry/query/pseudonormal.h"

#include <algorithm>
#include <cmath>

namespace pliant {
namespace {

Vec3 unit_or_zero(const Vec3& v) {
  const double length = v.norm();
  return length > 0 ? Vec3(v / length) : Vec3(Vec3::Zero());
}

double angle_between(const Vec3& u, const Vec3& v) {
  return std::atan2(u.cross(v).norm(), u.dot(v));
}

// Sides of all triangles, those of one edge together.
struct Side {
  int low, high;
  int index;  // 3 * triangle + side
};

std::vector<Side> sorted_sides(const TriangleMesh& mesh) {
  std::vector<Side> sides;
  sides.reserve(3 * mesh.triangles.size());
  for (int t = 0; t < int(mesh.triangles.size()); ++t) {
    for (int k = 0; k < 3; ++k) {
      const auto [low, high] = std::minmax(mesh.triangles[t][k], mesh.triangles[t][(k + 1) % 3]);
      sides.push_back({low, high, 3 * t + k});
    }
  }
  std::sort(sides.begin(), sides.end(), [](const Side& a, const Side& b) {
    if (a.low != b.low) return a.low < b.low;
    if (a.high != b.high) return a.high < b.high;
    return a.index < b.index;
  });
  return sides;
}

}  // namespace

Pseudonormals::Pseudonormals(const TriangleMesh& mesh) {
  const int count = int(mesh.triangles.size());
  face_.resize(count);
  edge_.resize(count);
  vertex_.assign(mesh.points.size(), Vec3::Zero());
  for (int t = 0; t < count; ++t) {
    const Triangle& corner = mesh.triangles[t];
    face_[t] = unit_or_zero(area_vector(mesh, t));
    for (int k = 0; k < 3; ++k) {
      const Vec3& here = mesh.points[corner[k]];
      const Vec3 u = mesh.points[corner[(k + 1) % 3]] - here;
      const Vec3 v = mesh.points[corner[(k + 2) % 3]] - here;
      vertex_[corner[k]] += angle_between(u, v) * face_[t];
    }
  }
  for (Vec3& normal : vertex_) normal = unit_or_zero(normal);

  const std::vector<Side> sides = sorted_sides(mesh);
  for (std::size_t i = 0; i < sides.size();) {
    std::size_t end = i;
    Vec3 sum = Vec3::Zero();
    for (; end < sides.size() && sides[end].low == sides[i].low && sides[end].high == sides[i].high;
         ++end)
      sum += face_[sides[end].index / 3];
    for (; i < end; ++i) edge_[sides[i].index / 3][sides[i].index % 3] = unit_or_zero(sum);
  }

  // Triangles without area borrow from their surroundings, and sharp folds, whose sum vanishes,
  // from their faces.
  for (int t = 0; t < count; ++t) {
    if (face_[t].isZero(0)) {
      const Triangle& corner = mesh.triangles[t];
      face_[t] = unit_or_zero(vertex_[corner[0]] + vertex_[corner[1]] + vertex_[corner[2]]);
      if (face_[t].isZero(0)) face_[t] = Vec3::UnitY();
    }
    for (int k = 0; k < 3; ++k) {
      if (edge_[t][k].isZero(0)) edge_[t][k] = face_[t];
      Vec3& vertex = vertex_[mesh.triangles[t][k]];
      if (vertex.isZero(0)) vertex = face_[t];
    }
  }
}

Vec3 Pseudonormals::at(const TriangleMesh& mesh, const SurfacePoint& at) const {
  // closest_on_triangle gives exact zeros on edges and corners; the rest is for points made
  // elsewhere.
  constexpr double on_edge = 1e-12;
  const Vec3& share = at.share;
  for (int k = 0; k < 3; ++k)
    if (share[(k + 1) % 3] <= on_edge && share[(k + 2) % 3] <= on_edge)
      return vertex_[mesh.triangles[at.triangle][k]];
  for (int k = 0; k < 3; ++k)
    if (share[(k + 2) % 3] <= on_edge) return edge_[at.triangle][k];
  return face_[at.triangle];
}

}  // namespace pliant
