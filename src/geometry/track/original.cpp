#include "geometry/track/original.h"

#include <cmath>

#include "core/assert.h"

namespace pliant::track {
namespace {

std::vector<char> find_spikes(const TriangleMesh& mesh) {
  std::vector<Vec3> normal(mesh.points.size(), Vec3::Zero());
  for (int t = 0; t < int(mesh.triangles.size()); ++t) {
    const Triangle& i = mesh.triangles[t];
    for (int k = 0; k < 3; ++k) {
      const Vec3 u = mesh.points[i[(k + 1) % 3]] - mesh.points[i[k]];
      const Vec3 v = mesh.points[i[(k + 2) % 3]] - mesh.points[i[k]];
      normal[i[k]] += std::atan2(u.cross(v).norm(), u.dot(v)) * u.cross(v).stableNormalized();
    }
  }
  std::vector<char> spike(mesh.points.size(), 0);
  for (int t = 0; t < int(mesh.triangles.size()); ++t) {
    const Vec3 own = area_vector(mesh, t);
    for (const int p : mesh.triangles[t])
      if (own.dot(normal[p]) < 0.42 * own.norm() * normal[p].norm()) spike[p] = 1;
  }
  return spike;
}

}  // namespace

OriginalSurface::OriginalSurface(const TriangleMesh& mesh)
    : mesh_(mesh), bvh_(mesh), spike_(find_spikes(mesh)) {}

Vec3 OriginalSurface::point(const Origin& origin) const {
  ASSERT(origin.triangle >= 0, "inner material has no place on the original");
  const Triangle& t = mesh_.triangles[origin.triangle];
  const Vec3 w = origin.weights();
  return w[0] * mesh_.points[t[0]] + w[1] * mesh_.points[t[1]] + w[2] * mesh_.points[t[2]];
}

// A place on an edge or at a corner belongs to all triangles there; the weights carry over exactly.
bool OriginalSurface::expressed_in(int triangle, const Origin& origin, Vec3& weights) const {
  weights = origin.weights();
  if (origin.triangle == triangle) return true;
  const Triangle &from = mesh_.triangles[origin.triangle], &to = mesh_.triangles[triangle];
  const Vec3 given = weights;
  weights = Vec3::Zero();
  for (int i = 0; i < 3; ++i) {
    if (given[i] == 0) continue;
    int k = 0;
    while (k < 3 && to[k] != from[i]) ++k;
    if (k == 3) return false;
    weights[k] = given[i];
  }
  return true;
}

Origin OriginalSurface::between(std::span<const Origin> places, std::span<const double> weights,
                                int triangle) const {
  bool exact = triangle >= 0;
  double known = 0;
  for (std::size_t i = 0; i < places.size(); ++i)
    if (places[i].triangle >= 0) known += weights[i];
  if (!(known > 0)) return {};
  Vec3 sum = Vec3::Zero(), point_sum = Vec3::Zero();
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (places[i].triangle < 0) continue;
    Vec3 own;
    exact = exact && expressed_in(triangle, places[i], own);
    if (exact) sum += weights[i] / known * own;
    point_sum += weights[i] / known * point(places[i]);
  }
  if (exact) return {triangle, sum[1], sum[2]};
  const SurfacePoint found = bvh_.closest_point(mesh_, point_sum);
  return {found.triangle, found.share[1], found.share[2]};
}

Vec3 OriginalSurface::weights_in(int triangle, const Origin& origin) const {
  if (origin.triangle < 0) return Vec3::Constant(1.0 / 3);
  Vec3 weights;
  if (expressed_in(triangle, origin, weights)) return weights;
  return closest_on_triangle(point(origin), mesh_, triangle).share;
}

}  // namespace pliant::track
