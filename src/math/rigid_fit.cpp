#include "math/rigid_fit.h"

#include <Eigen/SVD>
#include <cmath>

#include "core/assert.h"

// Kabsch 1976: the turn is the orthogonal factor of the correlation of the two sets.

namespace pliant {
namespace {

Vec3 centre(std::span<const Vec3> points, std::span<const double> weight) {
  Vec3 sum = Vec3::Zero();
  double all = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    sum += weight[i] * points[i];
    all += weight[i];
  }
  ASSERT(all > 0, "something must have weight");
  return sum / all;
}

}  // namespace

Pose best_rigid_fit(std::span<const Vec3> from, std::span<const Vec3> to,
                    std::span<const double> weight) {
  ASSERT(from.size() == to.size() && from.size() == weight.size(), "one weight for each pair");
  const Vec3 here = centre(from, weight), there = centre(to, weight);
  Mat3 correlation = Mat3::Zero();
  for (std::size_t i = 0; i < from.size(); ++i)
    correlation += weight[i] * (to[i] - there) * (from[i] - here).transpose();
  const Eigen::JacobiSVD<Mat3> svd(correlation, Eigen::ComputeFullU | Eigen::ComputeFullV);
  Mat3 U = svd.matrixU();
  // A reflection would fit mirrored shapes better; the weakest axis pays for not being one.
  if ((U * svd.matrixV().transpose()).determinant() < 0) U.col(2) *= -1;
  Pose pose;
  pose.rotation = Quat(Mat3(U * svd.matrixV().transpose()));
  pose.position = there - pose.rotation * here;
  return pose;
}

double shape_distance(std::span<const Vec3> from, std::span<const Vec3> to,
                      std::span<const double> weight) {
  const Pose pose = best_rigid_fit(from, to, weight);
  double squares = 0, all = 0;
  for (std::size_t i = 0; i < from.size(); ++i) {
    squares += weight[i] * (pose.apply(from[i]) - to[i]).squaredNorm();
    all += weight[i];
  }
  return std::sqrt(squares / all);
}

}  // namespace pliant
