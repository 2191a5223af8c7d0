#include "materials/neo_hookean.h"

#include <cmath>

#include "materials/away_from_zero.h"

// Macklin & Mueller 2021 (constraint-based stable Neo-Hookean), with corrected parameters.
// Since lambda (1 - gamma) = -mu, the energy less its rest value is
//   mu/2 (F:F - 3) - mu (J - 1) + lambda/2 (J - 1)^2,
// which we evaluate: nothing cancels near rest, and lambda stands in one place only.

namespace pliant {

NeoHookean NeoHookean::from(double young, double poisson) {
  NeoHookean law;
  law.mu = young / (2 * (1 + poisson));
  law.lambda_inverse = (1 - 2 * poisson) / law.mu;
  law.gamma = 2 - 2 * poisson;
  return law;
}

NeoHookean NeoHookean::from_paper(double young, double poisson) {
  NeoHookean law;
  law.mu = young / (2 * (1 + poisson));
  law.lambda_inverse = (1 + poisson) * (1 - 2 * poisson) / (young * poisson);
  law.gamma = 1 + law.mu * law.lambda_inverse;
  return law;
}

double NeoHookean::energy(const Mat3& F) const {
  const double grown = F.determinant() - 1;
  const double shape = 0.5 * mu * (F.squaredNorm() - 3) - mu * grown;
  if (lambda_inverse == 0) return shape;
  return shape + 0.5 * grown * grown / lambda_inverse;
}

Mat3 NeoHookean::stress(const Mat3& F) const {
  const Mat3 areas = cofactor(F);
  const Mat3 shape = mu * (F - areas);
  if (lambda_inverse == 0) return shape;
  return shape + (F.determinant() - 1) / lambda_inverse * areas;
}

Mat9 volumetric_stiffness(const Mat3& F, double mu, double first, double second) {
  const Mat3 areas = cofactor(F);
  const Eigen::Map<const Eigen::Matrix<double, 9, 1>> a(areas.data());
  Mat9 H = mu * Mat9::Identity() + second * a * a.transpose();
  // d cof(F): block (i, j) is the cross-product matrix of the third column, with the sign of the
  // turn from i to j.
  for (int k = 0; k < 3; ++k) {
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    const Vec3 f = first * F.col(k);
    Mat3 cross;
    cross << 0, -f.z(), f.y(), f.z(), 0, -f.x(), -f.y(), f.x(), 0;
    H.block<3, 3>(3 * i, 3 * j) -= cross;
    H.block<3, 3>(3 * j, 3 * i) += cross;
  }
  return H;
}

Mat9 NeoHookean::stiffness(const Mat3& F) const {
  const double lambda = lambda_inverse == 0 ? 0 : 1 / lambda_inverse;
  return volumetric_stiffness(F, mu, lambda * (F.determinant() - 1) - mu, lambda);
}

Mat3 NeoHookean::cauchy(const Mat3& F) const {
  return stress(F) * F.transpose() / away_from_zero(F.determinant());
}

double NeoHookean::von_mises(const Mat3& F) const {
  // Both volume terms are pressures; only mu F F^T / J has a shape.
  const Mat3 s = mu / away_from_zero(F.determinant()) * F * F.transpose();
  const Mat3 deviator = s - s.trace() / 3 * Mat3::Identity();
  return std::sqrt(1.5) * deviator.norm();
}

}  // namespace pliant
