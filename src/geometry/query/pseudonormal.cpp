#include "geometry/query/pseudonormal.h"

#include <algorithm>
#include <cmath>

#include "geometry/mesh/sides.h"

namespace pliant {
namespace {

Vec3 unit_or_zero(const Vec3& v) {
  const double length = v.norm();
  return length > 0 ? Vec3(v / length) : Vec3(Vec3::Zero());
}

double angle_between(const Vec3& u, const Vec3& v) {
  return std::atan2(u.cross(v).norm(), u.dot(v));
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

  for_each_edge(sorted_sides(mesh.triangles), [&](const Side* begin, const Side* end) {
    Vec3 sum = Vec3::Zero();
    for (const Side* side = begin; side < end; ++side) sum += face_[side->index / 3];
    for (const Side* side = begin; side < end; ++side)
      edge_[side->index / 3][side->index % 3] = unit_or_zero(sum);
  });

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
