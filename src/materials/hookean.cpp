#include "materials/hookean.h"

#include <Eigen/LU>
#include <cmath>

#include "core/assert.h"
#include "materials/away_from_zero.h"

namespace pliant {
namespace {

Mat3 green_strain(const Mat3& F) { return 0.5 * (F.transpose() * F - Mat3::Identity()); }

}  // namespace

Hookean Hookean::from(double young, double poisson) {
  ASSERT(poisson > -1 && poisson < 0.5, "Hooke's law has no incompressible limit");
  Hookean law;
  law.young = young;
  law.mu = young / (2 * (1 + poisson));
  law.lambda = young * poisson / ((1 + poisson) * (1 - 2 * poisson));
  return law;
}

double Hookean::energy(const Mat3& F) const {
  const Mat3 strain = green_strain(F);
  return 0.5 * lambda * strain.trace() * strain.trace() + mu * strain.squaredNorm();
}

Mat3 Hookean::second_stress(const Mat3& F) const {
  const Mat3 strain = green_strain(F);
  return lambda * strain.trace() * Mat3::Identity() + 2 * mu * strain;
}

Mat3 Hookean::stress(const Mat3& F) const { return F * second_stress(F); }

Mat9 Hookean::stiffness(const Mat3& F) const {
  // dP = dF S + F dS, dS = lambda tr(de) I + 2 mu de, de = sym(F^T dF); one column for each entry
  // of dF.
  const Mat3 S = second_stress(F);
  Mat9 H;
  for (int entry = 0; entry < 9; ++entry) {
    Mat3 dF = Mat3::Zero();
    dF(entry % 3, entry / 3) = 1;
    const Mat3 product = F.transpose() * dF;
    const Mat3 strain = 0.5 * (product + product.transpose());
    const Mat3 dS = lambda * strain.trace() * Mat3::Identity() + 2 * mu * strain;
    const Mat3 dP = dF * S + F * dS;
    H.col(entry) = Eigen::Map<const Eigen::Matrix<double, 9, 1>>(dP.data());
  }
  return H;
}

Mat3 Hookean::cauchy(const Mat3& F) const {
  return stress(F) * F.transpose() / away_from_zero(F.determinant());
}

double Hookean::von_mises(const Mat3& F) const {
  const Mat3 s = cauchy(F);
  const Mat3 deviator = s - s.trace() / 3 * Mat3::Identity();
  return std::sqrt(1.5) * deviator.norm();
}

}  // namespace pliant
