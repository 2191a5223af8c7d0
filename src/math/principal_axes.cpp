#include "math/principal_axes.h"

#include <Eigen/Eigenvalues>
#include <limits>

namespace pliant {

using Solver = Eigen::SelfAdjointEigenSolver<Mat3>;

PrincipalAxes principal_axes(const Mat3& symmetric) {
  const Solver solver(symmetric);
  return {solver.eigenvalues(), solver.eigenvectors()};
}

Vec3 principal_values(const Mat3& symmetric) {
  return Solver(symmetric, Eigen::EigenvaluesOnly).eigenvalues();
}

Vec3 shortest_solution(const Mat3& A, const Vec3& b) {
  const PrincipalAxes axes = principal_axes(A);
  const double rounding = 3 * std::numeric_limits<double>::epsilon() * axes.values[2];
  Vec3 x = Vec3::Zero();
  for (int k = 0; k < 3; ++k) {
    const Vec3 direction = axes.directions.col(k);
    if (axes.values[k] > rounding) x += direction * (direction.dot(b) / axes.values[k]);
  }
  return x;
}

}  // namespace pliant
