#include "geometry/query/self_crossing.h"

#include <cmath>
#include <doctest/doctest.h>

#include "geometry/mesh/fish.h"
#include "geometry/mesh/primitives.h"
#include "geometry/mesh/test_models.h"
#include "geometry/query/orientation.h"
#include "math/test_random.h"

using namespace pliant;
using test::joined;

namespace {

bool crosses_brute_force(const TriangleMesh& mesh) {
  for (int i = 0; i < int(mesh.triangles.size()); ++i)
    for (int j = i + 1; j < int(mesh.triangles.size()); ++j)
      if (triangles_cross(mesh, i, j)) return true;
  return false;
}

}  // namespace

TEST_CASE("orientation is exact: points moved off a plane by one rounding are told apart") {
  // Whole numbers in a plane x + y + z = constant, far from the origin: products of differences
  // cancel completely.
  const double far = 1 << 26;
  const Vec3 a(far, 1, 2), b(3, far, 4), c(far / 2, far / 2, 3), n(1, 1, 1);
  for (int i = 0; i < 200; ++i) {
    const double s = std::ldexp(std::floor(1024 * random_unit(1, 2 * i)), -10),
                 t = std::ldexp(std::floor(1024 * random_unit(1, 2 * i + 1)), -10);
    const Vec3 p = a + s * (b - a) + t * (c - a);  // exact: few digits
    CHECK(orientation(a, b, c, p) == 0);
    const Vec3 normal = (b - a).cross(c - a);
    for (int axis = 0; axis < 3; ++axis) {
      Vec3 up = p, down = p;
      up[axis] = std::nextafter(p[axis], 1e300);
      down[axis] = std::nextafter(p[axis], -1e300);
      const int side = normal[axis] > 0 ? -1 : normal[axis] < 0 ? 1 : 0;
      CHECK(orientation(a, b, c, up) == side);
      CHECK(orientation(a, b, c, down) == -side);
      CHECK(orientation(b, a, c, up) == -side);
    }
  }
}

TEST_CASE("primitives do not cross themselves") {
  for (const double edge : {0.1, 0.03, 0.011}) CHECK(!find_self_crossing(fish_mesh(1, edge)));
  CHECK(!find_self_crossing(box_mesh({1, 0.6, 0.4}, 0.1)));
  CHECK(!find_self_crossing(sphere_mesh(0.5, 0.05)));
  CHECK(!find_self_crossing(cylinder_mesh(0.5, 1, 0.1)));
  CHECK(!find_self_crossing(capsule_mesh(0.3, 0.7, 0.1)));
  CHECK(!find_self_crossing(torus_mesh(0.5, 0.2, 0.05)));
}

TEST_CASE("two shells cross where they overlap, not where one holds the other or they touch") {
  const TriangleMesh ball = sphere_mesh(0.5, 0.15), box = box_mesh(Vec3::Ones(), 0.5);
  CHECK(find_self_crossing(joined(ball, ball, {0.6, 0.1, 0})));
  CHECK(!find_self_crossing(joined(ball, ball, {1.1, 0, 0})));
  CHECK(!find_self_crossing(joined(box, sphere_mesh(0.4, 0.1), Vec3::Zero())));
  CHECK(find_self_crossing(joined(box, sphere_mesh(0.55, 0.1), Vec3::Zero())));
  CHECK(!find_self_crossing(joined(box, box, {1, 0, 0})));  // face on face
  CHECK(find_self_crossing(joined(box, box, {0.75, 0.25, 0.25})));
}

TEST_CASE("a sheet folded flat onto itself crosses itself") {
  TriangleMesh sheet;
  sheet.points = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0.2, 0.7, 0}};
  sheet.triangles = {{0, 1, 2}, {1, 0, 3}};
  CHECK(triangles_cross(sheet, 0, 1));
  sheet.points[3] = {0.2, -0.7, 0};
  CHECK(!triangles_cross(sheet, 0, 1));
  sheet.points[3] = {0.2, 0.7, 1e-300};
  CHECK(!triangles_cross(sheet, 0, 1));
}

TEST_CASE("the tree finds a crossing exactly when brute force does") {
  int crossing = 0;
  for (int i = 0; i < 60; ++i) {
    const TriangleMesh mesh = joined(sphere_mesh(0.5, 0.4), box_mesh({0.5, 0.4, 0.3}, 0.3),
                                     0.8 * test::random_vector(7, i));
    const bool found = find_self_crossing(mesh).has_value();
    CHECK(found == crosses_brute_force(mesh));
    crossing += found;
  }
  CHECK(crossing > 10);
  CHECK(crossing < 50);
}
