#include "materials/plastic.h"

#include <cmath>
#include <doctest/doctest.h>

#include "math/test_random.h"

using namespace pliant;

namespace {

const Mat3 turn = Eigen::AngleAxisd(0.7, Vec3(1, 2, -1).normalized()).toRotationMatrix();

/// A bar that keeps its volume, pulled by this logarithmic strain and turned.
Mat3 pulled(double strain) {
  return turn * Vec3(std::exp(strain), std::exp(-strain / 2), std::exp(-strain / 2)).asDiagonal();
}

/// Elastic strain and plastic strain after flowing for `time` in `steps` equal parts, held.
std::pair<double, double> held(const PlasticLaw& law, double strain, double time, int steps) {
  Mat3 F = pulled(strain);
  double plastic = 0;
  for (int i = 0; i < steps; ++i) {
    const PlasticLaw::Change change = law.flow(F, plastic, time / steps);
    F = F * change.inverse;
    plastic += change.strain;
  }
  return {equivalent_strain(F), plastic};
}

}  // namespace

TEST_CASE("equivalent strain is the strain along a pulled bar, whatever its turn and volume") {
  CHECK(equivalent_strain(pulled(0.3)) == doctest::Approx(0.3));
  CHECK(equivalent_strain(1.7 * pulled(-0.2)) == doctest::Approx(0.2));
  CHECK(equivalent_strain(turn) == doctest::Approx(0).epsilon(1e-7));
}

TEST_CASE("nothing flows below the yield, nor inside out, nor under pressure alone") {
  const PlasticLaw law{0.1, 50};
  CHECK(law.flow(pulled(0.0999), 0, 1).strain == 0);
  CHECK(law.flow(Mat3(0.3 * turn), 0, 1).strain == 0);
  CHECK(law.flow(Mat3(Vec3(-1, 2, 1).asDiagonal()), 0, 1).strain == 0);
  CHECK(law.flow(pulled(0.11), 0, 1).strain > 0);
}

TEST_CASE("the excess over the yield decays as exp(-flow t), in one step or in many") {
  const PlasticLaw law{0.05, 8};
  const double time = 0.1, excess = 0.15;
  for (const int steps : {1, 2, 7, 40}) {
    const auto [elastic, plastic] = held(law, 0.2, time, steps);
    CHECK(elastic == doctest::Approx(0.05 + excess * std::exp(-8 * time)).epsilon(1e-10));
    CHECK(plastic == doctest::Approx(excess * (1 - std::exp(-8 * time))).epsilon(1e-10));
  }
}

TEST_CASE("with hardening elastic strain and yield meet, for any step") {
  const PlasticLaw law{0.05, 20, 0.5};
  const auto [elastic, plastic] = held(law, 0.2, 5, 1);
  CHECK(elastic == doctest::Approx(0.05 + 0.5 * plastic));
  CHECK(elastic + plastic == doctest::Approx(0.2));
  const auto whole = held(law, 0.2, 0.03, 1), parts = held(law, 0.2, 0.03, 16);
  CHECK(whole.first == doctest::Approx(parts.first).epsilon(1e-10));
  CHECK(whole.second == doctest::Approx(parts.second).epsilon(1e-10));
}

TEST_CASE("flow keeps the volume and gives the inverse of what it does to rest vectors") {
  const PlasticLaw law{0.02, 30};
  for (int i = 0; i < 50; ++i) {
    Mat3 F = Mat3::Identity();
    for (int k = 0; k < 3; ++k) F.col(k) += 0.4 * test::random_vector(5, std::size_t(3 * i + k));
    if (F.determinant() <= 0.05) continue;
    const PlasticLaw::Change change = law.flow(F, 0, 1.0 / 60);
    CHECK(change.stretch.determinant() == doctest::Approx(1).epsilon(1e-12));
    CHECK((change.stretch * change.inverse - Mat3::Identity()).norm() < 1e-12);
    CHECK((change.stretch - change.stretch.transpose()).norm() < 1e-12);
    CHECK(equivalent_strain(F * change.inverse) < equivalent_strain(F) + 1e-12);
  }
}

TEST_CASE("no call flows further than the largest change, and none beyond the limit") {
  const PlasticLaw law{0, 1e9};
  CHECK(law.flow(pulled(1.5), 0, 1).strain == doctest::Approx(PlasticLaw::largest_change));
  const PlasticLaw brittle{0, 1e9, 0, 0.12};
  CHECK(held(brittle, 1, 1, 20).second == doctest::Approx(0.12));
}

TEST_CASE("a yield in Pa is the stress at which a bar of the material begins to flow") {
  Plastic said;
  said.yield = 3e3;
  const double young = 1e5, poisson = 0.49;
  const PlasticLaw law = PlasticLaw::from(said, young, poisson);
  // von Mises stress = 3 mu times the equivalent strain; for nu = 0.5 that is E times it.
  CHECK(law.yield == doctest::Approx(3e3 * 2 * (1 + poisson) / (3 * young)));
}
