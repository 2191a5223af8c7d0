#include "math/newton.h"

#include <Eigen/IterativeLinearSolvers>
#include <Eigen/SparseCholesky>

#include "core/errors.h"

namespace pliant {
namespace {

/// Solves with one Hessian after the other.
class Directions {
 public:
  explicit Directions(LinearSolver solver) : solver_(solver) {}

  VecX solve(const SparseMatrix& H, const VecX& g, NewtonReport& report) {
    if (solver_ == LinearSolver::cholesky) {
      factorise(H);
      return cholesky_.solve(g);
    }
    gradients_.setTolerance(1e-4);
    gradients_.compute(H);
    const VecX found = gradients_.solve(g);
    report.linear_iterations += int(gradients_.iterations());
    return found;
  }

 private:
  /// A Hessian that is only semi-definite gets a little of its own diagonal.
  void factorise(const SparseMatrix& H) {
    if (!analysed_) cholesky_.analyzePattern(H);
    analysed_ = true;
    for (double shift = 0; shift < 1; shift = shift == 0 ? 1e-10 : 10 * shift) {
      SparseMatrix shifted = H;
      if (shift > 0) shifted.diagonal() *= 1 + shift;
      cholesky_.factorize(shifted);
      if (cholesky_.info() == Eigen::Success) return;
    }
    throw NumericalError("Newton's method met a matrix it cannot factorise");
  }

  LinearSolver solver_;
  bool analysed_ = false;
  Eigen::SimplicialLLT<SparseMatrix> cholesky_;
  Eigen::ConjugateGradient<SparseMatrix, Eigen::Lower> gradients_;
};

}  // namespace

NewtonReport minimise(const Objective& objective, VecX& x, const NewtonSettings& settings) {
  NewtonReport report;
  Directions directions(settings.solver);
  SparseMatrix H;
  VecX g(x.size());
  double value = objective.value(x);
  objective.gradient(x, g);
  for (; report.iterations < settings.most_iterations; ++report.iterations) {
    report.gradient = g.lpNorm<Eigen::Infinity>();
    if (report.gradient <= settings.gradient) {
      report.converged = true;
      return report;
    }
    objective.hessian(x, H);
    const VecX direction = -directions.solve(H, g, report);
    const double slope = direction.dot(g);
    double length = 1;
    VecX next = x + direction;
    double next_value = objective.value(next);
    while (!(next_value <= value + 1e-4 * length * slope) && length > 1e-12) {
      length *= 0.5;
      next = x + length * direction;
      next_value = objective.value(next);
    }
    report.step = length * direction.lpNorm<Eigen::Infinity>();
    // At the bottom rounding decides about the last bits of the value: that is convergence too.
    const bool lower = next_value <= value + 1e-4 * length * slope;
    if (lower) {
      x = next;
      value = next_value;
      objective.gradient(x, g);
    }
    if (report.step <= settings.step || !lower) {
      ++report.iterations;
      report.converged = report.step <= settings.step || std::abs(slope) <= 1e-12 * std::abs(value);
      report.gradient = g.lpNorm<Eigen::Infinity>();
      return report;
    }
  }
  return report;
}

}  // namespace pliant
