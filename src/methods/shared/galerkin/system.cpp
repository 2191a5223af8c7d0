#include "methods/shared/galerkin/system.h"

#include <algorithm>
#include <cmath>

#include "core/assert.h"
#include "core/errors.h"
#include "core/parallel.h"

namespace pliant::galerkin {
namespace {

constexpr int grain = 256;
constexpr int row_grain = 16;  // rows of blocks per chunk of the assembly

double dot(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
  return parallel_sum(int(a.size()), grain, [&](int begin, int end) {
    double sum = 0;
    for (int i = begin; i < end; ++i) sum += a[i].dot(b[i]);
    return sum;
  });
}

/// Floats, 800 MB: larger factors are not made; for so many nodes we do not even look.
constexpr std::size_t largest_factor = 200'000'000;
constexpr int most_factored = 120'000;

/// The stiffness against inertia from which on a factor saves time. Measured with steps of 3 ms to
/// 1 s at nu 0.45 and 0.49 for 1000 nodes, and checked at 275 and 9261: the blocks on the diagonal
/// need cbrt(1 + ratio) times the iterations of the factor, and half as much again to be made; a
/// product takes 75 ns a point, the factor's answer 0.75 ns a number. For 9261 nodes both take the
/// same time at a ratio of 7.
double worthwhile(double factor_size, int points) {
  const double iteration = 1 + 0.75 * factor_size / (75.0 * points);
  return std::max(0.0, std::pow(iteration / 1.5, 3) - 1);
}

}  // namespace

System::System(const Elastic& elastic, Solver solver) : nodes_(elastic.nodes()) {
  const auto count = std::size_t(nodes_);
  residual_.resize(count);
  product_.resize(count);
  if (solver == Solver::automatic)
    solver = 3 * nodes_ <= direct_unknowns ? Solver::direct : Solver::iterative;
  if (solver == Solver::direct) {
    graph_.emplace(elastic.graph());
    build_pattern();
    return;
  }
  wide_ = std::make_unique<WideStiffness>(elastic);
  inverse_diagonal_.resize(count);
  step_.resize(count);
  conditioned_.resize(count);
  if (nodes_ > most_factored) return;
  lasting_ = std::make_unique<LastingFactor>(elastic);
  if (lasting_->size() > largest_factor) lasting_.reset();
  else factor_from_ = worthwhile(double(lasting_->size()), elastic.points().size());
}

// Column 3 a + c of the lower triangle has the rows of all neighbours b >= a, 3 each, and of a
// itself those from c on.
void System::build_pattern() {
  std::vector<Eigen::Triplet<double>> entries;
  int most = 0;
  for (int a = 0; a < nodes_; ++a) {
    most = std::max(most, graph_->start[a + 1] - graph_->start[a]);
    for (int k = graph_->start[a]; k < graph_->start[a + 1]; ++k)
      for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c)
          if (3 * graph_->neighbour[k] + r >= 3 * a + c)
            entries.emplace_back(3 * graph_->neighbour[k] + r, 3 * a + c, 1.0);
  }
  matrix_.resize(3 * nodes_, 3 * nodes_);
  matrix_.setFromTriplets(entries.begin(), entries.end());
  matrix_.makeCompressed();
  cholesky_ = std::make_unique<Cholesky>();
  cholesky_->analyzePattern(matrix_);
  const int chunks = (nodes_ + row_grain - 1) / row_grain;
  slot_.resize(std::size_t(chunks) * nodes_);
  blocks_.resize(std::size_t(chunks) * most);
  right_.resize(3 * nodes_);
}

