#pragma once

#include <Eigen/SparseCholesky>
#include <limits>
#include <memory>
#include <optional>

#include "math/newton.h"
#include "methods/shared/galerkin/elastic.h"
#include "methods/shared/galerkin/grips.h"
#include "methods/shared/galerkin/lasting_factor.h"
#include "methods/shared/galerkin/rules.h"
#include "methods/shared/galerkin/wide_stiffness.h"

namespace pliant::galerkin {

/// Up to this many unknowns a factor is cheaper than iterating.
constexpr int direct_unknowns = 240;

struct SolveReport {
  int iterations = 0;     // of conjugate gradients; 0 = direct
  double residual = 0;    // [same unit as b] reached, in double precision
  bool converged = true;  //
};

/// The matrix A = diag(mass) + factor K of one substep or one Newton iteration, and how to solve
/// with it. Held nodes keep what they are given.
class System {
 public:
  System(const Elastic& elastic, Solver solver);

  /// Takes K as it is after elastic.update(); `mass` per node. Conjugate gradients go on with the
  /// reference to `elastic` until the next call: it must not be updated in between.
  /// Grips are springs like any other, but take part without the damping that `factor` may have:
  /// with `grip_factor`. Only the iterative solver knows them.
  void prepare(Elastic& elastic, const std::vector<double>& mass, double factor,
               const std::vector<char>& held, const Grips* grips = nullptr, double grip_factor = 0);

  /// y = A x, in double.
  void multiply(const std::vector<Vec3>& x, std::vector<Vec3>& y) const;

  /// Solves A x = b for the free nodes until no more than `tolerance` is left of b - A x (root of
  /// the sum of squares), or no more than the share `relative` of what it was at first. Starts from
  /// x; entries of held nodes are prescribed and count.
  SolveReport solve(const std::vector<Vec3>& b, std::vector<Vec3>& x, double tolerance,
                    double relative = 0);

  /// The same for callers that ask for no more than about 1e-5 of b: conjugate gradients through
  /// floats, not checked in double.
  SolveReport solve_quickly(const std::vector<Vec3>& b, std::vector<Vec3>& x, double tolerance);

  /// What the last prepare() chose for conjugate gradients: the lasting factor, or blocks on the
  /// diagonal.
  bool has_factor() const { return use_factor_; }
  LastingFactor* lasting() { return lasting_.get(); }  // null: direct, or too large
  /// Stiffness against inertia, factor * trace(L) / mass, from which on the lasting factor is
  /// chosen; infinity when there is none.
  double factor_from() const { return factor_from_; }
  void set_factor_from(double ratio) { factor_from_ = ratio; }  // for tests and measurements
  bool is_direct() const { return cholesky_ != nullptr; }
  const WideStiffness* wide() const { return wide_.get(); }
  /// One product as conjugate gradients make it, for benchmarks.
  void multiply_fast(const std::vector<Vec3>& x, std::vector<Vec3>& y);

 private:
  using Cholesky = Eigen::SimplicialLLT<SparseMatrix>;

  void build_pattern();
  void prepare_blocks();
  bool factor_pays() const;
  void precondition();
  void fill_matrix();
  void solve_direct(std::vector<Vec3>& x);
  int solve_iterative(std::vector<Vec3>& x, double tolerance);
  void keep_momentum(const std::vector<Vec3>& b, std::vector<Vec3>& x) const;
  double true_residual(const std::vector<Vec3>& b, const std::vector<Vec3>& x);
  double quick_residual(const std::vector<Vec3>& b, const std::vector<Vec3>& x);

  int nodes_ = 0;
  Elastic* elastic_ = nullptr;
  double factor_ = 1;
  const Grips* grips_ = nullptr;  // null when there are none
  double grip_factor_ = 0;
  std::vector<double> mass_;
  double free_mass_ = 0;  // of all nodes when nothing holds any, otherwise 0
  std::vector<char> held_;

  // Direct.
  std::unique_ptr<Cholesky> cholesky_;
  std::optional<Graph> graph_;
  SparseMatrix matrix_;  // lower triangle
  std::vector<int> slot_;
  std::vector<Mat3> blocks_;
  VecX right_;

  // Iterative.
  std::unique_ptr<WideStiffness> wide_;
  std::unique_ptr<LastingFactor> lasting_;
  double factor_from_ = std::numeric_limits<double>::infinity();
  bool use_factor_ = false;
  std::vector<Mat3> inverse_diagonal_;
  std::vector<Vec3> residual_, step_, product_, conditioned_;
};

}  // namespace pliant::galerkin
