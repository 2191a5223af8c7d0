#include "methods/shared/shape_law/project.h"

#include <cmath>

#include "math/polar.h"

// Mueller, Macklin et al. 2022 (physically based shape matching), written as the paper writes it:
// one pass for the fit, one for the gradients, one for the moves. Both constraints are solved
// together, see methods/tets/project.cpp for why. This is the judge of wide_project.cpp, which
// never sees a gradient.

namespace pliant::shape_law {
namespace {

bool all_held(const Members& members) {
  for (const double w : members.w)
    if (w > 0) return false;
  return true;
}

/// What a constraint with this derivative by F answers to: sum of w_i g_i . h_i.
double response(const Shapes& shapes, int g, const Members& members, const Mat3& a, const Mat3& b) {
  const Vec3* slope = &shapes.slope[shapes.start[g]];
  double sum = 0;
  for (std::size_t k = 0; k < members.x.size(); ++k)
    sum += members.w[k] * (a * slope[k]).dot(b * slope[k]);
  return sum;
}

/// Moves the members by inverse mass times `gradient` (of F, multipliers included), not farther
/// than `reach`; returns the share made, 0 when it is not finite.
double move_members(const Shapes& shapes, int g, const Mat3& gradient, double reach,
                    Members& members) {
  const Vec3* slope = &shapes.slope[shapes.start[g]];
  const double* weight = &shapes.weight[shapes.start[g]];
  double squares = 0;
  for (std::size_t k = 0; k < members.x.size(); ++k)
    squares += (gradient * slope[k]).squaredNorm() / weight[k];
  squares /= shapes.shape[g].mass;
  if (!std::isfinite(squares)) return 0;
  const double share = squares > reach * reach ? reach / std::sqrt(squares) : 1;
  for (std::size_t k = 0; k < members.x.size(); ++k)
    members.x[k] += share * members.w[k] * (gradient * slope[k]);
  return share;
}

Projection result(double share) {
  if (share == 0) return Projection::skipped;
  return share < 1 ? Projection::capped : Projection::done;
}

/// One constraint alone. A zero gradient (all members held) moves nothing.
Projection project_single(const Shapes& shapes, int g, const Mat3& dC_dF, double value,
                          double compliance, double reach, Members& members, double& multiplier) {
  const double denominator = response(shapes, g, members, dC_dF, dC_dF) + compliance;
  if (!(denominator > 1e-30)) return Projection::done;
  const double change = (-value - compliance * multiplier) / denominator;
  const double share = move_members(shapes, g, change * dC_dF, reach, members);
  multiplier += share * change;
  return result(share);
}

}  // namespace

Projection project(const Shapes& shapes, int g, const Compliance& compliance, double reach,
                   Members members, Multipliers& multipliers) {
  if (all_held(members)) return Projection::done;
  const Mat3 F = deformation(shapes, g, members.x);
  const double stretch = F.norm();
  if (stretch < 1e-9) return Projection::collapsed;
  const Mat3 of_volume = cofactor(F), of_shape = F / stretch;
  const double J = of_volume.col(0).dot(F.col(0));

  const double a11 = response(shapes, g, members, of_shape, of_shape) + compliance.shape;
  const double a22 = response(shapes, g, members, of_volume, of_volume) + compliance.volume;
  const double a12 = response(shapes, g, members, of_shape, of_volume);
  const double r1 = -stretch - compliance.shape * multipliers.shape;
  const double r2 = -(J - compliance.gamma) - compliance.volume * multipliers.volume;
  const Multipliers change = solve_pair(a11, a12, a22, r1, r2);
  const double share =
      move_members(shapes, g, change.shape * of_shape + change.volume * of_volume, reach, members);
  if (share == 0) return Projection::skipped;
  multipliers.shape += share * change.shape;
  multipliers.volume += share * change.volume;
  return result(share);
}

Projection project_in_turn(const Shapes& shapes, int g, const Compliance& compliance, double reach,
                           Members members, Multipliers& multipliers) {
  if (all_held(members)) return Projection::done;
  Mat3 F = deformation(shapes, g, members.x);
  const double stretch = F.norm();
  if (stretch < 1e-9) return Projection::collapsed;
  const Projection first = project_single(shapes, g, F / stretch, stretch, compliance.shape, reach,
                                          members, multipliers.shape);
  if (first == Projection::skipped) return first;
  F = deformation(shapes, g, members.x);
  const Projection second =
      project_single(shapes, g, cofactor(F), F.determinant() - compliance.gamma, compliance.volume,
                     reach, members, multipliers.volume);
  return second == Projection::done ? first : second;
}

Projection project_hookean(const Shapes& shapes, int g, const Compliance& compliance, double reach,
                           Members members, Multipliers& multipliers) {
  if (all_held(members)) return Projection::done;
  const Hookean& law = shapes.hookean[g];
  const Mat3 F = deformation(shapes, g, members.x);
  const double value_squared = 2 * law.energy(F) / law.young;
  // At rest the direction is not defined; but the way to go is as long as the value, so nothing is
  // lost.
  if (value_squared < 1e-24) return Projection::done;
  const double value = std::sqrt(value_squared);
  return project_single(shapes, g, law.stress(F) / (law.young * value), value, compliance.shape,
                        reach, members, multipliers.shape);
}

Projection project_line(const Shapes& shapes, int g, const Compliance& compliance, double reach,
                        Members members, Multipliers& multipliers) {
  const Shape& shape = shapes.shape[g];
  const int a = shape.ends[0], b = shape.ends[1];
  const double w = members.w[a] + members.w[b];
  if (w == 0) return Projection::done;
  const Vec3 between = members.x[b] - members.x[a];
  const double length = between.norm();
  if (length < 1e-9 * shape.length) return Projection::collapsed;
  const Vec3* arm = &shapes.arm[shapes.start[g]];
  const double change =
      (-(length - (arm[b] - arm[a]).norm()) - compliance.shape * multipliers.shape) /
      (w + compliance.shape);
  const double farthest = std::abs(change) * std::max(members.w[a], members.w[b]);
  if (!std::isfinite(farthest)) return Projection::skipped;
  const double share = farthest > reach ? reach / farthest : 1;
  members.x[a] -= share * change * members.w[a] / length * between;
  members.x[b] += share * change * members.w[b] / length * between;
  multipliers.shape += share * change;
  return result(share);
}

void match_shape(const Shapes& shapes, int g, const Compliance& compliance, Members members) {
  const std::size_t begin = shapes.start[g];
  const Vec3 middle = centre(shapes, g, members.x);
  Mat3 P = Mat3::Zero();
  for (std::size_t k = 0; k < members.x.size(); ++k)
    P += shapes.weight[begin + k] * (members.x[k] - middle) * shapes.arm[begin + k].transpose();
  const Mat3 R = polar_rotation(P);
  if (!R.allFinite()) return;
  for (std::size_t k = 0; k < members.x.size(); ++k)
    members.x[k] += compliance.match * members.w[k] * shapes.weight[begin + k] *
                    (middle + R * shapes.arm[begin + k] - members.x[k]);
}

void filter(const Shapes& shapes, int g, double share, Places before, Members members) {
  if (share == 0) return;
  const std::size_t begin = shapes.start[g];
  const Vec3 middle = centre(shapes, g, before);
  const Mat3 F = deformation(shapes, g, before);
  if (!F.allFinite()) return;
  // By weight the way to the fit sums to zero, and so does its moment: as a force it keeps
  // momentum, whatever the masses.
  for (std::size_t k = 0; k < members.x.size(); ++k)
    members.x[k] += share * members.w[k] * shapes.weight[begin + k] *
                    (middle + F * shapes.arm[begin + k] - before[k]);
}

}  // namespace pliant::shape_law
