#include "math/polar.h"

#include <Eigen/SVD>
#include <cmath>

namespace pliant {
namespace {

/// Two directions shorter than this share of the longest are lost.
constexpr double lost = 1e-12;

Mat3 by_singular_values(const Mat3& F, const Mat3& otherwise) {
  if (!F.allFinite()) return otherwise;
  const Eigen::JacobiSVD<Mat3> svd(F, Eigen::ComputeFullU | Eigen::ComputeFullV);
  if (!(svd.singularValues()[1] > lost * svd.singularValues()[0])) return otherwise;
  Mat3 U = svd.matrixU();
  // Turned inside out: the shortest direction is taken to be the one that was flipped.
  if ((U * svd.matrixV().transpose()).determinant() < 0) U.col(2) *= -1;
  return U * svd.matrixV().transpose();
}

}  // namespace

Mat3 polar_rotation(const Mat3& F, const Mat3& otherwise) {
  // Newton's iteration (Higham 1986): the mean of a matrix and its inverse transpose, scaled so
  // that both are equally long. Far cheaper than singular values; those take over near singular F.
  Mat3 R = F;
  for (int i = 0; i < 12; ++i) {
    const Mat3 areas = cofactor(R);
    const double J = R.col(0).dot(areas.col(0));
    const double length = R.norm();
    if (!(J > 1e-6 * length * length * length)) return by_singular_values(F, otherwise);
    const double scale = std::sqrt(areas.norm() / (J * length));
    const Mat3 next = 0.5 * (scale * R + areas / (scale * J));
    const double change = (next - R).squaredNorm();
    R = next;
    if (change < 1e-30) return R;
  }
  return R;
}

}  // namespace pliant
