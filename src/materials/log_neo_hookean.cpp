#include "materials/log_neo_hookean.h"

#include <cmath>

namespace pliant {
namespace {

/// ln J and its first two derivatives, continued below the barrier.
struct Logarithm {
  double value, first, second;

  explicit Logarithm(double J) {
    constexpr double from = LogNeoHookean::barrier_J;
    if (J >= from) {
      value = std::log(J);
      first = 1 / J;
      second = -first * first;
      return;
    }
    const double below = (J - from) / from;
    value = std::log(from) + below - 0.5 * below * below;
    first = (1 - below) / from;
    second = -1 / (from * from);
  }
};

}  // namespace

LogNeoHookean LogNeoHookean::from(double young, double poisson) {
  return {.mu = young / (2 * (1 + poisson)),
          .lambda = young * poisson / ((1 + poisson) * (1 - 2 * poisson))};
}

LogNeoHookean::Pressure LogNeoHookean::pressure(double J) const {
  const Logarithm log(J);
  if (is_square)
    return {.first = lambda * (J - 1) - mu * log.first, .second = lambda - mu * log.second};
  const double slope = lambda * log.value - mu;
  return {.first = slope * log.first,
          .second = lambda * log.first * log.first + slope * log.second};
}

double LogNeoHookean::energy(const Mat3& F) const {
  const double J = F.determinant(), log = Logarithm(J).value;
  const double growth = is_square ? J - 1 : log;
  return 0.5 * mu * (F.squaredNorm() - 3) - mu * log + 0.5 * lambda * growth * growth;
}

Mat3 LogNeoHookean::stress(const Mat3& F) const {
  return mu * F + pressure(F.determinant()).first * cofactor(F);
}

Mat9 LogNeoHookean::stiffness(const Mat3& F) const {
  const Pressure p = pressure(F.determinant());
  return volumetric_stiffness(F, mu, p.first, p.second);
}

}  // namespace pliant
