#pragma once

#include <Eigen/Cholesky>
#include <vector>

#include "body/free_loads.h"

// Linear systems of free bodies under all six loads at once.

namespace pliant::free_bodies {

constexpr int loads_count = FreeLoads::count;
using Columns = Eigen::Matrix<double, 3, loads_count>;  // a vector for each load
using Field = std::vector<Columns>;                     // at each node
using Sums = Eigen::Matrix<double, 1, loads_count>;

inline Sums dot(const Field& a, const Field& b) {
  Sums sum = Sums::Zero();
  for (std::size_t n = 0; n < a.size(); ++n) sum += a[n].cwiseProduct(b[n]).colwise().sum();
  return sum;
}

/// Takes the six rigid motions out of a field over nodes: what loads and movements have of them is
/// rounding, and would grow.
class RigidMotions {
 public:
  explicit RigidMotions(const std::vector<Vec3>& place) : place_(place) {
    Vec3 middle = Vec3::Zero();
    for (const Vec3& p : place) middle += p / double(place.size());
    for (Vec3& p : place_) p -= middle;
    Eigen::Matrix<double, 6, 6> gram = Eigen::Matrix<double, 6, 6>::Zero();
    for (const Vec3& p : place_) gram += motion(p).transpose() * motion(p);
    gram_.compute(gram);
  }
  void remove(Field& field) const {
    Eigen::Matrix<double, 6, loads_count> sum = Eigen::Matrix<double, 6, loads_count>::Zero();
    for (std::size_t n = 0; n < field.size(); ++n) sum += motion(place_[n]).transpose() * field[n];
    const Eigen::Matrix<double, 6, loads_count> share = gram_.solve(sum);
    for (std::size_t n = 0; n < field.size(); ++n) field[n] -= motion(place_[n]) * share;
  }

 private:
  static Eigen::Matrix<double, 3, 6> motion(const Vec3& p) {
    Eigen::Matrix<double, 3, 6> m;
    m << Mat3::Identity(), skew(p).transpose();
    return m;
  }
  static Mat3 skew(const Vec3& p) {
    Mat3 m;
    m << 0, -p.z(), p.y(), p.z(), 0, -p.x(), -p.y(), p.x(), 0;
    return m;
  }

  std::vector<Vec3> place_;
  Eigen::LDLT<Eigen::Matrix<double, 6, 6>> gram_;
};

/// Six systems K x = f side by side, by conjugate gradients: a product costs hardly more for six
/// than for one. condition(r, z): z nearly K^-1 r. `tolerance`: of the loads; works are better by
/// far.
template <class Product, class Condition>
Field solve_loads(Field load, const RigidMotions& rigid, const Product& product,
                  const Condition& condition, double tolerance = 1e-4) {
  rigid.remove(load);
  const std::size_t count = load.size();
  Field x(count, Columns::Zero()), residual = load, conditioned(count), way, answer(count);
  condition(residual, conditioned);
  way = conditioned;
  Sums power = dot(residual, conditioned);
  constexpr int most_iterations = 20000;
  const Sums wanted = tolerance * tolerance * power;
  for (int i = 0; i < most_iterations; ++i) {
    product(way, answer);
    const Sums length = power.cwiseQuotient(dot(way, answer).cwiseMax(1e-300));
    for (std::size_t n = 0; n < count; ++n) {
      x[n] += way[n] * length.asDiagonal();
      residual[n] -= answer[n] * length.asDiagonal();
    }
    if (i % 20 == 0) rigid.remove(residual);
    condition(residual, conditioned);
    const Sums next = dot(residual, conditioned);
    if ((next.array() <= wanted.array()).all()) break;
    const Sums share = next.cwiseQuotient(power.cwiseMax(1e-300));
    power = next;
    for (std::size_t n = 0; n < count; ++n) way[n] = conditioned[n] + way[n] * share.asDiagonal();
  }
  return x;
}

/// Strains (three, then three shears) of a node whose function has the gradient g.
inline Eigen::Matrix<double, 6, 3> strain_of(const Vec3& g) {
  Eigen::Matrix<double, 6, 3> B;
  B << g[0], 0, 0, 0, g[1], 0, 0, 0, g[2], g[1], g[0], 0, 0, g[2], g[1], g[2], 0, g[0];
  return B;
}

/// Hooke's law of modulus 1.
inline Eigen::Matrix<double, 6, 6> hooke(double poisson) {
  const double lambda = poisson / (1 + poisson) / (1 - 2 * poisson), mu = 0.5 / (1 + poisson);
  Eigen::Matrix<double, 6, 6> D = Eigen::Matrix<double, 6, 6>::Zero();
  D.topLeftCorner<3, 3>().setConstant(lambda);
  D.diagonal().head<3>().array() += 2 * mu;
  D.diagonal().tail<3>().setConstant(mu);
  return D;
}

}  // namespace pliant::free_bodies
