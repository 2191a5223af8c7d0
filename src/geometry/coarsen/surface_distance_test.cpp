#include "geometry/coarsen/surface_distance.h"

#include <doctest/doctest.h>

#include "geometry/mesh/primitives.h"

using namespace pliant;

TEST_CASE("the distance of two balls is that of their radii, outside only one way") {
  const TriangleMesh large = sphere_mesh(1.1, 0.05), small = sphere_mesh(1, 0.05);
  const SurfaceDistance out = surface_distance(large, small), in = surface_distance(small, large);
  CHECK(out.outward == doctest::Approx(0.1).epsilon(0.03));
  CHECK(out.either == doctest::Approx(0.1).epsilon(0.03));
  CHECK(in.outward == 0);
  CHECK(in.either == doctest::Approx(out.either).epsilon(1e-12));
}

TEST_CASE("a surface has no distance from itself") {
  const TriangleMesh mesh = torus_mesh(1, 0.3, 0.1);
  CHECK(surface_distance(mesh, mesh).either < 1e-15);
}

TEST_CASE("layers are as far apart as a plate is thick") {
  const TriangleMesh plate = box_mesh({1, 0.05, 1}, 0.1);
  const std::vector<double> layers = layer_distances(plate, 10);
  for (std::size_t v = 0; v < plate.points.size(); ++v) {
    const Vec3& p = plate.points[v];
    if (std::max(std::abs(p.x()), std::abs(p.z())) < 0.45)
      CHECK(layers[v] == doctest::Approx(0.05).epsilon(0.01));
  }
}
