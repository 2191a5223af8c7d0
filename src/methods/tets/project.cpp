#include "methods/tets/project.h"

#include <cmath>

// Constraints: Macklin & Mueller 2021, C_D = sqrt(F:F) and C_H = J - gamma. They solve one after
// the other; we solve both at once with gradients at the same place, which makes rest an exact
// fixed point (drift 1e-12 instead of 1e-2 element sizes) at the same cost. XPBD: Macklin et al.
// 2016.

namespace pliant::tets {
namespace {

/// How a constraint changes with each corner.
struct Gradient {
  Vec3 corner[4];

  Gradient(const Mat3& dC_dF, const Mat3& inverse_rest) {
    const Mat3 outer = dC_dF * inverse_rest.transpose();
    for (int k = 0; k < 3; ++k) corner[k + 1] = outer.col(k);
    corner[0] = -outer.rowwise().sum();  // moving all corners alike changes nothing
  }
};

double weighted_dot(const double* w, const Gradient& a, const Gradient& b) {
  double sum = 0;
  for (int k = 0; k < 4; ++k) sum += w[k] * a.corner[k].dot(b.corner[k]);
  return sum;
}

/// Change of both multipliers; the matrix is symmetric and positive.
Multipliers solve(double a11, double a12, double a22, double r1, double r2) {
  constexpr double nothing = 1e-30;
  const double det = a11 * a22 - a12 * a12;
  if (det > 1e-12 * a11 * a22) return {(a22 * r1 - a12 * r2) / det, (a11 * r2 - a12 * r1) / det};
  // Hardly told apart: shape first, then volume with what is left, so that volume is met.
  const double shape = a11 > nothing ? r1 / a11 : 0;
  const double volume = a22 > nothing ? (r2 - a12 * shape) / a22 : 0;
  return {shape, volume};
}

}  // namespace

Projection project(const Tet& nodes, const Mat3& inverse_rest, const Compliance& compliance,
                   double reach, const std::vector<double>& mobility, std::vector<Vec3>& position,
                   Multipliers& multipliers) {
  const double w[4] = {mobility[nodes[0]], mobility[nodes[1]], mobility[nodes[2]],
                       mobility[nodes[3]]};
  if (w[0] + w[1] + w[2] + w[3] == 0) return Projection::done;

  const Mat3 F = deformation(nodes, inverse_rest, position);
  const double stretch = F.norm();
  if (stretch < 1e-9) return Projection::collapsed;
  const Mat3 areas = cofactor(F);
  const double J = areas.col(0).dot(F.col(0));
  const Gradient of_shape(F / stretch, inverse_rest);
  const Gradient of_volume(areas, inverse_rest);

  const double a11 = weighted_dot(w, of_shape, of_shape) + compliance.shape;
  const double a22 = weighted_dot(w, of_volume, of_volume) + compliance.volume;
  const double a12 = weighted_dot(w, of_shape, of_volume);
  const double r1 = -stretch - compliance.shape * multipliers.shape;
  const double r2 = -(J - compliance.gamma) - compliance.volume * multipliers.volume;
  Multipliers change = solve(a11, a12, a22, r1, r2);

  Vec3 move[4];
  double farthest = 0;  // squared
  for (int k = 0; k < 4; ++k) {
    move[k] = w[k] * (change.shape * of_shape.corner[k] + change.volume * of_volume.corner[k]);
    farthest = std::max(farthest, move[k].squaredNorm());
  }
  // The sum also catches a NaN that max() passes over.
  if (!std::isfinite(farthest + change.shape + change.volume)) return Projection::skipped;

  const bool too_far = farthest > reach * reach;
  const double share = too_far ? reach / std::sqrt(farthest) : 1;
  for (int k = 0; k < 4; ++k) position[nodes[k]] += share * move[k];
  multipliers.shape += share * change.shape;
  multipliers.volume += share * change.volume;
  return too_far ? Projection::capped : Projection::done;
}

}  // namespace pliant::tets