void System::fill_matrix() {
  const int chunks = (nodes_ + row_grain - 1) / row_grain;
  const auto most = blocks_.size() / std::size_t(chunks);
  parallel_for(nodes_, row_grain, [&](int begin, int end) {
    int* slot = slot_.data() + std::size_t(begin / row_grain) * nodes_;
    Mat3* blocks = blocks_.data() + std::size_t(begin / row_grain) * most;
    for (int a = begin; a < end; ++a) {
      int count = 0;
      for (int k = graph_->start[a]; k < graph_->start[a + 1]; ++k) {
        if (graph_->neighbour[k] < a) continue;
        blocks[count].setZero();
        slot[graph_->neighbour[k]] = count++;
      }
      elastic_->add_upper_row(a, slot, blocks);
      const int first = graph_->start[a + 1] - count;  // of the neighbours from a itself on
      for (int c = 0; c < 3; ++c) {
        double* value = matrix_.valuePtr() + matrix_.outerIndexPtr()[3 * a + c];
        for (int k = 0; k < count; ++k) {
          const int b = graph_->neighbour[first + k];
          for (int r = b == a ? c : 0; r < 3; ++r) {
            double entry = held_[a] || held_[b] ? 0 : factor_ * blocks[k](c, r);
            if (a == b && r == c) entry += held_[a] ? 1 : mass_[a];
            *value++ = entry;
          }
        }
      }
    }
  });
}

void System::prepare(Elastic& elastic, const std::vector<double>& mass, double factor,
                     const std::vector<char>& held, const Grips* grips, double grip_factor) {
  grips_ = grips && grips->size() > 0 ? grips : nullptr;
  grip_factor_ = grip_factor;
  ASSERT(!grips_ || !is_direct(), "the factor's pattern has no room for grips");
  elastic_ = &elastic;
  mass_ = mass;
  factor_ = factor;
  held_ = held;
  free_mass_ = 0;
  if (!grips_ && std::find(held_.begin(), held_.end(), 1) == held_.end())
    for (const double m : mass_) free_mass_ += m;
  elastic.keep_tangents();
  if (is_direct()) {
    fill_matrix();
    cholesky_->factorize(matrix_);
    if (cholesky_->info() != Eigen::Success)
      throw NumericalError("the stiffness matrix has no Cholesky factor; is the body held?");
    return;
  }
  wide_->set_tangents(elastic);
  use_factor_ = factor_pays() && lasting_->prepare(mass_, factor_, held_, grips_, grip_factor_);
  if (!use_factor_) prepare_blocks();
}

bool System::factor_pays() const {
  if (!lasting_) return false;
  double inertia = 0;
  for (const double m : mass_) inertia += m;
  return factor_ * lasting_->trace() >= factor_from_ * inertia;
}

void System::prepare_blocks() {
  elastic_->diagonal(inverse_diagonal_);
  if (grips_) grips_->add_diagonal(inverse_diagonal_);  // their own factor is close enough here
  parallel_for(nodes_, grain, [&](int begin, int end) {
    for (int n = begin; n < end; ++n) {
      if (held_[n]) {
        inverse_diagonal_[n].setZero();
        continue;
      }
      Mat3 block = factor_ * inverse_diagonal_[n];
      block.diagonal().array() += mass_[n];
      inverse_diagonal_[n] = block.inverse();
    }
  });
}

/// conditioned_ = P residual_.
void System::precondition() {
  if (use_factor_) {
    lasting_->apply(residual_, conditioned_);
    return;
  }
  parallel_for(nodes_, grain, [&](int begin, int end) {
    for (int n = begin; n < end; ++n) conditioned_[n] = inverse_diagonal_[n] * residual_[n];
  });
}

void System::multiply(const std::vector<Vec3>& x, std::vector<Vec3>& y) const {
  elastic_->multiply(x, y);
  for (int n = 0; n < nodes_; ++n) y[n] = mass_[n] * x[n] + factor_ * y[n];
  if (grips_) grips_->add_product(x, grip_factor_, y);
}

void System::multiply_fast(const std::vector<Vec3>& x, std::vector<Vec3>& y) {
  wide_->multiply(x, mass_, factor_, held_, y);
  if (!grips_) return;
  grips_->add_product(x, grip_factor_, y);
  for (int n = 0; n < nodes_; ++n)
    if (held_[n]) y[n].setZero();
}

double System::true_residual(const std::vector<Vec3>& b, const std::vector<Vec3>& x) {
  multiply(x, product_);
  for (int n = 0; n < nodes_; ++n)
    residual_[n] = held_[n] ? Vec3(Vec3::Zero()) : Vec3(b[n] - product_[n]);
  return std::sqrt(dot(residual_, residual_));
}

double System::quick_residual(const std::vector<Vec3>& b, const std::vector<Vec3>& x) {
  multiply_fast(x, product_);
  parallel_for(nodes_, grain, [&](int begin, int end) {
    for (int n = begin; n < end; ++n)
      residual_[n] = held_[n] ? Vec3(Vec3::Zero()) : Vec3(b[n] - product_[n]);
  });
  return std::sqrt(dot(residual_, residual_));
}

