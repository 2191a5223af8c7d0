#include "methods/rigid/top.h"

#include <algorithm>
#include <cmath>
#include <doctest/doctest.h>

using namespace pliant;
using namespace pliant::rigid;

namespace {

const Vec3 inertia(1, 2.2, 3);

double energy(const Quat& turn, const Vec3& spin) {
  const Vec3 local = turn.conjugate() * spin;
  return 0.5 * local.cwiseAbs2().cwiseQuotient(inertia).sum();
}

Quat after(double time, int steps, const Vec3& spin) {
  Quat turn(Eigen::AngleAxisd(0.4, Vec3(1, 2, 3).normalized()));
  for (int i = 0; i < steps; ++i) turn = turn_freely(turn, spin, inertia, time / steps);
  return turn;
}

}  // namespace

TEST_CASE("a free top converges at fourth order") {
  const Vec3 spin(3, 4, -2);
  const Quat best = after(1, 4000, spin);
  const double coarse = after(1, 40, spin).angularDistance(best);
  const double fine = after(1, 80, spin).angularDistance(best);
  CHECK(coarse / fine == doctest::Approx(16).epsilon(0.1));
}

TEST_CASE("a symmetric top precesses as the textbook says") {
  // About its own axis at rate (1/I - 1/I3) L3, about L at L/I.
  const Vec3 round(2, 2, 3);
  const Vec3 spin(0, 1.5, 2);
  Quat turn = Quat::Identity();
  for (int i = 0; i < 200; ++i) turn = turn_freely(turn, spin, round, 0.01);
  const Quat expected = Quat(Eigen::AngleAxisd(2 * spin.norm() / 2, spin.normalized())) *
                        Quat(Eigen::AngleAxisd(2 * 2 * (1.0 / 3 - 1.0 / 2), Vec3::UnitZ()));
  CHECK(turn.angularDistance(expected) < 1e-9);
}

TEST_CASE("a top about its middle axis turns over again and again and keeps its energy") {
  const Vec3 spin = Vec3(0.01, 2.2 * 8, 0.01);  // 8 rad/s
  Quat turn = Quat::Identity();
  const double start = energy(turn, spin);
  double most = 0;
  int overturns = 0;
  bool up = true;
  for (int i = 0; i < 100 * 480; ++i) {
    turn = turn_freely(turn, spin, inertia, 1.0 / 480);
    most = std::max(most, std::abs(energy(turn, spin) - start));
    const double side = (turn.conjugate() * spin).y();
    if (up ? side < -0.9 * spin.y() : side > 0.9 * spin.y()) {
      up = !up;
      ++overturns;
    }
  }
  CHECK(most < 1e-8 * start);
  CHECK(overturns > 10);
}
