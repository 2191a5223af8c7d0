#include "materials/neo_hookean.h"

#include <Eigen/LU>
#include <cmath>
#include <doctest/doctest.h>

#include "math/test_random.h"

using namespace pliant;
using namespace pliant::test;

namespace {

/// Sideways stretch that leaves the sides of a bar free of stress, by bisection.
double free_side_stretch(const NeoHookean& law, double s) {
  double low = 0.2, high = 3;
  for (int i = 0; i < 200; ++i) {
    const double a = 0.5 * (low + high);
    const Mat3 F = Vec3(s, a, a).asDiagonal();
    (law.stress(F)(1, 1) > 0 ? high : low) = a;
  }
  return low;
}

}  // namespace

TEST_CASE("neo-Hookean stress is the gradient of its energy, inverted or not") {
  int inverted = 0;
  for (int i = 0; i < 200; ++i) {
    const double poisson = i % 5 * 0.125;
    const NeoHookean law = NeoHookean::from(3, poisson);
    const Mat3 F = Mat3::Identity() * (i % 2) + 1.5 * random_matrix(i);
    const Mat3 dF = random_matrix(1000 + i);
    inverted += F.determinant() < 0 ? 1 : 0;
    const double eps = 1e-5;
    const double slope = (law.energy(F + eps * dF) - law.energy(F - eps * dF)) / (2 * eps);
    const double scale = law.stress(F).norm() * dF.norm() + 1;
    CHECK(std::abs(law.stress(F).cwiseProduct(dF).sum() - slope) < 1e-8 * scale);
  }
  CHECK(inverted > 20);
}

TEST_CASE("stiffness is the change of stress, and symmetric, inverted or not") {
  const NeoHookean law = NeoHookean::from(1e5, 0.4);
  for (int i = 0; i < 20; ++i) {
    const Mat3 F = Mat3::Random() * (i % 2 == 0 ? 1.0 : -2.0), dF = Mat3::Random();
    const double eps = 1e-6;
    const Mat3 change = (law.stress(F + eps * dF) - law.stress(F - eps * dF)) / (2 * eps);
    const Mat9 H = law.stiffness(F);
    const Eigen::Matrix<double, 9, 1> predicted = H * dF.reshaped();
    CHECK((predicted - change.reshaped()).norm() < 1e-7 * change.norm());
    CHECK((H - H.transpose()).norm() < 1e-12 * H.norm());
  }
}

TEST_CASE("the energy is the paper's up to its value at rest, which is zero") {
  const NeoHookean law = NeoHookean::from(1e5, 0.3);
  const double lambda = 1 / law.lambda_inverse;
  const auto paper = [&](const Mat3& F) {
    const double J = F.determinant();
    return 0.5 * law.mu * (F.squaredNorm() - 3) + 0.5 * lambda * (J - law.gamma) * (J - law.gamma);
  };
  CHECK(law.energy(Mat3::Identity()) == 0);
  CHECK(law.stress(Mat3::Identity()).norm() == 0);
  CHECK(law.gamma == doctest::Approx(1 + law.mu / lambda).epsilon(1e-14));
  const Mat3 F = Mat3::Identity() + 0.4 * random_matrix(7);
  CHECK(law.energy(F) == doctest::Approx(paper(F) - paper(Mat3::Identity())).epsilon(1e-12));
}

TEST_CASE("small strains follow Hooke's law with the E and nu asked for") {
  for (const double nu : {-0.5, 0.0, 0.1, 0.25, 0.3, 0.45, 0.49, 0.499}) {
    const NeoHookean law = NeoHookean::from(2e5, nu);
    const double strain = 1e-6;
    const double s = 1 + strain;
    const double a = free_side_stretch(law, s);
    const Mat3 F = Vec3(s, a, a).asDiagonal();
    CHECK(law.stress(F)(0, 0) / strain == doctest::Approx(2e5).epsilon(1e-4));
    CHECK((1 - a) / strain == doctest::Approx(nu).epsilon(1e-4));
    Mat3 shear = Mat3::Identity();
    shear(0, 1) = strain;
    CHECK(law.stress(shear)(0, 1) / strain == doctest::Approx(2e5 / (2 * (1 + nu))).epsilon(1e-9));
  }
}

TEST_CASE("the papers' parameters act like another E and nu: (E, lambda - mu) tell which") {
  struct Row {
    double nu, acts_like, modulus;
  };
  for (const Row& row : {Row{0.25, 0, 0.8}, Row{0.3, 1.0 / 6, 0.897}, Row{0.45, 0.4444, 0.996},
                         Row{0.49, 0.4898, 1}}) {
    const NeoHookean law = NeoHookean::from_paper(1, row.nu);
    const double strain = 1e-6, s = 1 + strain, a = free_side_stretch(law, s);
    const Mat3 F = Vec3(s, a, a).asDiagonal();
    CHECK(law.stress(F)(0, 0) / strain == doctest::Approx(row.modulus).epsilon(1e-3));
    CHECK((1 - a) / strain == doctest::Approx(row.acts_like).epsilon(1e-3));
    CHECK(law.stress(Mat3::Identity()).norm() == 0);
  }
}

