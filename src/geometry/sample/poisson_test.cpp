#include "geometry/sample/poisson.h"

#include <doctest/doctest.h>

#include "geometry/mesh/primitives.h"
#include "geometry/query/neighbours.h"

using namespace pliant;

TEST_CASE("points lie inside, keep their distance, and leave no gap of two spacings") {
  const TriangleMesh ball = sphere_mesh(0.5, 0.08);
  const double spacing = 0.08;
  const std::vector<Vec3> points = poisson_points(ball, spacing);
  const Neighbours near(points, spacing);
  std::vector<int> found;
  for (const Vec3& p : points) {
    CHECK(p.norm() < 0.5);
    near.within(p, spacing, found);
    CHECK(found.size() == 1);
  }
  for (const Vec3& p : points) {
    near.within(0.9 * p, 2 * spacing, found);
    CHECK(!found.empty());
  }
}

TEST_CASE("the spacing for a number of points finds about as many, the same ones each time") {
  const TriangleMesh bar = box_mesh(Vec3(2, 0.3, 0.3), 0.1);
  const double spacing = poisson_spacing(0.18, 600);
  const std::vector<Vec3> points = poisson_points(bar, spacing);
  CHECK(points.size() > 500);
  CHECK(points.size() < 720);
  CHECK(points == poisson_points(bar, spacing));
}
