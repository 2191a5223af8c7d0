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

/// The corners' inverse masses.
struct Corners {
  double w[4];
  Corners(const Tet& nodes, const std::vector<double>& mobility) {
    for (int k = 0; k < 4; ++k) w[k] = mobility[nodes[k]];
  }
  bool all_held() const { return w[0] + w[1] + w[2] + w[3] == 0; }
};

/// Moves the corners, shortened so that none goes farther than `reach`; returns the share made.
double move_corners(const Tet& nodes, const Vec3* move, double farthest_squared, double reach,
                    std::vector<Vec3>& position) {
  const bool too_far = farthest_squared > reach * reach;
  const double share = too_far ? reach / std::sqrt(farthest_squared) : 1;
  for (int k = 0; k < 4; ++k) position[nodes[k]] += share * move[k];
  return share;
}

/// One constraint alone. A zero gradient (all corners held) moves nothing.
Projection project_single(const Tet& nodes, const Corners& corners, const Gradient& gradient,
                          double value, double compliance, double reach,
                          std::vector<Vec3>& position, double& multiplier) {
  const double denominator = weighted_dot(corners.w, gradient, gradient) + compliance;
  if (!(denominator > 1e-30)) return Projection::done;
  const double change = (-value - compliance * multiplier) / denominator;
  Vec3 move[4];
  double farthest = 0;
  for (int k = 0; k < 4; ++k) {
    move[k] = corners.w[k] * change * gradient.corner[k];
    farthest = std::max(farthest, move[k].squaredNorm());
  }
  if (!std::isfinite(farthest + change)) return Projection::skipped;
  const double share = move_corners(nodes, move, farthest, reach, position);
  multiplier += share * change;
  return share < 1 ? Projection::capped : Projection::done;
}

}  // namespace

Projection project(const Tet& nodes, const Mat3& inverse_rest, const Compliance& compliance,
                   double reach, const std::vector<double>& mobility, std::vector<Vec3>& position,
                   Multipliers& multipliers) {
  const Corners corners(nodes, mobility);
  const double* w = corners.w;
  if (corners.all_held()) return Projection::done;

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
  Multipliers change = solve_pair(a11, a12, a22, r1, r2);

  Vec3 move[4];
  double farthest = 0;  // squared
  for (int k = 0; k < 4; ++k) {
    move[k] = w[k] * (change.shape * of_shape.corner[k] + change.volume * of_volume.corner[k]);
    farthest = std::max(farthest, move[k].squaredNorm());
  }
  // The sum also catches a NaN that max() passes over.
  if (!std::isfinite(farthest + change.shape + change.volume)) return Projection::skipped;

  const double share = move_corners(nodes, move, farthest, reach, position);
  multipliers.shape += share * change.shape;
  multipliers.volume += share * change.volume;
  return share < 1 ? Projection::capped : Projection::done;
}

Projection project_in_turn(const Tet& nodes, const Mat3& inverse_rest, const Compliance& compliance,
                           double reach, const std::vector<double>& mobility,
                           std::vector<Vec3>& position, Multipliers& multipliers) {
  const Corners corners(nodes, mobility);
  if (corners.all_held()) return Projection::done;
  Mat3 F = deformation(nodes, inverse_rest, position);
  const double stretch = F.norm();
  if (stretch < 1e-9) return Projection::collapsed;
  const Projection first =
      project_single(nodes, corners, Gradient(F / stretch, inverse_rest), stretch, compliance.shape,
                     reach, position, multipliers.shape);
  if (first == Projection::skipped) return first;
  F = deformation(nodes, inverse_rest, position);
  const Projection second = project_single(nodes, corners, Gradient(cofactor(F), inverse_rest),
                                           F.determinant() - compliance.gamma, compliance.volume,
                                           reach, position, multipliers.volume);
  return second == Projection::done ? first : second;
}

Projection project_hookean(const Tet& nodes, const Mat3& inverse_rest, const Hookean& law,
                           double compliance, double reach, const std::vector<double>& mobility,
                           std::vector<Vec3>& position, double& multiplier) {
  const Corners corners(nodes, mobility);
  if (corners.all_held()) return Projection::done;
  const Mat3 F = deformation(nodes, inverse_rest, position);
  const double value_squared = 2 * law.energy(F) / law.young;
  // At rest the direction is not defined; but the way to go is as long as the value, so nothing is
  // lost.
  if (value_squared < 1e-24) return Projection::done;
  const double value = std::sqrt(value_squared);
  const Gradient gradient(law.stress(F) / (law.young * value), inverse_rest);
  return project_single(nodes, corners, gradient, value, compliance, reach, position, multiplier);
}

Mat3 stress(const Multipliers& multipliers, const Mat3& F, double volume, double h) {
  const double scale = -1 / (h * h * volume);
  return scale * (multipliers.shape * F / F.norm() + multipliers.volume * cofactor(F));
}

Mat3 stress(double multiplier, const Hookean& law, const Mat3& F, double volume, double h) {
  const double value = std::sqrt(2 * law.energy(F) / law.young);
  if (value < 1e-12) return Mat3::Zero();
  return -multiplier / (h * h * volume) * law.stress(F) / (law.young * value);
}

}  // namespace pliant::tets
