#include "math/newton.h"

#include <Eigen/SparseCholesky>

#include "core/errors.h"

namespace pliant {
namespace {

/// A Hessian that is only semi-definite gets a little of its own diagonal.
void factorise(Eigen::SimplicialLLT<SparseMatrix>& cholesky, const SparseMatrix& H) {
  for (double shift = 0; shift < 1; shift = shift == 0 ? 1e-10 : 10 * shift) {
    SparseMatrix shifted = H;
    if (shift > 0) shifted.diagonal() *= 1 + shift;
    cholesky.factorize(shifted);
    if (cholesky.info() == Eigen::Success) return;
  }
  throw NumericalError("Newton's method met a matrix it cannot factorise");
}

}  // namespace

NewtonReport minimise(const Objective& objective, VecX& x, const NewtonSettings& settings) {
  NewtonReport report;
  Eigen::SimplicialLLT<SparseMatrix> cholesky;
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
    if (report.iterations == 0) cholesky.analyzePattern(H);
    factorise(cholesky, H);
    const VecX direction = -cholesky.solve(g);
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
