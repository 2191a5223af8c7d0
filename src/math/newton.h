#pragma once

#include <Eigen/Core>
#include <Eigen/SparseCore>

namespace pliant {

using VecX = Eigen::VectorXd;
using SparseMatrix = Eigen::SparseMatrix<double>;

/// A function of many unknowns, to be minimised.
class Objective {
 public:
  virtual ~Objective() = default;
  virtual double value(const VecX& x) const = 0;
  virtual void gradient(const VecX& x, VecX& g) const = 0;
  /// Lower triangle, made positive semi-definite; the pattern must be the same at every x.
  virtual void hessian(const VecX& x, SparseMatrix& H) const = 0;
};

enum class LinearSolver {
  cholesky,             // sparse factor, analysed once
  conjugate_gradients,  // preconditioned by the diagonal, to a residual of 1e-4
};

struct NewtonSettings {
  int most_iterations = 100;
  double step = 1e-8;   // converged when no unknown moves by more than this
  double gradient = 0;  // or when no component of the gradient is larger than this
  LinearSolver solver = LinearSolver::cholesky;
};

struct NewtonReport {
  int iterations = 0;
  int linear_iterations = 0;  // of conjugate gradients, in all
  bool converged = false;
  double step = 0;      // largest move of the last iteration
  double gradient = 0;  // largest component at the end
};

/// Projected Newton with backtracking line search.
/// Every iteration lowers the value.
NewtonReport minimise(const Objective& objective, VecX& x, const NewtonSettings& settings = {});

}  // namespace pliant
