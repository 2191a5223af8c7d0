#include "materials/hookean.h"

#include <cmath>
#include <doctest/doctest.h>

#include "math/test_random.h"

using namespace pliant;
using namespace pliant::test;

TEST_CASE("Hookean stress is the gradient of its energy, and stiffness that of stress") {
  const Hookean law = Hookean::from(3, 0.3);
  for (int i = 0; i < 50; ++i) {
    const Mat3 F = Mat3::Identity() * (i % 2) + random_matrix(i), dF = random_matrix(100 + i);
    const double eps = 1e-5;
    const double slope = (law.energy(F + eps * dF) - law.energy(F - eps * dF)) / (2 * eps);
    const double scale = law.stress(F).norm() * dF.norm() + 1;
    CHECK(std::abs(law.stress(F).cwiseProduct(dF).sum() - slope) < 1e-8 * scale);
    const Mat3 change = (law.stress(F + eps * dF) - law.stress(F - eps * dF)) / (2 * eps);
    const Mat9 H = law.stiffness(F);
    const Eigen::Matrix<double, 9, 1> predicted = H * dF.reshaped();
    CHECK((predicted - change.reshaped()).norm() < 1e-7 * (1 + change.norm()));
    CHECK((H - H.transpose()).norm() < 1e-12 * (1 + H.norm()));
  }
}

TEST_CASE("at rest the Hookean and the neo-Hookean law are one") {
  for (const double poisson : {0.0, 0.3, 0.45}) {
    const Hookean hooke = Hookean::from(1e5, poisson);
    const NeoHookean rubber = NeoHookean::from(1e5, poisson);
    const Mat9 difference = hooke.stiffness(Mat3::Identity()) - rubber.stiffness(Mat3::Identity());
    CHECK(difference.norm() < 1e-9 * hooke.stiffness(Mat3::Identity()).norm());
    CHECK(hooke.energy(Mat3::Identity()) == 0);
    CHECK(hooke.stress(Mat3::Identity()).norm() == 0);
  }
}

TEST_CASE("a bar pulled by a Hookean law meets the closed form: golden numbers") {
  struct Row {
    double nu, s, T, a, J;
  };
  for (const Row& row :
       {Row{0.3, 1.1, 0.1155, 0.967988, 1.030700}, Row{0.3, 1.5, 0.9375, 0.790569, 0.937500},
        Row{0.3, 2.0, 3, 0.316228, 0.2}, Row{0.3, 0.8, -0.144, 1.052616, 0.886400},
        Row{0.49, 1.5, 0.9375, 0.622495, 0.581250}, Row{0, 1.5, 0.9375, 1, 1.5}}) {
    const Hookean law = Hookean::from(1, row.nu);
    const Mat3 F = Vec3(row.s, row.a, row.a).asDiagonal();
    CHECK(law.stress(F)(0, 0) == doctest::Approx(row.T).epsilon(2e-5));
    CHECK(std::abs(law.stress(F)(1, 1)) < 2e-5);  // free sides; a is given to six digits
    CHECK(F.determinant() == doctest::Approx(row.J).epsilon(1e-5));
  }
}

TEST_CASE("a mirrored or turned body has the same Hookean energy") {
  const Hookean law = Hookean::from(2, 0.4);
  const Mat3 F = Mat3::Identity() + 0.4 * random_matrix(3);
  const Mat3 mirror = Vec3(-1, 1, 1).asDiagonal();
  CHECK(law.energy(mirror * F) == doctest::Approx(law.energy(F)).epsilon(1e-13));
  const Mat3 turn = Quat(0.3, 0.5, -0.2, 0.7).normalized().toRotationMatrix();
  CHECK(law.energy(turn * F) == doctest::Approx(law.energy(F)).epsilon(1e-12));
}

TEST_CASE("von Mises stress of a bar is its Cauchy stress along it") {
  const Hookean law = Hookean::from(1, 0.3);
  const double s = 1.1, a = std::sqrt(1 - 0.3 * (s * s - 1));
  const Mat3 F = Vec3(s, a, a).asDiagonal();
  CHECK(law.von_mises(F) == doctest::Approx(0.1155 / (a * a)).epsilon(1e-9));
}
