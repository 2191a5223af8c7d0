#include "methods/shared/galerkin/law.h"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

namespace pliant::galerkin {
namespace {

using Vec9 = Eigen::Matrix<double, 9, 1>;

Mat3 hooke(double mu, double lambda, const Mat3& strain) {
  return 2 * mu * strain + lambda * strain.trace() * Mat3::Identity();
}

double hooke_energy(double mu, double lambda, const Mat3& strain) {
  return mu * strain.squaredNorm() + 0.5 * lambda * strain.trace() * strain.trace();
}

Mat3 symmetric(const Mat3& A) { return 0.5 * (A + A.transpose()); }

Mat3 small_strain(const Mat3& F, const Mat3& R) {
  return symmetric(R.transpose() * F) - Mat3::Identity();
}

Mat3 green_strain(const Mat3& F) { return 0.5 * (F.transpose() * F - Mat3::Identity()); }

/// a with [a]x = the skew part of W.
Vec3 axial(const Mat3& W) {
  return 0.5 * Vec3(W(2, 1) - W(1, 2), W(0, 2) - W(2, 0), W(1, 0) - W(0, 1));
}

Mat3 cross_matrix(const Vec3& a) {
  Mat3 A;
  A << 0, -a.z(), a.y(), a.z(), 0, -a.x(), -a.y(), a.x(), 0;
  return A;
}

/// dP = dF S + F dS, dS = 2 mu dE + lambda tr dE, dE = sym(F^T dF).
Mat9 st_venant_kirchhoff_tangent(double mu, double lambda, const Mat3& F) {
  const Mat3 S = hooke(mu, lambda, green_strain(F));
  Mat9 H;
  for (int k = 0; k < 9; ++k) {
    Mat3 dF = Mat3::Zero();
    dF.data()[k] = 1;
    const Mat3 dP = dF * S + F * hooke(mu, lambda, symmetric(F.transpose() * dF));
    H.col(k) = Eigen::Map<const Vec9>(dP.data());
  }
  return H;
}

}  // namespace

Law Law::from(Kind kind, double young, double poisson) {
  Law law;
  law.kind = kind;
  law.mu = young / (2 * (1 + poisson));
  law.lambda = young * poisson / ((1 + poisson) * (1 - 2 * poisson));
  law.rubber = NeoHookean::from(young, poisson);
  return law;
}

double Law::energy(const Mat3& F, const Mat3& R) const {
  switch (kind) {
    case Kind::corotated:
      return hooke_energy(mu, lambda, small_strain(F, R));
    case Kind::log_neo_hookean:
      return LogNeoHookean{mu, lambda}.energy(F);
    case Kind::square_neo_hookean:
      return LogNeoHookean{mu, lambda, true}.energy(F);
    case Kind::neo_hookean:
      return rubber.energy(F);
    case Kind::st_venant_kirchhoff:
      return hooke_energy(mu, lambda, green_strain(F));
  }
  return 0;
}

Mat3 Law::stress(const Mat3& F, const Mat3& R) const {
  switch (kind) {
    case Kind::corotated:
      return R * hooke(mu, lambda, small_strain(F, R));
    case Kind::log_neo_hookean:
      return LogNeoHookean{mu, lambda}.stress(F);
    case Kind::square_neo_hookean:
      return LogNeoHookean{mu, lambda, true}.stress(F);
    case Kind::neo_hookean:
      return rubber.stress(F);
    case Kind::st_venant_kirchhoff:
      return F * hooke(mu, lambda, green_strain(F));
  }
  return Mat3::Zero();
}

Mat3 corotated_change(const Law& law, const Mat3& R, const Mat3& twist, const Mat3& dF) {
  const Mat3 W = R.transpose() * dF;
  return R * (hooke(law.mu, law.lambda, symmetric(W)) + cross_matrix(twist * axial(W)));
}

Mat3 corotated_block(const Law& law, const Mat3& turned_twist, const Vec3& a, const Vec3& b) {
  Mat3 K = law.lambda * a * b.transpose() + law.mu * b * a.transpose();
  K.diagonal().array() += law.mu * a.dot(b);
  // [a]x^T Q [b]x, column by column of the right factor.
  Mat3 right;
  for (int c = 0; c < 3; ++c) right.col(c) = turned_twist * b.cross(Vec3::Unit(c));
  for (int c = 0; c < 3; ++c) K.col(c) -= 0.5 * a.cross(right.col(c));
  return K;
}

// With S = R^T F and its stretches s_k, the twist about axis k has the stiffness
//   e_k = 2 mu + 2 (lambda (tr S - 3) - 2 mu) / (tr S - s_k).
Mat3 Law::twist_stiffness(const Mat3& F, const Mat3& R) const {
  const Mat3 S = symmetric(R.transpose() * F);
  const double trace = S.trace();
  const double pull = 2 * (lambda * (trace - 3) - 2 * mu);
  const Eigen::SelfAdjointEigenSolver<Mat3> eigen(S);
  Vec3 stiffness;
  for (int k = 0; k < 3; ++k) {
    const double divisor = trace - eigen.eigenvalues()[k];
    stiffness[k] = divisor > 0.1 ? std::max(0.0, 2 * mu + pull / divisor) : 0.0;
  }
  if (stiffness.isZero(0)) return Mat3::Zero();
  return eigen.eigenvectors() * stiffness.asDiagonal() * eigen.eigenvectors().transpose();
}

Mat9 Law::tangent(const Mat3& F, const Mat3& R) const {
  if (kind == Kind::corotated) {
    const Mat3 twist = twist_stiffness(F, R);
    Mat9 C;
    for (int k = 0; k < 9; ++k) {
      Mat3 dF = Mat3::Zero();
      dF.data()[k] = 1;
      const Mat3 dP = corotated_change(*this, R, twist, dF);
      C.col(k) = Eigen::Map<const Vec9>(dP.data());
    }
    return C;
  }
  Mat9 H;
  if (kind == Kind::log_neo_hookean) H = LogNeoHookean{mu, lambda}.stiffness(F);
  else if (kind == Kind::square_neo_hookean) H = LogNeoHookean{mu, lambda, true}.stiffness(F);
  else if (kind == Kind::neo_hookean) H = rubber.stiffness(F);
  else H = st_venant_kirchhoff_tangent(mu, lambda, F);
  make_semi_definite(H);
  return H;
}

LogNeoHookean::Pressure Law::pressure(double J) const {
  if (kind == Kind::log_neo_hookean) return LogNeoHookean{mu, lambda}.pressure(J);
  const double bulk = rubber.lambda_inverse > 0 ? 1 / rubber.lambda_inverse : 0;
  return {.first = bulk * (J - 1) - rubber.mu, .second = bulk};
}

Mat9 Law::clamped_tangent(const Mat3& F) const {
  const LogNeoHookean::Pressure p = pressure(F.determinant());
  // A bound of the largest eigenvalue: mean + 2 * spread, exact for stretches in one direction.
  const Mat3 C = F.transpose() * F;
  const double mean = C.trace() / 3;
  const double spread = (C - mean * Mat3::Identity()).norm() / std::sqrt(6.0);
  const double most = mu / std::sqrt(std::max(mean + 2 * spread, 1e-12));
  return volumetric_stiffness(F, mu, std::clamp(p.first, -most, most), std::max(p.second, 0.0));
}

double Law::sideways() const {
  if (kind == Kind::neo_hookean) return rubber.sideways();
  return lambda / (lambda + 2 * mu);
}

Mat3 Law::cauchy(const Mat3& F, const Mat3& R) const {
  const double J = F.determinant();
  const double divisor = std::abs(J) > 1e-3 ? J : std::copysign(1e-3, J);
  return stress(F, R) * F.transpose() / divisor;
}

void make_semi_definite(Mat9& H) {
  // A Cholesky factor tells at a twentieth of the price of the eigenvalues whether any is negative.
  const Mat9 lifted = H + 1e-9 * H.trace() * Mat9::Identity();
  if (Eigen::LLT<Mat9>(lifted).info() == Eigen::Success) return;
  const Eigen::SelfAdjointEigenSolver<Mat9> eigen(H);
  H = eigen.eigenvectors() * eigen.eigenvalues().cwiseMax(0).asDiagonal() *
      eigen.eigenvectors().transpose();
}

}  // namespace pliant::galerkin
