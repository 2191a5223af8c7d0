#include "math/shortest_turn.h"

#include <cmath>

namespace pliant {

Quat shortest_turn(const Vec3& from, const Vec3& to) {
  const Vec3 a = from.normalized(), b = to.normalized();
  const double cosine = b.dot(a);
  Quat turn;
  if (cosine < -1 + 1e-12) {
    const double squared = std::max(0.0, 0.5 * (1 + cosine));  // of the cosine of half the angle
    turn.w() = std::sqrt(squared);
    turn.vec() = std::sqrt(1 - squared) * a.unitOrthogonal();
    return turn;
  }
  const double s = std::sqrt(2 * (1 + cosine));
  turn.vec() = a.cross(b) * (1 / s);
  turn.w() = 0.5 * s;
  return turn;
}

}  // namespace pliant
