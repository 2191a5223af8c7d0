#include "geometry/query/pseudonormal.h"

#include <doctest/doctest.h>

#include "core/random.h"
#include "geometry/mesh/primitives.h"
#include "geometry/query/winding_number.h"

using namespace pliant;

namespace {

// Spikes: closest points are mostly corners and edges with very unlike neighbours.
TriangleMesh star() {
  TriangleMesh mesh = sphere_mesh(0.5, 0.5);
  for (std::size_t p = 0; p < mesh.points.size(); p += 3) mesh.points[p] *= 2.5;
  return mesh;
}

}  // namespace

TEST_CASE("pseudonormals tell inside from outside for every closest feature") {
  for (const TriangleMesh& mesh : {star(), box_mesh({1, 1, 1}, 1), torus_mesh(0.6, 0.25, 0.2)}) {
    const Bvh bvh(mesh);
    const Pseudonormals normals(mesh);
    int corners = 0;
    for (int i = 0; i < 2000; ++i) {
      Vec3 p;
      for (int a = 0; a < 3; ++a) p[a] = 3 * random_unit(1, std::uint64_t(3 * i + a)) - 1.5;
      const SurfacePoint at = bvh.closest_point(mesh, p);
      if (at.distance < 1e-9) continue;
      corners += at.share.maxCoeff() == 1;
      const bool inside = (p - at.point).dot(normals.at(mesh, at)) < 0;
      REQUIRE(inside == (winding_number_brute_force(mesh, p) > 0.5));
    }
    CHECK(corners > 20);
  }
}

TEST_CASE("pseudonormals have unit length, also at triangles without area") {
  TriangleMesh mesh = box_mesh({1, 1, 1}, 1);
  mesh.triangles.push_back({0, 0, 1});
  const Pseudonormals normals(mesh);
  for (int t = 0; t < int(mesh.triangles.size()); ++t) {
    CHECK(normals.face(t).norm() == doctest::Approx(1));
    for (const Vec3& share :
         {Vec3(1, 0, 0), Vec3(0, 0.5, 0.5), Vec3(0.5, 0, 0.5), Vec3(0.2, 0.3, 0.5)})
      CHECK(normals.at(mesh, {t, Vec3::Zero(), share, 0}).norm() == doctest::Approx(1));
  }
}
