#include "methods/nurbs/masses.h"

#include <Eigen/Cholesky>
#include <cmath>

#include "core/assert.h"

namespace pliant::nurbs {
namespace {

using VecX = Eigen::VectorXd;

// A mass below this share of the mean would make contact's bounds useless.
constexpr double least_share = 1e-3;

VecX moments(const Vec3& x, int count) {
  Eigen::Matrix<double, 10, 1> all;
  all << 1, x[0], x[1], x[2], x[0] * x[0], x[1] * x[1], x[2] * x[2], x[0] * x[1], x[1] * x[2],
      x[2] * x[0];
  return all.head(count);
}

/// Masses start * exp(lambda . moments) with the wanted moments: Newton's method for lambda, on a
/// convex function. False: there are none.
bool match(const std::vector<Vec3>& place, const std::vector<double>& start, const VecX& wanted,
           std::vector<double>& mass) {
  const int count = int(wanted.size());
  VecX lambda = VecX::Zero(count);
  const auto value = [&](const VecX& at) {
    double sum = -at.dot(wanted);
    for (std::size_t n = 0; n < place.size(); ++n)
      sum += start[n] * std::exp(at.dot(moments(place[n], count)));
    return sum;
  };
  double now = value(lambda), left = 1e300;  // left: of the moments
  for (int iteration = 0; iteration < 100; ++iteration) {
    VecX gradient = -wanted;
    Eigen::MatrixXd curvature = Eigen::MatrixXd::Zero(count, count);
    for (std::size_t n = 0; n < place.size(); ++n) {
      const VecX m = moments(place[n], count);
      mass[n] = start[n] * std::exp(lambda.dot(m));
      gradient += mass[n] * m;
      curvature += mass[n] * m * m.transpose();
    }
    left = gradient.norm() / wanted.norm();
    if (left < 1e-12) return true;
    const VecX step = curvature.ldlt().solve(-gradient);
    double length = 1, next = value(lambda + step);
    while (!(next <= now + 1e-4 * length * gradient.dot(step)) && length > 1e-10)
      next = value(lambda + (length *= 0.5) * step);
    if (!(length > 1e-10)) {
      // The function is flat to rounding here; its slope is not yet, and Newton's step is good.
      if (left < 1e-9 || left > 1e-5) break;
      next = value(lambda + (length = 1) * step);
    }
    lambda += length * step;
    now = next;
  }
  return left < 1e-9;  // where rounding ends the search
}

}  // namespace

std::vector<double> lumped_masses(const galerkin::Points& points,
                                  const std::vector<double>& density,
                                  const std::vector<Vec3>& nodes) {
  std::vector<double> start(nodes.size(), 0), mass(nodes.size());
  double total = 0;
  Vec3 centre = Vec3::Zero();
  for (int p = 0; p < points.size(); ++p) {
    const double share = density[points.material[p]] * points.volume[p];
    total += share;
    centre += share * points.rest[p];
    for (int k = points.start[p]; k < points.start[p + 1]; ++k)
      start[points.node[k]] += share * points.value[k] * points.value[k];
  }
  ASSERT(total > 0, "a body without mass");
  centre /= total;
  double sum = 0, size = 0;
  for (const Vec3& x : nodes) size = std::max(size, (x - centre).norm());
  for (double& m : start) {
    m = std::max(m, 1e-3 * total / double(nodes.size()));  // nodes that no point sees
    sum += m;
  }
  for (double& m : start) m /= sum;  // masses in units of the total, places in those of the size
  std::vector<Vec3> place;
  for (const Vec3& x : nodes) place.push_back((x - centre) / size);
  VecX wanted = VecX::Zero(10);
  for (int p = 0; p < points.size(); ++p)
    wanted += density[points.material[p]] * points.volume[p] / total *
              moments((points.rest[p] - centre) / size, 10);
  bool is_found = false;
  for (const int count : {10, 4, 1}) {
    is_found = match(place, start, wanted.head(count), mass);
    double least = 1;
    for (const double m : mass) least = std::min(least, m);
    if (is_found && least > least_share / double(nodes.size())) break;
  }
  ASSERT(is_found, "the total can always be matched");
  for (double& m : mass) m *= total;
  return mass;
}

}  // namespace pliant::nurbs
