#include "geometry/coarsen/surface_distance.h"

#include <algorithm>

#include "core/parallel.h"
#include "geometry/mesh/topology.h"
#include "geometry/query/pseudonormal.h"
#include "geometry/query/ray.h"

namespace pliant {
namespace {

constexpr int grain = 256;

/// Vertices, middles of edges (those between triangles twice) and of triangles.
std::vector<Vec3> samples_of(const TriangleMesh& mesh) {
  std::vector<Vec3> samples = mesh.points;
  samples.reserve(samples.size() + 4 * mesh.triangles.size());
  for (const Triangle& t : mesh.triangles) {
    const Vec3 &a = mesh.points[t[0]], &b = mesh.points[t[1]], &c = mesh.points[t[2]];
    samples.push_back((a + b + c) / 3);
    samples.push_back(0.5 * (a + b));
    samples.push_back(0.5 * (b + c));
    samples.push_back(0.5 * (c + a));
  }
  return samples;
}

std::vector<Vec3> vertex_normals(const TriangleMesh& mesh) {
  std::vector<Vec3> normals(mesh.points.size(), Vec3::Zero());
  for (int t = 0; t < int(mesh.triangles.size()); ++t)
    for (const int v : mesh.triangles[t]) normals[v] += area_vector(mesh, t);
  for (Vec3& n : normals) n.normalize();
  return normals;
}

}  // namespace

std::vector<SurfacePoint> closest_points(const TriangleMesh& surface, const Bvh& bvh,
                                         const std::vector<Vec3>& points) {
  std::vector<SurfacePoint> closest(points.size());
  parallel_for(int(points.size()), grain, [&](int begin, int end) {
    for (int i = begin; i < end; ++i) closest[i] = bvh.closest_point(surface, points[i]);
  });
  return closest;
}

SurfaceDistance surface_distance(const TriangleMesh& first, const TriangleMesh& second) {
  SurfaceDistance found;
  const bool has_inside = is_closed(second);
  const Pseudonormals normals(second);
  const std::vector<Vec3> samples = samples_of(first);
  const std::vector<SurfacePoint> on_second = closest_points(second, Bvh(second), samples);
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const SurfacePoint& at = on_second[i];
    found.either = std::max(found.either, at.distance);
    if (!has_inside || normals.at(second, at).dot(samples[i] - at.point) > 0)
      found.outward = std::max(found.outward, at.distance);
  }
  for (const SurfacePoint& at : closest_points(first, Bvh(first), samples_of(second)))
    found.either = std::max(found.either, at.distance);
  return found;
}

std::vector<double> layer_distances(const TriangleMesh& surface, double reach) {
  constexpr double facing = -0.3;  // cosine of two normals that face each other
  const Bvh bvh(surface);
  const std::vector<Vec3> normals = vertex_normals(surface);
  std::vector<double> distances(surface.points.size(), reach);
  parallel_for(int(distances.size()), grain, [&](int begin, int end) {
    for (int v = begin; v < end; ++v)
      for (const double side : {-1.0, 1.0}) {
        // Not quite straight: in regular meshes a corner lies behind each other one, and rays may
        // slip through between triangles there.
        const Vec3 across = normals[v].unitOrthogonal();
        const Vec3 way = side * normals[v] + 0.05 * across + 0.03 * normals[v].cross(across);
        const RayHit hit = first_triangle(surface, bvh, surface.points[v], way, 1e-6 * reach);
        if (hit.triangle < 0 || hit.distance >= distances[v]) continue;
        if (area_vector(surface, hit.triangle).normalized().dot(normals[v]) < facing)
          distances[v] = hit.distance;
      }
  });
  return distances;
}

}  // namespace pliant
