#include "methods/shared/galerkin/law.h"

#include <Eigen/Eigenvalues>
#include <doctest/doctest.h>

#include "body/skin_stress.h"
#include "math/polar.h"
#include "math/test_random.h"

using namespace pliant;
using namespace pliant::test;
using namespace pliant::galerkin;

namespace {

constexpr Law::Kind kinds[] = {Law::Kind::corotated, Law::Kind::neo_hookean,
                               Law::Kind::st_venant_kirchhoff};

}  // namespace

TEST_CASE("stress is the gradient of the energy, for every law") {
  for (const Law::Kind kind : kinds) {
    const Law law = Law::from(kind, 1e5, 0.4);
    for (int seed = 0; seed < 20; ++seed) {
      const Mat3 F = Mat3::Identity() + 0.4 * random_matrix(seed);
      const Mat3 dF = random_matrix(100 + seed);
      const double eps = 1e-6;
      const auto energy = [&](const Mat3& G) { return law.energy(G, polar_rotation(G)); };
      const double slope = (energy(F + eps * dF) - energy(F - eps * dF)) / (2 * eps);
      CHECK(law.stress(F, polar_rotation(F)).cwiseProduct(dF).sum() ==
            doctest::Approx(slope).epsilon(1e-6));
    }
  }
}

TEST_CASE("the tangent is the change of stress near rest, turned or not, for every law") {
  const Mat3 R = Eigen::AngleAxisd(1.2, Vec3(1, 2, 3).normalized()).toRotationMatrix();
  for (const Law::Kind kind : kinds) {
    const Law law = Law::from(kind, 1e5, 0.4);
    const Mat3 dF = random_matrix(7);
    const double eps = 1e-6;
    const auto stress = [&](const Mat3& F) { return law.stress(F, polar_rotation(F)); };
    const Mat3 change = (stress(R + eps * dF) - stress(R - eps * dF)) / (2 * eps);
    Mat3 predicted;
    Eigen::Map<Eigen::Matrix<double, 9, 1>>(predicted.data()) =
        law.tangent(R, R) * Eigen::Map<const Eigen::Matrix<double, 9, 1>>(dF.data());
    CHECK((predicted - change).norm() < 1e-5 * change.norm());
  }
}

TEST_CASE("tangents are exact where the law is stable, the turning of R included") {
  for (const Law::Kind kind : kinds) {
    const Law law = Law::from(kind, 1e5, 0.3);
    Mat3 F = Vec3(1.2, 1.0, 1.02).asDiagonal();  // in tension along all axes, but not by much
    F += 0.03 * random_matrix(3);
    const Mat3 dF = random_matrix(8);
    const double eps = 1e-6;
    const auto stress = [&](const Mat3& G) { return law.stress(G, polar_rotation(G)); };
    const Mat3 change = (stress(F + eps * dF) - stress(F - eps * dF)) / (2 * eps);
    Mat3 predicted;
    Eigen::Map<Eigen::Matrix<double, 9, 1>>(predicted.data()) =
        law.tangent(F, polar_rotation(F)) *
        Eigen::Map<const Eigen::Matrix<double, 9, 1>>(dF.data());
    CHECK((predicted - change).norm() < 1e-6 * change.norm());
  }
}

TEST_CASE("tangents have no negative direction, however bad F is") {
  for (const Law::Kind kind : kinds) {
    const Law law = Law::from(kind, 1e5, 0.45);
    for (int seed = 0; seed < 50; ++seed) {
      const Mat3 F = 1.5 * random_matrix(seed);
      const Mat9 H = law.tangent(F, polar_rotation(F));
      const Eigen::SelfAdjointEigenSolver<Mat9> eigen(H);
      CHECK((H - H.transpose()).norm() < 1e-9 * H.norm());
      CHECK(eigen.eigenvalues()[0] > -1e-8 * H.norm());
    }
  }
}

TEST_CASE("E and nu mean what they say: a bar pulled a little stretches by T / E and thins by nu") {
  for (const Law::Kind kind : kinds) {
    const double young = 1e5, poisson = 0.35, strain = 1e-6;
    const Law law = Law::from(kind, young, poisson);
    const Mat3 F = Vec3(1 + strain, 1 - poisson * strain, 1 - poisson * strain).asDiagonal();
    const Mat3 P = law.stress(F, polar_rotation(F));
    CHECK(P(0, 0) == doctest::Approx(young * strain).epsilon(1e-5));
    CHECK(std::abs(P(1, 1)) < 1e-5 * young * strain);
    CHECK(von_mises(law.cauchy(F, polar_rotation(F))) ==
          doctest::Approx(young * strain).epsilon(1e-5));
  }
}
