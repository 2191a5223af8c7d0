#include "geometry/query/penetration.h"

#include <array>
#include <doctest/doctest.h>

#include "geometry/mesh/primitives.h"
#include "geometry/mesh/test_broken.h"

using namespace pliant;

TEST_CASE("the deepest point inside a box is as deep as its nearest face") {
  const TriangleMesh box = box_mesh({2, 2, 2}, 0.5);
  const std::array<Vec3, 3> points = {Vec3(0.9, 0, 0), Vec3(0, 0.7, 0.2), Vec3(0, 1.3, 0)};
  CHECK(deepest_inside(points, box) == doctest::Approx(0.3));
  CHECK(deepest_inside(std::span(points).subspan(2), box) == 0);
  CHECK(deepest_inside({}, box) == 0);
}

TEST_CASE("what lies between two surfaces of one body is inside neither") {
  const TriangleMesh box = box_mesh({1, 1, 1}, 0.5);
  const TriangleMesh two = test::joined(box, box, {3, 0, 0});
  const std::array<Vec3, 2> points = {Vec3(1.5, 0, 0), Vec3(3.4, 0, 0)};
  CHECK(deepest_inside(std::span(points).first(1), two) == 0);
  CHECK(deepest_inside(points, two) == doctest::Approx(0.1));
}
