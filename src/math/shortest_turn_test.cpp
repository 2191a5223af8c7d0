#include "math/shortest_turn.h"

#include <doctest/doctest.h>

#include "math/test_random.h"

using namespace pliant;

TEST_CASE("the shortest turn takes one direction to the other and leaves what is across alone") {
  for (int seed = 0; seed < 20; ++seed) {
    const Mat3 any = test::random_matrix(seed);
    const Vec3 a = any.col(0), b = 3 * any.col(1), across = a.cross(b);
    const Quat turn = shortest_turn(a, b);
    CHECK((turn * a.normalized() - b.normalized()).norm() < 1e-14);
    CHECK((turn * across - across).norm() < 1e-14);
    CHECK(turn.norm() == doctest::Approx(1).epsilon(1e-15));
  }
}

TEST_CASE("opposite directions, or nearly so, are half a turn apart") {
  for (const double off : {0.0, 1e-13, 1e-9, 1e-7}) {
    CAPTURE(off);
    const Vec3 a(1, 2, -0.5), b = -a + off * Vec3(0, 0, 1);
    const Quat turn = shortest_turn(a, b);
    CHECK(turn.norm() == doctest::Approx(1));
    CHECK((turn * a.normalized() - b.normalized()).norm() < 1e-5);
  }
  CHECK(shortest_turn(Vec3(0, 2, 0), Vec3(0, 5, 0)).isApprox(Quat::Identity()));
}
