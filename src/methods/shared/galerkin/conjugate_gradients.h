#pragma once

#include <cmath>
#include <vector>

#include "core/parallel.h"
#include "math/types.h"

namespace pliant::galerkin {

/// Preconditioned conjugate gradients for A x = b, from x = 0. Its vectors are kept from solve to
/// solve, so nothing is allocated.
class ConjugateGradients {
 public:
  struct Outcome {
    int iterations = 0;
    double first = 0;  // r . P r of the first residual: about the square of the error, by A
  };

  explicit ConjugateGradients(std::size_t nodes)
      : direction_(nodes), product_(nodes), conditioned_(nodes) {}

  /// `residual` is b when it is given, and b - A x when it comes back. multiply(x, y): y = A x;
  /// precondition(r, y): y = P r; bound(r): at least r . A^-1 r, and quickly found. Goes on until
  /// r . P r is at most `least`, |r| is below the share `relative` of what it was, or A turns out
  /// not to be positive.
  template <class Multiply, class Precondition, class Bound>
  Outcome solve(const Multiply& multiply, const Precondition& precondition, const Bound& bound,
                std::vector<Vec3>& residual, std::vector<Vec3>& x, double least, double relative,
                int most);

 private:
  static constexpr int grain = 256;
  static double dot(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
    return parallel_sum(int(a.size()), grain, [&](int begin, int end) {
      double sum = 0;
      for (int i = begin; i < end; ++i) sum += a[i].dot(b[i]);
      return sum;
    });
  }

  std::vector<Vec3> direction_, product_, conditioned_;
};

template <class Multiply, class Precondition, class Bound>
ConjugateGradients::Outcome ConjugateGradients::solve(
    const Multiply& multiply, const Precondition& precondition, const Bound& bound,
    std::vector<Vec3>& residual, std::vector<Vec3>& x, double least, double relative, int most) {
  const int nodes = int(x.size());
  for (Vec3& v : x) v.setZero();
  Outcome outcome;
  if (bound(residual) <= least) return outcome;
  const double enough = relative * relative * dot(residual, residual);
  precondition(residual, conditioned_);
  double along = dot(residual, conditioned_);
  outcome.first = along;
  if (!(along > least)) return outcome;
  direction_ = conditioned_;
  while (true) {
    multiply(direction_, product_);
    const double curvature = dot(direction_, product_);
    if (!(curvature > 0)) {
      // Still downhill: better than nothing if nothing was found yet.
      if (outcome.iterations == 0) x = direction_;
      break;
    }
    const double length = along / curvature;
    double left = 0;
    for (int n = 0; n < nodes; ++n) {
      x[n] += length * direction_[n];
      residual[n] -= length * product_[n];
      left += residual[n].squaredNorm();
    }
    ++outcome.iterations;
    if (left <= enough || outcome.iterations == most) break;
    precondition(residual, conditioned_);
    const double next = dot(residual, conditioned_);
    if (!(next > least)) break;
    const double ratio = next / along;
    along = next;
    for (int n = 0; n < nodes; ++n) direction_[n] = conditioned_[n] + ratio * direction_[n];
  }
  return outcome;
}

}  // namespace pliant::galerkin
