#include "methods/rigid/matter.h"

#include <doctest/doctest.h>
#include <numbers>

#include "core/errors.h"
#include "geometry/mesh/moments.h"
#include "geometry/sample/tet_block.h"
#include "methods/rigid/test_bodies.h"

using namespace pliant;
using namespace pliant::rigid;
using namespace pliant::test;

namespace {

Mat3 inertia_of_surface(const TriangleMesh& surface, double density) {
  return density * inertia_of(moments(surface, Vec3::Zero()).spread());
}

}  // namespace

TEST_CASE("four equal nodes weigh, balance and turn exactly like the surface they stand for") {
  const Pose pose{Quat(Eigen::AngleAxisd(0.6, Vec3(2, -1, 1).normalized())), {3, -1, 2}};
  for (TriangleMesh surface :
       {box_mesh({0.2, 0.7, 1.1}, 0.1), sphere_mesh(0.4, 0.1), cylinder_mesh(0.1, 1.5, 0.05),
        torus_mesh(0.5, 0.1, 0.05), box_mesh({1, 0.001, 2}, 0.5), box_mesh({3, 0.01, 0.01}, 0.5)}) {
    const double expected = 1000 * volume(surface);
    for (Vec3& p : surface.points) p = pose.apply(p);
    const Body body = Settings().create(solid_of(surface));
    const Moments whole = moments(surface, pose.position);
    const Mat3 inertia = 1000 * inertia_of(whole.spread());
    REQUIRE(body.nodes.size() == 4);
    for (const double mass : body.nodes.mass) CHECK(mass == doctest::Approx(expected / 4));
    CHECK((centre_of_mass(body.nodes) - whole.centre() - pose.position).norm() < 1e-12);
    CHECK((inertia_of_nodes(body.nodes) - inertia).norm() < 1e-9 * inertia.norm());
  }
}

TEST_CASE("the skin hangs where the surface was, by weights that sum to one") {
  const TriangleMesh plate = box_mesh({1, 0.001, 2}, 0.2);
  Body body = rigid_body(plate, {Quat::Identity(), {5, 5, 5}});
  for (int v = 0; v < body.skin.weights.rows(); ++v) {
    double sum = 0;
    for (int k = body.skin.weights.start[v]; k < body.skin.weights.start[v + 1]; ++k)
      sum += body.skin.weights.weight[k];
    CHECK(sum == doctest::Approx(1).epsilon(1e-14));
    CHECK((body.skin.weights.gather(v, body.nodes.position) - body.skin.rest[v]).norm() < 1e-13);
  }
}

TEST_CASE("inertia of box, ball and rod is that of the textbook") {
  const auto diagonal = [](const TriangleMesh& mesh) {
    return Vec3(inertia_of_nodes(rigid_body(mesh).nodes).diagonal());
  };
  const Vec3 box = diagonal(box_mesh({1, 2, 3}, 1));
  CHECK((box - 6000.0 / 12 * Vec3(13, 10, 5)).norm() < 1e-8 * box.norm());
  const double pi = std::numbers::pi;
  const Vec3 ball = diagonal(sphere_mesh(0.5, 0.02));
  CHECK(ball.x() == doctest::Approx(0.4 * 0.25 * 1000 * 4.0 / 3 * pi / 8).epsilon(2e-3));
  const Vec3 rod = diagonal(cylinder_mesh(0.2, 2, 0.02));
  const double mass = 1000 * pi * 0.04 * 2;
  CHECK(rod.x() == doctest::Approx(mass * (3 * 0.04 + 4) / 12).epsilon(3e-3));
  CHECK(rod.y() == doctest::Approx(mass * 0.04 / 2).epsilon(6e-3));
}

TEST_CASE("tets, surfaces facing inwards and a given mass come to the same body") {
  TriangleMesh surface = box_mesh({1, 2, 3}, 1);
  for (Vec3& p : surface.points) p += Vec3(0.5, 1, 1.5);
  const Mat3 expected = inertia_of_surface(surface, 1000);
  Solid tets = solid_of({});
  tets.tets = tet_block({1, 2, 3}, {1, 2, 3});
  CHECK((inertia_of_nodes(Settings().create(tets).nodes) - expected).norm() <
        1e-9 * expected.norm());

  TriangleMesh inwards = surface;
  for (Triangle& t : inwards.triangles) std::swap(t[1], t[2]);
  const Body turned = Settings().create(solid_of(inwards));
  CHECK((inertia_of_nodes(turned.nodes) - expected).norm() < 1e-9 * expected.norm());
  CHECK(volume(turned.skin) == doctest::Approx(6));
  CHECK(turned.warnings.empty());

  Settings light;
  light.mass = 12;
  const Body given = light.create(solid_of(surface));
  CHECK(total_mass(given.nodes) == doctest::Approx(12));
  CHECK((inertia_of_nodes(given.nodes) - expected * 12 / 6000).norm() < 1e-9);
}

TEST_CASE("parts of another density and open surfaces are weighed by cells; sheets are refused") {
  Solid half = solid_of(box_mesh({1, 1, 2}, 0.25));
  half.parts.push_back({{}, elastic_material(1e5, 0.4, 3000)});
  half.parts[0].region.half_space = Region::HalfSpace{{0, 0, 0}, {0, 0, 1}};
  const Body uneven = Settings().create(half);
  CHECK(total_mass(uneven.nodes) == doctest::Approx(4000).epsilon(0.01));
  CHECK(centre_of_mass(uneven.nodes).z() == doctest::Approx(0.25).epsilon(0.02));

  Solid open = solid_of(sphere_mesh(0.5, 0.1));
  open.surface.triangles.resize(open.surface.triangles.size() - 6);
  const Body ball = Settings().create(open);
  REQUIRE(ball.warnings.size() == 1);
  CHECK(ball.warnings[0].find("not closed") != std::string::npos);
  const double mass = total_mass(ball.nodes);
  CHECK(mass == doctest::Approx(1000 * volume(sphere_mesh(0.5, 0.1))).epsilon(0.05));
  CHECK(inertia_of_nodes(ball.nodes)(0, 0) == doctest::Approx(0.1 * mass).epsilon(0.05));

  Solid sheet = solid_of({});
  sheet.surface.points = {{0, 0, 0}, {1, 0, 0}, {1, 0, 1}, {0, 0, 1}};
  sheet.surface.triangles = {{0, 2, 1}, {0, 3, 2}};
  CHECK_THROWS_AS(Settings().create(sheet), InputError);
}
