#include "contact/motion/motion_budget.h"

#include <doctest/doctest.h>

#include "math/test_random.h"
#include "math/types.h"

using namespace pliant;
using namespace pliant::test;

TEST_CASE("a motion budget holds until displacements and reach use up what it allows") {
  MotionBudget budget;
  budget.start(1);
  CHECK(budget.holds(1));
  budget.add(0.5);
  CHECK(budget.holds(0.5));
  CHECK(!budget.holds(0.5000001));
  CHECK(budget.left() == 0.5);
  budget.add(0.75);
  CHECK(!budget.holds(0));
  CHECK(budget.left() == -0.25);
  budget.start(1);
  CHECK(budget.holds(1));
}

TEST_CASE("a motion budget that was never started allows nothing but rest") {
  const MotionBudget budget;
  CHECK(budget.holds(0));
  CHECK(!budget.holds(1e-300));
}

TEST_CASE("a measured displacement replaces a longer sum, never a shorter one") {
  MotionBudget budget;
  budget.start(10);
  budget.rebase();
  for (int i = 0; i < 4; ++i) budget.add(1);
  CHECK(budget.sums() == 4);
  budget.measured(0.5);  // there and back
  CHECK(budget.used() == 0.5);
  budget.measured(3);
  CHECK(budget.used() == 0.5);
  budget.rebase();
  budget.add(1);
  budget.measured(0.25);
  CHECK(budget.used() == 0.75);
}

TEST_CASE("motion measured from before a list was made does not count for it") {
  MotionBudget budget;
  budget.start(10);
  budget.add(2);
  budget.measured(0.5);
  CHECK(budget.used() == 2);
}

TEST_CASE("after doubt a motion budget holds nothing until it is measured") {
  MotionBudget budget;
  budget.start(1);
  budget.rebase();
  budget.doubt();
  CHECK(!budget.holds(0));
  budget.measured(0.25);
  CHECK(budget.holds(0.75));
}

TEST_CASE("a budget that is lost or endless stays so") {
  constexpr double infinite = std::numeric_limits<double>::infinity();
  MotionBudget budget;
  budget.start(infinite);
  budget.add(1e300);
  CHECK(budget.holds(1e300));
  budget.start(1);
  budget.add(infinite);
  CHECK(!budget.holds(0));
  budget.start(1);
  budget.add(std::numeric_limits<double>::quiet_NaN());
  CHECK(!budget.holds(0));
  budget.start(1);
  budget.rebase();
  budget.measured(std::numeric_limits<double>::quiet_NaN());
  CHECK(!budget.holds(0));
}

TEST_CASE("of points that move at random, none is further away than a budget says") {
  for (std::uint64_t set = 0; set < 200; ++set) {
    MotionBudget budget;
    budget.start(1);
    Vec3 point = random_vector(set, 0), start = point, base = point;
    budget.rebase();
    for (std::uint64_t i = 1; i < 60; ++i) {
      const Vec3 step = 0.1 * random_vector(set, i);
      point += step;
      budget.add(step.norm());
      if (random_unit(set, 3 * i) < 0.3) budget.measured((point - base).norm());
      if (random_unit(set, 3 * i + 1) < 0.2) budget.rebase(), base = point;
      CHECK((point - start).norm() <= budget.used() + 1e-12);
    }
  }
}
