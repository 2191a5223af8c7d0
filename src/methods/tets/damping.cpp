#include "methods/tets/damping.h"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>

// Mueller, Macklin et al. 2022 (shape matching), algorithm 2, with the substep's h.

namespace pliant::tets {

Vec3 angular_velocity(const Mat3& inertia, const Vec3& angular_momentum) {
  const double mean = inertia.trace() / 3;
  if (!(mean > 0)) return Vec3::Zero();
  const Mat3 areas = cofactor(inertia);
  const double determinant = areas.col(0).dot(inertia.col(0));
  if (determinant > 1e-6 * mean * mean * mean)  // symmetric: the cofactors are the adjugate
    return areas * angular_momentum / determinant;
  const Eigen::SelfAdjointEigenSolver<Mat3> eigen(inertia);
  Vec3 sum = Vec3::Zero();
  for (int k = 0; k < 3; ++k) {
    const double value = eigen.eigenvalues()[k];
    if (value < 1e-9 * eigen.eigenvalues()[2]) continue;
    const Vec3 axis = eigen.eigenvectors().col(k);
    sum += axis.dot(angular_momentum) / value * axis;
  }
  return sum;
}

void damp(const Tet& nodes, double k, const std::vector<Vec3>& position,
          const std::vector<double>& mass, const std::vector<char>& held,
          std::vector<Vec3>& velocity) {
  double m[4], total = 0;
  Vec3 arm[4], v[4];
  Vec3 centre = Vec3::Zero(), drift = Vec3::Zero();
  for (int c = 0; c < 4; ++c) {
    m[c] = mass[nodes[c]];
    arm[c] = position[nodes[c]];
    v[c] = velocity[nodes[c]];
    total += m[c];
    centre += m[c] * arm[c];
    drift += m[c] * v[c];
  }
  centre /= total;
  drift /= total;

  Vec3 angular_momentum = Vec3::Zero();
  Mat3 spread = Mat3::Zero();
  for (int c = 0; c < 4; ++c) {
    arm[c] -= centre;
    v[c] -= drift;
    const Vec3 pull = m[c] * arm[c];
    angular_momentum += pull.cross(v[c]);
    spread += pull * arm[c].transpose();
  }
  const Mat3 inertia = spread.trace() * Mat3::Identity() - spread;
  const Vec3 spin = angular_velocity(inertia, angular_momentum);
  for (int c = 0; c < 4; ++c)
    if (!held[nodes[c]]) velocity[nodes[c]] += k * (spin.cross(arm[c]) - v[c]);
}

}  // namespace pliant::tets
