#include "methods/rigid/top.h"

#include <cmath>

// Splitting: Touma and Wisdom 1994; Reich 1994. Fourth order: Suzuki 1990.

namespace pliant::rigid {
namespace {

struct Top {
  Quat turn;
  const Vec3& spin;
  const Vec3& inertia;

  void about(int axis, double time) {
    const double rate = (turn.conjugate() * spin)[axis] / inertia[axis];
    turn = turn * Quat(Eigen::AngleAxisd(time * rate, Vec3::Unit(axis)));
  }
  void second_order(double time) {
    about(0, 0.5 * time);
    about(1, 0.5 * time);
    about(2, time);
    about(1, 0.5 * time);
    about(0, 0.5 * time);
  }
};

}  // namespace

Quat turn_freely(const Quat& turn, const Vec3& spin, const Vec3& inertia, double h) {
  static const double part = 1 / (4 - std::cbrt(4.0));
  Top top{turn, spin, inertia};
  for (const double share : {part, part, 1 - 4 * part, part, part}) top.second_order(share * h);
  return top.turn.normalized();
}

}  // namespace pliant::rigid
