#include "geometry/intake/thicken.h"

#include <doctest/doctest.h>

#include "geometry/mesh/primitives.h"
#include "geometry/mesh/test_broken.h"
#include "geometry/mesh/topology.h"

using namespace pliant;

TEST_CASE(
    "a sheet becomes a closed solid of its area times the thickness, points in their places") {
  TriangleMesh sheet;
  sheet.points = {{0, 0, 0}, {1, 0, 0}, {1, 0, -2}, {0, 0, -2}};
  sheet.triangles = {{0, 1, 2}, {0, 2, 3}};
  const TriangleMesh solid = thickened(sheet, 0.25);
  CHECK(is_closed(solid));
  CHECK(is_oriented(solid));
  CHECK(volume(solid) == doctest::Approx(0.5));
  for (int p = 0; p < 4; ++p) CHECK(solid.points[p] == sheet.points[p]);
}

TEST_CASE("half a sphere becomes a bowl of that thickness, to first order") {
  const TriangleMesh half =
      test::without(sphere_mesh(1, 0.1), [](const Vec3& p) { return p.y() > 0; });
  const double h = 0.02;
  const TriangleMesh bowl = thickened(half, h);
  CHECK(is_closed(bowl));
  CHECK(volume(bowl) == doctest::Approx(h * area(half)).epsilon(2 * h));
}
