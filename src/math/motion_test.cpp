#include "math/motion.h"

#include <doctest/doctest.h>
#include <numbers>

using namespace pliant;

TEST_CASE("without keys and spin nothing moves") {
  const Motion still;
  CHECK_FALSE(still.moves());
  CHECK(still.at(3).apply({1, 2, 3}) == Vec3(1, 2, 3));
}

TEST_CASE("keyframes are straight lines between, and rest outside") {
  Motion motion;
  motion.keys = {{1, {0, 0, 0}, Quat::Identity()}, {3, {4, 0, 0}, Quat::Identity()}};
  CHECK(motion.at(0).apply(Vec3::Zero()).x() == 0);
  CHECK(motion.at(2).apply(Vec3::Zero()).x() == doctest::Approx(2));
  CHECK(motion.at(9).apply(Vec3::Zero()).x() == 4);
}

TEST_CASE("spin turns about the pivot at its rate and keeps the distance") {
  Motion motion;
  motion.pivot = {1, 0, 0};
  motion.spin =
      Motion::Spin{.axis = Vec3::UnitZ(), .rate = std::numbers::pi / 2, .start = 1, .end = 2};
  CHECK(motion.at(0.5).apply({2, 0, 0}).isApprox(Vec3(2, 0, 0)));
  CHECK(motion.at(2).apply({2, 0, 0}).isApprox(Vec3(1, 1, 0)));
  CHECK(motion.at(7).apply({2, 0, 0}).isApprox(Vec3(1, 1, 0)));
  CHECK(motion.at(1.3).apply(motion.pivot).isApprox(motion.pivot));
}
