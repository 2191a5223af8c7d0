#include "math/polar.h"

#include <cmath>

#include "math/principal_axes.h"
#include "math/shortest_turn.h"

namespace pliant {
namespace {

/// Two directions shorter than this share of the longest are lost.
constexpr double lost = 1e-7;

/// From the principal directions v1, v2 with the longest and the middle stretch; the third follows.
/// Where F is turned inside out that takes the shortest direction to be the one that was flipped.
Mat3 by_principal_directions(const Mat3& F) {
  if (!F.allFinite() || F.isZero(0)) return Mat3::Identity();
  const Mat3 squared = F.transpose() * F;
  const Mat3 directions = principal_axes(squared).directions;
  const Vec3 v1 = directions.col(2), v2 = directions.col(1);
  const Vec3 long_side = F * v1;
  const Vec3 u1 = long_side.normalized();
  Vec3 u2 = F * v2;
  u2 -= u1.dot(u2) * u1;
  if (!(u2.norm() > lost * long_side.norm())) return shortest_turn(v1, u1).toRotationMatrix();
  u2.normalize();
  Mat3 U, V;
  U << u1, u2, u1.cross(u2);
  V << v1, v2, v1.cross(v2);
  return U * V.transpose();
}

}  // namespace

Mat3 polar_rotation(const Mat3& F) {
  // Newton's iteration (Higham 1986): the mean of a matrix and its inverse transpose, scaled so
  // that both are equally long. Far cheaper than eigenvectors; those take over near singular F.
  Mat3 R = F;
  for (int i = 0; i < 12; ++i) {
    const Mat3 areas = cofactor(R);
    const double J = R.col(0).dot(areas.col(0));
    const double length = R.norm();
    if (!(J > 1e-6 * length * length * length)) return by_principal_directions(F);
    const double scale = std::sqrt(areas.norm() / (J * length));
    const Mat3 next = 0.5 * (scale * R + areas / (scale * J));
    const double change = (next - R).squaredNorm();
    R = next;
    if (change < 1e-30) return R;
  }
  return R;
}

}  // namespace pliant