/// Inner forces move no free body: the rows of A x = b sum to mass times x = b, whatever K is. What
/// conjugate gradients left of that is put right by moving all nodes alike, which strains nothing.
void System::keep_momentum(const std::vector<Vec3>& b, std::vector<Vec3>& x) const {
  if (free_mass_ == 0) return;
  Vec3 missing = Vec3::Zero();
  for (int n = 0; n < nodes_; ++n) missing += b[n] - mass_[n] * x[n];
  for (int n = 0; n < nodes_; ++n) x[n] += missing / free_mass_;
}

SolveReport System::solve_quickly(const std::vector<Vec3>& b, std::vector<Vec3>& x,
                                  double tolerance) {
  if (is_direct()) return solve(b, x, tolerance);
  SolveReport report;
  report.residual = quick_residual(b, x);
  if (report.residual <= tolerance) return report;
  report.iterations = solve_iterative(x, tolerance);
  keep_momentum(b, x);
  report.residual = tolerance;
  return report;
}

void System::solve_direct(std::vector<Vec3>& x) {
  for (int n = 0; n < nodes_; ++n) right_.segment<3>(3 * n) = residual_[n];
  const VecX change = cholesky_->solve(right_);
  for (int n = 0; n < nodes_; ++n)
    if (!held_[n]) x[n] += change.segment<3>(3 * n);
}

/// Conjugate gradients from residual_, preconditioned. Products go
/// through floats; the residual is carried along in double and checked by the caller.
int System::solve_iterative(std::vector<Vec3>& x, double tolerance) {
  const int most = 4 * 3 * nodes_ + 100;
  constexpr int patience = 1000;  // iterations without half of what was left: there is no answer
  double along = 0, best = std::numeric_limits<double>::infinity();
  int since_best = 0;
  for (int i = 0; i < most; ++i) {
    precondition();
    const double next = dot(residual_, conditioned_);
    const double ratio = i == 0 ? 0 : next / along;
    along = next;
    parallel_for(nodes_, grain, [&](int begin, int end) {
      for (int n = begin; n < end; ++n)
        step_[n] = i == 0 ? conditioned_[n] : Vec3(conditioned_[n] + ratio * step_[n]);
    });
    multiply_fast(step_, product_);
    const double curvature = dot(step_, product_);
    if (!(curvature > 0)) return i;
    const double length = along / curvature;
    const double left = parallel_sum(nodes_, grain, [&](int begin, int end) {
      double sum = 0;
      for (int n = begin; n < end; ++n) {
        x[n] += length * step_[n];
        residual_[n] -= length * product_[n];
        sum += residual_[n].squaredNorm();
      }
      return sum;
    });
    if (left <= tolerance * tolerance) return i + 1;
    if (left < 0.25 * best) best = left, since_best = 0;
    else if (++since_best >= patience) return i + 1;
  }
  return most;
}

SolveReport System::solve(const std::vector<Vec3>& b, std::vector<Vec3>& x, double tolerance,
                          double relative) {
  ASSERT(elastic_ != nullptr, "prepare() comes first");
  SolveReport report;
  report.residual = is_direct() ? true_residual(b, x) : quick_residual(b, x);
  if (is_direct()) {
    if (report.residual <= tolerance) return report;
    solve_direct(x);
    report.residual = true_residual(b, x);
    return report;
  }
  tolerance = std::max(tolerance, relative * report.residual);
  // Floats cannot tell below about 1e-6 of where they started: then start again from there.
  for (int round = 0; round < 12 && (round == 0 || report.residual > tolerance); ++round) {
    const double before = report.residual;
    // A little more than asked, so that rounding does not make another round necessary.
    if (before > 0.8 * tolerance)
      report.iterations += solve_iterative(x, std::max(0.8 * tolerance, 1e-5 * before));
    keep_momentum(b, x);
    report.residual = true_residual(b, x);
    if (round > 0 && !(report.residual < 0.5 * before)) break;
  }
  report.converged = report.residual <= tolerance;
  return report;
}

}  // namespace pliant::galerkin
