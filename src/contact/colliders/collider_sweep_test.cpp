#include "contact/colliders/collider_sweep.h"

#include <doctest/doctest.h>

#include "contact/test_scene.h"
#include "geometry/mesh/primitives.h"

using namespace pliant;
using namespace pliant::test;

namespace {

/// First parameter at which the path is inside, by small steps; 2 when it never is.
double enter_by_steps(const ColliderShape& shape, const Vec3& from, const Vec3& to) {
  for (int i = 0; i <= 4000; ++i) {
    const double t = i / 4000.0;
    const auto hit = shape_distance(shape, from + t * (to - from));
    if (hit && hit->gap < 0) return t;
  }
  return 2;
}

}  // namespace

TEST_CASE("a path enters where small steps along it first find the inside") {
  const std::vector<ColliderShape> shapes = {SphereShape{0.4}, BoxShape{{0.3, 0.05, 0.4}},
                                             CapsuleShape{0.2, 0.3},
                                             mesh_shape(torus_mesh(0.3, 0.1, 0.1))};
  for (std::size_t s = 0; s < shapes.size(); ++s) {
    CAPTURE(s);
    int entered = 0;
    for (int i = 0; i < 120; ++i) {
      const Vec3 from = 0.8 * random_vector(11, std::uint64_t(i));
      const Vec3 to = 0.8 * random_vector(12, std::uint64_t(i));
      if (shape_distance(shapes[s], from)->gap < 0) continue;
      const double judge = enter_by_steps(shapes[s], from, to);
      const auto hit = sweep(shapes[s], from, to);
      if (judge > 1 && hit) {  // a corner cut between two steps
        const double t = (hit->point - from).norm() / (to - from).norm();
        CHECK(std::abs(shape_distance(shapes[s], from + (t + 1e-4) * (to - from))->gap) < 1e-3);
        continue;
      }
      CHECK((judge <= 1) == hit.has_value());
      if (!hit) continue;
      ++entered;
      CHECK((hit->point - from).norm() ==
            doctest::Approx(judge * (to - from).norm()).epsilon(2e-3));
      CHECK(std::abs(shape_distance(shapes[s], hit->point)->gap) < 1e-9);
      CHECK(hit->normal.dot(to - from) < 0);
      CHECK(hit->gap == doctest::Approx(hit->normal.dot(to - hit->point)));
    }
    CHECK(entered > 15);
  }
}

TEST_CASE(
    "past the middle of a thin wall, or through it, a vertex still belongs to the side it came "
    "from") {
  const std::vector<ColliderShape> walls = {BoxShape{{0.5, 0.001, 0.5}},
                                            mesh_shape(box_mesh({1, 0.002, 1}, 0.25))};
  for (const ColliderShape& wall : walls)
    for (const double end : {0.0005, -0.0005, -0.003, -0.2}) {
      const auto found = touch(wall, {0.1, 0.1, 0.2}, {0.13, end, 0.17}, 0.05);
      REQUIRE(found);
      CHECK(found->entered);
      CHECK(found->hit.normal.y() == doctest::Approx(1));
      CHECK(found->hit.gap == doctest::Approx(end - 0.001));
    }
}

TEST_CASE("the first of two thin walls holds, though the second faces the same way") {
  TriangleMesh two = box_mesh({1, 0.002, 1}, 0.5);
  const TriangleMesh one = two;
  for (const Vec3& p : one.points) two.points.push_back(p - Vec3(0, 0.05, 0));
  for (const Triangle& t : one.triangles) {
    const int n = int(one.points.size());
    two.triangles.push_back({t[0] + n, t[1] + n, t[2] + n});
  }
  const MeshShape shape = mesh_shape(two);
  REQUIRE(shape.closed);
  for (const double end : {-0.0492, -0.048}) {
    const auto found = touch(shape, {0.1, 0.02, 0.2}, {0.1, end, 0.2}, 0.05);
    REQUIRE(found);
    CHECK(found->hit.gap == doctest::Approx(end - 0.001));
  }
}

TEST_CASE("an open sheet keeps either side") {
  TriangleMesh sheet;
  sheet.points = {{-1, 0, -1}, {1, 0, -1}, {1, 0, 1}, {-1, 0, 1}};
  sheet.triangles = {{0, 2, 1}, {0, 3, 2}};
  const MeshShape shape = mesh_shape(sheet);
  REQUIRE(!shape.closed);
  for (const double side : {1.0, -1.0}) {
    const auto crossed = touch(shape, {0.2, 0.1 * side, 0.2}, {0.2, -0.3 * side, 0.2}, 0.05);
    REQUIRE(crossed);
    CHECK(crossed->hit.normal.y() == doctest::Approx(side));
    CHECK(crossed->hit.gap == doctest::Approx(-0.3));
    const auto beside = touch(shape, {0.2, 0.1 * side, 0.2}, {0.2, 0.02 * side, 0.2}, 0.05);
    REQUIRE(beside);
    CHECK(beside->hit.normal.y() == doctest::Approx(side));
    CHECK(beside->hit.gap == doctest::Approx(0.02));
    CHECK(!touch(shape, {1.5, 0.1 * side, 0}, {1.5, -0.1 * side, 0}, 0.05));  // past the rim
  }
}

TEST_CASE("no path slips between the triangles of a wall") {
  const MeshShape wall = mesh_shape(box_mesh({1, 0.002, 1}, 0.05));
  int missed = 0;
  for (int i = 0; i < 400; ++i) {
    // Ends on edges, corners and middles of the wall's own grid.
    const Vec3 aim(0.025 * (i % 17 - 8), 0.001, 0.025 * (i / 17 % 17 - 8));
    const Vec3 slant = 0.1 * random_vector(21, std::uint64_t(i));
    const Vec3 up(slant.x(), 0.1, slant.z());
    if (!sweep(wall, aim + up, aim - up)) ++missed;
  }
  CHECK(missed == 0);
}
