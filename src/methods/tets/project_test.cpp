#include "methods/tets/project.h"

#include <doctest/doctest.h>
#include <limits>

#include "methods/tets/test_bodies.h"

using namespace pliant;
using namespace pliant::tets;

namespace {

constexpr double no_limit = std::numeric_limits<double>::infinity();

/// One tet with uneven masses.
struct One {
  TetMesh mesh{{{0, 0, 0}, {1, 0.1, 0}, {0.2, 0.9, 0}, {0.1, 0, 1.2}}, {{0, 1, 2, 3}}};
  std::vector<double> mass{100, 150, 80, 200};
  std::vector<double> mobility{1 / 100., 1 / 150., 1 / 80., 1 / 200.};
  TetElements elements;
  std::vector<Compliance> compliances;
  std::vector<Vec3> x = mesh.points;
  Multipliers multipliers;

  explicit One(double young, double poisson, double h = 1e-3, double guard = 0.4) {
    elements.add(mesh, mesh.tets[0], 1, NeoHookean::from(young, poisson), 0);
    scale_compliances(elements, mass, h, guard, compliances);
  }
  Projection run(double reach = no_limit) {
    return project(elements.nodes[0], elements.inverse_rest[0], compliances[0], reach, mobility, x,
                   multipliers);
  }
  double J() const { return deformation(elements, 0, x).determinant(); }
};

}  // namespace

TEST_CASE("a projection keeps linear momentum, and angular momentum about where it starts") {
  for (int seed = 0; seed < 50; ++seed) {
    One one(1e5, seed % 2 ? 0.45 : 0.5);
    for (int k = 0; k < 4; ++k) one.x[k] += 0.8 * random_vector(seed, k);
    const std::vector<Vec3> before = one.x;
    REQUIRE(one.run() == Projection::done);
    Vec3 linear = Vec3::Zero(), angular = Vec3::Zero();
    double scale = 0, rounding = 0;  // positions are near 1 m: moves have an absolute error
    for (int k = 0; k < 4; ++k) {
      const Vec3 push = one.mass[k] * (one.x[k] - before[k]);
      linear += push;
      angular += before[k].cross(push);
      scale += push.norm();
      rounding += 1e-15 * one.mass[k] * before[k].norm();
    }
    CHECK(scale > 0);
    CHECK(linear.norm() < 1e-14 * scale + rounding);
    CHECK(angular.norm() < 1e-14 * scale + 3 * rounding);
  }
}

TEST_CASE("a tet at rest, turned anyhow, is not moved, soft or stiff") {
  for (const double young : {1e3, 1e6, 1e9})
    for (const double poisson : {-0.3, 0.0, 0.3, 0.45, 0.5}) {
      One one(young, poisson);
      const Quat turn = Quat(0.3, -0.5, 0.7, 0.1).normalized();
      for (Vec3& x : one.x) x = turn * x + Vec3(1, 2, 3);
      const std::vector<Vec3> before = one.x;
      one.run();
      for (int k = 0; k < 4; ++k) CHECK((one.x[k] - before[k]).norm() < 1e-14);
    }
}

TEST_CASE("iterating one tet with its multipliers finds the implicit step's minimum") {
  // Minimum of sum m |x - y|^2 / 2 + h^2 V Psi(F): its gradient must vanish. Only then are
  // multipliers forces. The small remainder comes from gradients that turn between iterations.
  const double h = 1e-3;
  One one(2e5, 0.4, h, 0);
  for (int k = 0; k < 4; ++k) one.x[k] += 0.02 * random_vector(5, k);
  const std::vector<Vec3> start = one.x;
  for (int i = 0; i < 50; ++i) one.run();
  const Mat3 F = deformation(one.elements, 0, one.x);
  const Mat3 P = one.elements.law[0].stress(F);
  const Mat3 force = -one.elements.volume[0] * P * one.elements.inverse_rest[0].transpose();
  for (int k = 0; k < 3; ++k) {
    const Vec3 moved = one.mass[k + 1] * (one.x[k + 1] - start[k + 1]);
    CHECK((moved - h * h * force.col(k)).norm() < 2e-3 * moved.norm());
  }
}

TEST_CASE("an inverted tet turns right side out and finds its volume") {
  for (const double poisson : {0.3, 0.45, 0.5}) {
    One one(1e5, poisson, 1e-2);
    one.x[3].z() = -1.0;  // through the opposite face
    REQUIRE(one.J() < -0.5);
    for (int i = 0; i < 3000; ++i) {  // multipliers forgotten: substeps without velocity
      one.multipliers = {};
      one.run(0.1 * one.elements.length[0]);
    }
    CHECK(one.J() == doctest::Approx(1).epsilon(1e-3));
  }
}