TEST_CASE("a bar pulled and squeezed meets the closed-form table (reliability.md 4.2)") {
  struct Row {
    double nu, s, side, J, stress;
  };
  const Row rows[] = {
      {0.3, 0.50, 1.095445115, 0.600000000, -73076.923077},
      {0.3, 0.80, 1.060660172, 0.900000000, -23317.307692},
      {0.3, 1.10, 0.970643477, 1.036363636, 9365.427960},
      {0.3, 2.00, 0.774596669, 1.200000000, 65384.615385},
      {0.3, 4.50, 0.539775902, 1.311111111, 170586.683550},
      {0.45, 0.50, 1.341640786, 0.900000000, -106896.551724},
      {0.45, 0.80, 1.103970108, 0.975000000, -24946.120690},
      {0.45, 1.10, 0.957786705, 1.009090909, 9173.812793},
      {0.45, 2.00, 0.724568837, 1.050000000, 59913.793103},
      {0.45, 4.50, 0.489393679, 1.077777778, 153337.117450},
  };
  for (const Row& row : rows) {
    const NeoHookean law = NeoHookean::from(1e5, row.nu);
    const double a = free_side_stretch(law, row.s);
    const Mat3 F = Vec3(row.s, a, a).asDiagonal();
    CHECK(a == doctest::Approx(row.side).epsilon(1e-8));
    CHECK(F.determinant() == doctest::Approx(row.J).epsilon(1e-8));
    CHECK(law.stress(F)(0, 0) == doctest::Approx(row.stress).epsilon(1e-8));
  }
}

TEST_CASE("shear, confined and hydrostatic states meet their closed forms") {
  for (const double nu : {0.3, 0.45}) {
    const NeoHookean law = NeoHookean::from(1e5, nu);
    Mat3 shear = Mat3::Identity();
    shear(0, 1) = 0.5;
    const Mat3 sigma = law.cauchy(shear);
    CHECK(sigma(0, 1) == doctest::Approx(nu == 0.3 ? 19230.769231 : 17241.379310).epsilon(1e-10));
    CHECK(sigma(0, 0) == doctest::Approx(nu == 0.3 ? 9615.384615 : 8620.689655).epsilon(1e-9));
    CHECK(std::abs(sigma(1, 1)) < 1e-9 * law.mu);
    const Mat3 confined = Vec3(0.9, 1, 1).asDiagonal();
    CHECK(law.stress(confined)(0, 0) ==
          doctest::Approx(nu == 0.3 ? -13461.538462 : -37931.034483).epsilon(1e-10));
    CHECK(law.cauchy(Mat3::Identity() * 1.1)(2, 2) ==
          doctest::Approx(nu == 0.3 ? 28330.419580 : 111003.134796).epsilon(1e-10));
  }
}

TEST_CASE("von Mises stress is that of the Cauchy stress, and needs no pressure") {
  const Mat3 F = Mat3::Identity() + 0.3 * random_matrix(3);
  const auto size = [](const Mat3& s) {
    const Mat3 deviator = s - s.trace() / 3 * Mat3::Identity();
    return std::sqrt(1.5 * deviator.squaredNorm());
  };
  for (const double nu : {0.0, 0.3, 0.49}) {
    const NeoHookean law = NeoHookean::from(1e6, nu);
    CHECK(law.von_mises(F) == doctest::Approx(size(law.cauchy(F))).epsilon(1e-10));
  }
  // Incompressible uniaxial: mu (s^2 - 1/s), whatever the pressure.
  const double s = 1.7;
  const Mat3 pulled = Vec3(s, 1 / std::sqrt(s), 1 / std::sqrt(s)).asDiagonal();
  const NeoHookean rubber = NeoHookean::from(3, 0.5);
  CHECK(rubber.lambda_inverse == 0);
  CHECK(rubber.von_mises(pulled) == doctest::Approx(s * s - 1 / s).epsilon(1e-12));
}

TEST_CASE("energy does not change when the deformed body is turned") {
  const NeoHookean law = NeoHookean::from(1, 0.4);
  for (int i = 0; i < 50; ++i) {
    const Mat3 F = Mat3::Identity() + random_matrix(i);
    const Mat3 R = Quat(random_unit(i, 10), random_unit(i, 11) - 0.5, random_unit(i, 12) - 0.5,
                        random_unit(i, 13) - 0.5)
                       .normalized()
                       .toRotationMatrix();
    CHECK(law.energy(R * F) == doctest::Approx(law.energy(F)).epsilon(1e-12));
  }
}
