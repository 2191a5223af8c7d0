#include "body/free_loads.h"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>

namespace pliant {

FreeLoads::FreeLoads(std::span<const Vec3> place, std::span<const double> volume) {
  double total = 0;
  for (std::size_t i = 0; i < place.size(); ++i) {
    total += volume[i];
    centre_ += volume[i] * place[i];
  }
  centre_ /= total;
  Mat3 second = Mat3::Zero();
  for (std::size_t i = 0; i < place.size(); ++i)
    second += volume[i] / total * (place[i] - centre_) * (place[i] - centre_).transpose();
  const Eigen::SelfAdjointEigenSolver<Mat3> principal(second);
  axes_.col(0) = principal.eigenvectors().col(2);
  axes_.col(1) = principal.eigenvectors().col(1);
  axes_.col(2) = axes_.col(0).cross(axes_.col(1));
  size_ = std::sqrt(principal.eigenvalues()[2]);
  Eigen::Matrix<double, 6, 6> gram = Eigen::Matrix<double, 6, 6>::Zero();
  Eigen::Matrix<double, 6, count> moments = Eigen::Matrix<double, 6, count>::Zero();
  for (std::size_t i = 0; i < place.size(); ++i) {
    gram += volume[i] * rigid(place[i]).transpose() * rigid(place[i]);
    moments += volume[i] * rigid(place[i]).transpose() * shape(place[i]);
  }
  balance_ = gram.ldlt().solve(moments);
}

Eigen::Matrix<double, 3, FreeLoads::count> FreeLoads::shape(const Vec3& place) const {
  const Vec3 x = axes_.transpose() * (place - centre_) / size_;
  Eigen::Matrix<double, 3, count> b;
  b.col(0) = Vec3(x[0], 0, 0);
  b.col(1) = Vec3(0, x[0] * x[0], 0);
  b.col(2) = Vec3(0, 0, x[0] * x[0]);
  b.col(3) = Vec3(0, -x[0] * x[2], x[0] * x[1]);
  b.col(4) = Vec3(0, x[0] * x[0] * x[0], 0);
  b.col(5) = Vec3(0, x[1], -x[2]);
  return axes_ * b;
}

Eigen::Matrix<double, 3, 6> FreeLoads::rigid(const Vec3& place) const {
  const Vec3 x = (place - centre_) / size_;
  Eigen::Matrix<double, 3, 6> m;
  m.leftCols<3>() = Mat3::Identity();
  for (int k = 0; k < 3; ++k) m.col(3 + k) = Vec3::Unit(k).cross(x);
  return m;
}

Eigen::Matrix<double, 3, FreeLoads::count> FreeLoads::at(const Vec3& place) const {
  return shape(place) - rigid(place) * balance_;
}

}  // namespace pliant
