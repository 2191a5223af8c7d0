#include "materials/log_neo_hookean.h"

#include <cmath>
#include <doctest/doctest.h>

#include "math/test_random.h"

using namespace pliant;
using namespace pliant::test;

TEST_CASE("log neo-Hookean stress is the gradient of its energy, also behind the barrier") {
  int behind = 0, inverted = 0;
  for (int i = 0; i < 200; ++i) {
    LogNeoHookean law = LogNeoHookean::from(3, i % 5 * 0.12);
    law.is_square = i % 3 == 0;
    const Mat3 F = Mat3::Identity() * (i % 2) + 1.2 * random_matrix(i);
    const Mat3 dF = random_matrix(1000 + i);
    behind += F.determinant() < LogNeoHookean::barrier_J ? 1 : 0;
    inverted += F.determinant() < 0 ? 1 : 0;
    const double eps = 1e-6;
    const double slope = (law.energy(F + eps * dF) - law.energy(F - eps * dF)) / (2 * eps);
    const double scale = law.stress(F).norm() * dF.norm() + 1;
    CHECK(std::abs(law.stress(F).cwiseProduct(dF).sum() - slope) < 1e-6 * scale);
    const Mat3 change = (law.stress(F + eps * dF) - law.stress(F - eps * dF)) / (2 * eps);
    const Eigen::Matrix<double, 9, 1> predicted = law.stiffness(F) * dF.reshaped();
    CHECK((predicted - change.reshaped()).norm() < 1e-5 * (change.norm() + law.stress(F).norm()));
  }
  CHECK(behind > 40);
  CHECK(inverted > 20);
}

TEST_CASE("small strains follow Hooke's law with the E and nu that were asked for") {
  for (const double poisson : {0.0, 0.3, 0.49}) {
    const double young = 2e5, e = 1e-6;
    const LogNeoHookean law = LogNeoHookean::from(young, poisson);
    CHECK(law.stress(Mat3::Identity()).norm() < 1e-9 * young);
    const Mat3 F = Vec3(1 + e, 1 - poisson * e, 1 - poisson * e).asDiagonal();
    CHECK(law.stress(F)(0, 0) == doctest::Approx(young * e).epsilon(1e-3));
    CHECK(std::abs(law.stress(F)(1, 1)) < 1e-3 * young * e);
  }
}

TEST_CASE("a point that is flattened or inside out is pushed back, the harder the further") {
  const LogNeoHookean law = LogNeoHookean::from(1e4, 0.3);
  double before = law.energy(Vec3(1, 0.5, 1).asDiagonal());
  for (double J = 0.45; J > -2; J -= 0.05) {
    const Mat3 F = Vec3(1, J, 1).asDiagonal();
    CHECK(law.stress(F)(1, 1) < 0);  // opens it
    CHECK(law.energy(F) > before);
    before = law.energy(F);
  }
}
