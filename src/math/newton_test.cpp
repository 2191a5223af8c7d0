#include "math/newton.h"

#include <cmath>
#include <doctest/doctest.h>

using namespace pliant;

namespace {

/// A chain of springs in a valley that is not quadratic: sum of (x[i+1] - x[i] - 1)^4 + 0.1 (..)^2,
/// and x[0] held near 0.
struct Chain : Objective {
  static double stretch(const VecX& x, int i) { return x[i + 1] - x[i] - 1; }
  double value(const VecX& x) const override {
    double sum = 0.5 * x[0] * x[0];
    for (int i = 0; i + 1 < x.size(); ++i)
      sum += std::pow(stretch(x, i), 4) + 0.1 * std::pow(stretch(x, i), 2);
    return sum;
  }
  void gradient(const VecX& x, VecX& g) const override {
    g.setZero();
    g[0] = x[0];
    for (int i = 0; i + 1 < x.size(); ++i) {
      const double slope = 4 * std::pow(stretch(x, i), 3) + 0.2 * stretch(x, i);
      g[i] -= slope;
      g[i + 1] += slope;
    }
  }
  void hessian(const VecX& x, SparseMatrix& H) const override {
    std::vector<Eigen::Triplet<double>> entries = {{0, 0, 1.0}};
    for (int i = 0; i + 1 < int(x.size()); ++i) {
      const double curve = 12 * std::pow(stretch(x, i), 2) + 0.2;
      entries.insert(entries.end(), {{i, i, curve}, {i + 1, i + 1, curve}, {i + 1, i, -curve}});
    }
    H.resize(x.size(), x.size());
    H.setFromTriplets(entries.begin(), entries.end());
  }
};

}  // namespace

TEST_CASE("Newton finds the bottom of a valley from far away") {
  VecX x = VecX::Constant(20, 7);
  const NewtonReport report = minimise(Chain(), x);
  CHECK(report.converged);
  CHECK(report.gradient < 1e-8);
  for (int i = 0; i < 20; ++i) CHECK(x[i] == doctest::Approx(i).epsilon(1e-6));
}

TEST_CASE("close to the bottom the error is squared by every step") {
  VecX x = VecX::LinSpaced(20, 0, 19);
  x.array() += 1e-3 * x.array().sin();
  const NewtonReport report = minimise(Chain(), x, {.most_iterations = 4, .step = 1e-12});
  CHECK(report.converged);
}
