#include "methods/nurbs/paper/voting.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/parallel.h"
#include "geometry/query/ray.h"

namespace pliant::nurbs::paper {
namespace {

// Of a part: triangles that vote, and rays of each. Models of very many parts have fewer.
constexpr int most_voters = 60;
constexpr int directions = 40;
constexpr int most_rays = 200'000;

/// Evenly over the sphere.
Vec3 direction(int k) {
  const double z = 1 - (2 * k + 1.0) / directions;
  const double turn = std::numbers::pi * (3 - std::sqrt(5.0)) * k, r = std::sqrt(1 - z * z);
  return {r * std::cos(turn), r * std::sin(turn), z};
}

/// Rays on one side.
struct Side {
  int escaped = 0;
  double way = 0;  // [m] of those that did not
  int met = 0;
  double mean() const { return way / std::max(1, met); }
};

bool looks_inwards(const PartSurface& surface, const TriangleMesh& face, int voters) {
  Side side[2];  // before and behind
  const int step = std::max(1, int(face.triangles.size()) / voters);
  for (std::size_t t = 0; t < face.triangles.size(); t += std::size_t(step)) {
    const Vec3 &a = face.points[face.triangles[t][0]], &b = face.points[face.triangles[t][1]],
               &c = face.points[face.triangles[t][2]];
    const Vec3 normal = (b - a).cross(c - a);
    for (int k = 0; k < directions; ++k) {
      const Vec3 way = direction(k);
      Side& to = side[normal.dot(way) < 0];
      const double far =
          ray_distance(surface.drawn.mesh, surface.tree, (a + b + c) / 3, way, surface.slack);
      if (std::isfinite(far)) {
        ++to.met;
        to.way += far;
      } else {
        ++to.escaped;
      }
    }
  }
  if (side[0].escaped != side[1].escaped) return side[0].escaped < side[1].escaped;
  return side[0].mean() < side[1].mean();
}

}  // namespace

TriangleMesh outward_faces(const PartSurface& surface) {
  const int voters =
      std::clamp(most_rays / directions / std::max(1, surface.parts()), 1, most_voters);
  std::vector<char> is_turned(std::size_t(surface.parts()));
  parallel_for(surface.parts(), 1, [&](int begin, int end) {
    for (int p = begin; p < end; ++p)
      is_turned[p] = looks_inwards(surface, surface.face[p], voters);
  });
  TriangleMesh mesh = surface.drawn.mesh;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
    if (is_turned[surface.drawn.patch[t]]) std::swap(mesh.triangles[t][1], mesh.triangles[t][2]);
  return mesh;
}

}  // namespace pliant::nurbs::paper
