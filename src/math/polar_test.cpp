#include "math/polar.h"

#include <doctest/doctest.h>

#include "math/test_random.h"

using namespace pliant;
using namespace pliant::test;

TEST_CASE("F = R S with R a rotation and S symmetric, inverted or not") {
  for (int seed = 0; seed < 200; ++seed) {
    const Mat3 F = random_matrix(seed);
    const Mat3 R = polar_rotation(F);
    CHECK((R.transpose() * R - Mat3::Identity()).norm() < 1e-12);
    CHECK(R.determinant() == doctest::Approx(1).epsilon(1e-12));
    const Mat3 S = R.transpose() * F;
    CHECK((S - S.transpose()).norm() < 1e-10 * F.norm());
  }
}

TEST_CASE("no other rotation is closer") {
  for (int seed = 0; seed < 50; ++seed) {
    const Mat3 F = random_matrix(seed);
    const double best = (F - polar_rotation(F)).norm();
    for (int other = 0; other < 20; ++other) {
      const Mat3 Q = polar_rotation(random_matrix(1000 + 20 * seed + other));
      CHECK((F - Q).norm() > best - 1e-12);
    }
  }
}

TEST_CASE(
    "a line turns as little as it can, a point not at all, a plane still knows its rotation") {
  const Vec3 from(0.5, -1, 2), to(1, 2, 3);
  const Mat3 R = polar_rotation(to * from.transpose());
  CHECK((R * from.normalized() - to.normalized()).norm() < 1e-12);
  const double angle = std::acos(from.normalized().dot(to.normalized()));
  CHECK(Eigen::AngleAxisd(R).angle() == doctest::Approx(angle).epsilon(1e-9));
  CHECK(polar_rotation(Mat3::Zero()) == Mat3::Identity());
  const Mat3 quarter = Eigen::AngleAxisd(1.5, Vec3::UnitZ()).toRotationMatrix();
  const Mat3 flat = quarter * Vec3(1, 0.5, 0).asDiagonal();
  CHECK((polar_rotation(flat) - quarter).norm() < 1e-12);
}
