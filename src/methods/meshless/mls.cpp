#include "methods/meshless/mls.h"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <cmath>
#include <limits>

#include "core/errors.h"

// Moving least squares with a linear basis about the place itself, scaled by the support:
// p(y) = (1, (y - x) / h), so that p(x) = e1 and the moment matrix A = sum W p p^T stays well
// conditioned far from the origin. phi_i = W_i p_i . g with A g = e1; gradients keep h fixed.

namespace pliant::meshless {
namespace {

constexpr double worst_condition = 1e5;
constexpr int fewest = 8;

using Vec4 = Eigen::Vector4d;
using Mat4 = Eigen::Matrix4d;

// W(s) = 1 - 6 s^2 + 8 s^3 - 3 s^4 for s < 1: smooth at both ends.
double weight(double s) { return 1 + s * s * (-6 + s * (8 - 3 * s)); }
double weight_slope_over_s(double s) { return -12 * (1 - s) * (1 - s); }

}  // namespace

Shape shape_within(const Neighbours& particles, const Vec3& x, double radius) {
  Shape shape;
  shape.radius = radius;
  particles.within(x, radius, shape.node);
  const std::size_t count = shape.node.size();
  std::vector<Vec4> p(count);
  std::vector<double> W(count);
  std::vector<Vec3> slope(count);
  Mat4 A = Mat4::Zero();
  Mat4 A_slope[3] = {Mat4::Zero(), Mat4::Zero(), Mat4::Zero()};
  for (std::size_t i = 0; i < count; ++i) {
    const Vec3 away = (particles.points()[shape.node[i]] - x) / radius;
    const double s = away.norm();
    p[i] << 1, away;
    W[i] = weight(s);
    slope[i] = -weight_slope_over_s(s) / radius * away;
    const Mat4 square = p[i] * p[i].transpose();
    A += W[i] * square;
    for (int d = 0; d < 3; ++d) A_slope[d] += slope[i][d] * square;
  }
  const Eigen::SelfAdjointEigenSolver<Mat4> eigen(A, Eigen::EigenvaluesOnly);
  const double least = eigen.eigenvalues()[0];
  shape.condition =
      least > 0 ? eigen.eigenvalues()[3] / least : std::numeric_limits<double>::infinity();
  if (!(shape.condition < 1e12)) return shape;  // no functions; the caller takes a larger support

  const Eigen::LDLT<Mat4> solver(A);
  const Vec4 g = solver.solve(Vec4::Unit(0));
  Vec4 g_slope[3];
  for (int d = 0; d < 3; ++d)
    g_slope[d] = solver.solve(Vec4::Unit(d + 1) / radius - A_slope[d] * g);
  for (std::size_t i = 0; i < count; ++i) {
    shape.value.push_back(W[i] * p[i].dot(g));
    Vec3 gradient;
    for (int d = 0; d < 3; ++d)
      gradient[d] = W[i] * p[i].dot(g_slope[d]) + slope[i][d] * p[i].dot(g);
    shape.gradient.push_back(gradient);
  }
  return shape;
}

Shape shape_at(const Neighbours& particles, const Vec3& x, const Support& support) {
  std::vector<int> scratch;
  double radius = support.dilation * particles.mean_distance(x, support.nearest, scratch);
  for (int tries = 0; tries < 60; ++tries) {
    Shape shape = shape_within(particles, x, radius);
    const bool all = shape.node.size() == particles.points().size();
    if (shape.condition < worst_condition && (int(shape.node.size()) >= fewest || all))
      return shape;
    radius *= 1.15;
  }
  throw InputError("", "", "gives particles that all lie in one plane",
                   "take smaller cells, so that there are several across the thickness");
}

}  // namespace pliant::meshless