TEST_CASE("no corner moves farther than the cap, and the direction stays") {
  One free(1e5, 0.5), capped(1e5, 0.5);
  for (int k = 0; k < 4; ++k) free.x[k] = capped.x[k] *= 0.1;  // little area: a huge volume step
  const std::vector<Vec3> before = free.x;
  const double reach = 0.05;
  REQUIRE(free.run() == Projection::done);
  REQUIRE(capped.run(reach) == Projection::capped);
  double far_free = 0, far_capped = 0;
  for (int k = 0; k < 4; ++k) {
    far_free = std::max(far_free, (free.x[k] - before[k]).norm());
    far_capped = std::max(far_capped, (capped.x[k] - before[k]).norm());
  }
  CHECK(far_free > reach);
  CHECK(far_capped == doctest::Approx(reach).epsilon(1e-9));
  for (int k = 0; k < 4; ++k)
    CHECK((reach / far_free * (free.x[k] - before[k]) - (capped.x[k] - before[k])).norm() < 1e-12);
}

TEST_CASE("held corners stay, and a tet held all over is left alone") {
  One one(1e5, 0.45);
  one.x[1] += Vec3(0.3, 0, 0);
  one.mobility[0] = one.mobility[1] = 0;
  const std::vector<Vec3> before = one.x;
  one.run();
  CHECK(one.x[0] == before[0]);
  CHECK(one.x[1] == before[1]);
  CHECK(one.x[2] != before[2]);
  one.mobility.assign(4, 0);
  const std::vector<Vec3> again = one.x;
  CHECK(one.run() == Projection::done);
  CHECK(one.x == again);
}

TEST_CASE("states without an answer are refused and nothing is moved") {
  One point(1e5, 0.45);
  point.x.assign(4, Vec3(1, 1, 1));
  CHECK(point.run() == Projection::collapsed);
  CHECK(point.x[2] == Vec3(1, 1, 1));

  One huge(1e5, 0.45);
  huge.x[1] = Vec3(1e200, 0, 0);
  huge.x[2] = Vec3(0, 1e200, 0);
  CHECK(huge.run() == Projection::skipped);
  CHECK(huge.x[1] == Vec3(1e200, 0, 0));

  One line(1e5, 0.5);  // no area, incompressible: shape alone can act
  for (int k = 0; k < 4; ++k) line.x[k] = Vec3(0.5 * k, 0, 0);
  CHECK(line.run() == Projection::done);
  CHECK(line.x[3].allFinite());
}

TEST_CASE("the guard softens exactly the tets beyond it, and keeps them at rest") {
  One soft(1e5, 0.4, 1e-3), stiff(1e9, 0.4, 1e-3), off(1e9, 0.4, 1e-3, 0);
  const double beta_soft = 1e-6 * stiffness_rate(soft.elements, 0, soft.mass);
  const double beta_stiff = 1e-6 * stiffness_rate(stiff.elements, 0, stiff.mass);
  REQUIRE(beta_soft < 0.4);
  REQUIRE(beta_stiff > 0.4);
  CHECK(softening(soft.elements, soft.mass, 1e-3, 0.4).tets == 0);
  const Softening found = softening(stiff.elements, stiff.mass, 1e-3, 0.4);
  CHECK(found.tets == 1);
  CHECK(found.worst == doctest::Approx(beta_stiff / 0.4));
  CHECK(stiff.compliances[0].shape == doctest::Approx(off.compliances[0].shape * found.worst));
  CHECK(off.compliances[0].gamma == stiff.elements.law[0].gamma);
  CHECK(stiff.compliances[0].gamma < off.compliances[0].gamma);  // softer shape, same volume part
  CHECK(softening(stiff.elements, stiff.mass, 1e-3, 0).tets == 0);
}

TEST_CASE("beta grows with the square of speed of sound times substep over length") {
  One one(1e5, 0.3), stiff(4e5, 0.3);
  CHECK(stiffness_rate(stiff.elements, 0, one.mass) ==
        doctest::Approx(4 * stiffness_rate(one.elements, 0, one.mass)));
  TetMesh twice = one.mesh;
  for (Vec3& p : twice.points) p *= 2;
  std::vector<double> mass = one.mass;
  for (double& m : mass) m *= 8;
  TetElements large;
  large.add(twice, twice.tets[0], 1, one.elements.law[0], 0);
  CHECK(stiffness_rate(large, 0, mass) ==
        doctest::Approx(stiffness_rate(one.elements, 0, one.mass) / 4));
}
