#include "geometry/mesh/triangle_mesh.h"

#include <doctest/doctest.h>

#include "geometry/mesh/primitives.h"

using namespace pliant;

TEST_CASE("volume and area do not depend on where a surface stands") {
  TriangleMesh mesh = box_mesh({1, 2, 3}, 0.5);
  CHECK(volume(mesh) == doctest::Approx(6).epsilon(1e-13));
  CHECK(area(mesh) == doctest::Approx(22).epsilon(1e-13));
  for (Vec3& p : mesh.points) p += Vec3(1e4, -2e4, 3e4);
  CHECK(volume(mesh) == doctest::Approx(6).epsilon(1e-9));
}

TEST_CASE("volume changes its sign with the sense of the triangles") {
  TriangleMesh mesh = sphere_mesh(1, 0.4);
  const double before = volume(mesh);
  for (Triangle& t : mesh.triangles) std::swap(t[0], t[1]);
  CHECK(volume(mesh) == doctest::Approx(-before));
}

TEST_CASE("area vectors of a closed surface sum to zero") {
  const TriangleMesh mesh = torus_mesh(1, 0.3, 0.1);
  Vec3 sum = Vec3::Zero();
  for (int t = 0; t < int(mesh.triangles.size()); ++t) sum += area_vector(mesh, t);
  CHECK(sum.norm() < 1e-13);
}

TEST_CASE("a mesh without triangles has no volume and no area") {
  CHECK(volume(TriangleMesh()) == 0);
  CHECK(area(TriangleMesh()) == 0);
}

TEST_CASE("groups are found by name") {
  TriangleMesh mesh;
  mesh.groups = {{"lid", {1, 2}}, {"base", {0}}};
  REQUIRE(mesh.group("base"));
  CHECK(mesh.group("base")->triangles == std::vector<int>{0});
  CHECK(mesh.group("handle") == nullptr);
}
