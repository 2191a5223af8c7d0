#include "contact/surface/closest_feature.h"

#include <doctest/doctest.h>

#include "contact/test_scene.h"
#include "geometry/mesh/primitives.h"

using namespace pliant;
using namespace pliant::test;

namespace {

struct Around {
  explicit Around(const TriangleMesh& mesh) : body(surface_body(mesh)) {
    topology.build(body.skin);
  }

  SurfacePoint closest(int triangle, const Vec3& x) const {
    const auto [i, j, k] = body.skin.triangles[triangle];
    const std::vector<Vec3>& p = body.skin.position;
    SurfacePoint found = closest_on_triangle(x, p[i], p[j], p[k]);
    found.triangle = triangle;
    return found;
  }
  bool is_below(const SurfacePoint& at, const Vec3& x) const {
    const ClosestFeature feature{body.skin, topology, at};
    return feature.is_below(x - at.point, feature.normal());
  }

  Body body;
  SkinTopology topology;
};

}  // namespace

TEST_CASE("everybody, inside and outside, is over the nearest point of a whole skin") {
  for (const TriangleMesh& mesh : {sphere_mesh(0.3, 0.05), box_mesh({0.6, 0.4, 0.5}, 0.1),
                                   torus_mesh(0.3, 0.1, 0.04), capsule_mesh(0.1, 0.4, 0.04)}) {
    const Around around(mesh);
    for (int i = 0; i < 400; ++i) {
      const Vec3 x = 0.5 * random_vector(5, std::uint64_t(i));
      SurfacePoint nearest;
      nearest.distance = 10;
      for (int t = 0; t < int(mesh.triangles.size()); ++t)
        if (const SurfacePoint here = around.closest(t, x); here.distance < nearest.distance)
          nearest = here;
      CHECK(around.is_below(nearest, x));
    }
  }
}

TEST_CASE("a point over one triangle is beside all that are further away than it is high") {
  const TriangleMesh mesh = box_mesh({1, 0.4, 1}, 0.1);
  const Around around(mesh);
  int beside = 0;
  for (const double height : {0.01, -0.01})
    for (const double a : {0.12, 0.31})
      for (const double b : {-0.27, 0.05}) {
        const Vec3 x(a, 0.2 + height, b);
        for (int t = 0; t < int(mesh.triangles.size()); ++t) {
          const bool top = face_normal(around.body.skin, mesh.points, t).y() > 0.9;
          const SurfacePoint here = around.closest(t, x);
          if (!top || here.distance < 4 * std::abs(height)) continue;
          ++beside;
          CHECK(!around.is_below(here, x));
        }
      }
  CHECK(beside > 100);
}
