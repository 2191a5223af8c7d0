#include "methods/nurbs/paper/projection.h"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/assert.h"
#include "core/errors.h"
#include "core/parallel.h"

// Equation 7 of the paper with its inverses around all terms.

namespace pliant::nurbs::paper {
namespace {

using Eigen::MatrixXd;
using Vec6 = Eigen::Matrix<double, 6, 1>;

// Quadratic terms against `pull` of the linear ones: they only have to stay finite.
constexpr double quadratic_share = 0.1;
// What is taken for zero where there is no pull.
constexpr double rounding = 1e-10;
// A cluster whose moments are less than this share of the largest lies in a plane.
constexpr double flat = 1e-8;

Vec6 squares(const Vec3& d) {
  Vec6 t;
  t << d[0] * d[0], d[1] * d[1], d[2] * d[2], d[0] * d[1], d[1] * d[2], d[2] * d[0];
  return t;
}

/// Of the terms, by rows.
Eigen::Matrix<double, 6, 3> slopes_of_squares(const Vec3& d) {
  Eigen::Matrix<double, 6, 3> g;
  g << 2 * d[0], 0, 0, 0, 2 * d[1], 0, 0, 0, 2 * d[2], d[1], d[0], 0, 0, d[2], d[1], d[2], 0, d[0];
  return g;
}

double largest_eigenvalue(const MatrixXd& symmetric) {
  return Eigen::SelfAdjointEigenSolver<MatrixXd>(symmetric, Eigen::EigenvaluesOnly)
      .eigenvalues()
      .maxCoeff();
}

int column(const std::vector<int>& nodes, int node) {
  const auto found = std::lower_bound(nodes.begin(), nodes.end(), node);
  ASSERT(found != nodes.end() && *found == node, "a sample outside of its cluster");
  return int(found - nodes.begin());
}

}  // namespace

Projection::Projection(const std::vector<SurfaceSample>& samples, const Clusters& clusters,
                       int order, double pull)
    : order_(order), parts_(clusters.of.size()) {
  std::vector<Range> range(parts_.size(), Range{0, 0});
  for (int s = 0; s < int(samples.size()); ++s) {
    Range& of = range[samples[s].part];
    if (of[1] == 0) of[0] = s;
    of[1] = s + 1;
  }
  std::vector<int> all(parts_.size());
  std::iota(all.begin(), all.end(), 0);
  for (const std::vector<int>& members : clusters.members)
    if (!fit_cluster(members, range, samples) && !fit_cluster(all, range, samples))
      throw InputError("", "", "its faces lie in one plane");
  parallel_for(int(parts_.size()), 1, [&](int begin, int end) {
    for (int p = begin; p < end; ++p) {
      parts_[p].cluster = clusters.of[p];
      fit_part(range[p], samples, pull, parts_[p]);
    }
  });
}

bool Projection::fit_cluster(const std::vector<int>& members, const std::vector<Range>& range,
                             const std::vector<SurfaceSample>& samples) {
  Cluster cluster;
  double sum = 0;
  for (const int part : members)
    for (int s = range[part][0]; s < range[part][1]; ++s) {
      sum += samples[s].measure;
      cluster.origin += samples[s].measure * samples[s].place;
      cluster.node.insert(cluster.node.end(), samples[s].row.pole.begin(),
                          samples[s].row.pole.end());
    }
  cluster.origin /= sum;
  std::sort(cluster.node.begin(), cluster.node.end());
  cluster.node.erase(std::unique(cluster.node.begin(), cluster.node.end()), cluster.node.end());
  const auto columns = Eigen::Index(cluster.node.size());
  cluster.translation.setZero(columns);
  MatrixXd right = MatrixXd::Zero(3, columns);
  Mat3 moments = Mat3::Zero();
  Vec3 first = Vec3::Zero();
  for (const int part : members)
    for (int s = range[part][0]; s < range[part][1]; ++s) {
      const SurfaceSample& sample = samples[s];
      const Vec3 d = sample.place - cluster.origin;
      moments += sample.measure * d * d.transpose();
      first += sample.measure * d;
      for (std::size_t k = 0; k < sample.row.pole.size(); ++k) {
        const int c = column(cluster.node, sample.row.pole[k]);
        const double share = sample.measure * sample.row.weight[k];
        cluster.translation[c] += share / sum;
        right.col(c) += share * d;
      }
    }
  right -= first * cluster.translation;
  const Eigen::SelfAdjointEigenSolver<Mat3> eigen(moments, Eigen::EigenvaluesOnly);
  if (!(eigen.eigenvalues()[0] > flat * eigen.eigenvalues()[2])) return false;
  cluster.linear = moments.ldlt().solve(right);
  clusters_.push_back(std::move(cluster));
  return true;
}

void Projection::fit_part(const Range& range, const std::vector<SurfaceSample>& samples,
                          double pull, Part& part) const {
  const Cluster& cluster = clusters_[part.cluster];
  const auto columns = Eigen::Index(cluster.node.size());
  const int count = range[1] - range[0];
  part.fitted.setZero(order_ == 1 ? 3 : 9, columns);
  double sum = 0, spread = 0;
  for (int s = range[0]; s < range[1]; ++s) {
    sum += samples[s].measure;
    spread += samples[s].measure * (samples[s].place - cluster.origin).squaredNorm();
  }
  if (!(spread > 0)) return;  // a part without area
  part.radius = std::sqrt(spread / sum);
  MatrixXd linear(count, 3), quadratic(count, 6), left = MatrixXd::Zero(count, columns);
  Eigen::VectorXd measure(count);
  for (int i = 0; i < count; ++i) {
    const SurfaceSample& sample = samples[range[0] + i];
    const Vec3 d = (sample.place - cluster.origin) / part.radius;
    linear.row(i) = d;
    quadratic.row(i) = squares(d);
    measure[i] = sample.measure;
    for (std::size_t k = 0; k < sample.row.pole.size(); ++k)
      left(i, column(cluster.node, sample.row.pole[k])) += sample.row.weight[k];
  }
  left.rowwise() -= cluster.translation;
  // Tikhonov towards the cluster's fit: any affine motion stays exact, and a part whose plane goes
  // through the origin, which does not know how it is stretched across, has its neighbours' word.
  const auto solve = [&](const MatrixXd& terms, double share, const MatrixXd& towards) {
    const MatrixXd weighted = terms.transpose() * measure.asDiagonal();
    MatrixXd moments = weighted * terms;
    const double pulled = std::max(share, rounding) * largest_eigenvalue(moments);
    moments.diagonal().array() += pulled;
    return MatrixXd(moments.ldlt().solve(weighted * left + pulled * towards));
  };
  const MatrixXd shared = part.radius * cluster.linear;
  part.fitted.topRows<3>() = solve(linear, pull, shared);
  if (order_ == 1) return;
  left -= linear * part.fitted.topRows<3>();
  part.fitted.bottomRows<6>() =
      solve(quadratic, quadratic_share * pull, MatrixXd::Zero(6, columns));
}

void Projection::add(const Vec3& place, const Blend& blend, double factor, Spread& sum) const {
  for (std::size_t k = 0; k < blend.part.size(); ++k) {
    const Part& part = parts_[blend.part[k]];
    const Cluster& cluster = clusters_[part.cluster];
    const double weight = factor * blend.weight[k];
    const Vec3 d = (place - cluster.origin) / part.radius;
    Eigen::RowVectorXd value = cluster.translation + d.transpose() * part.fitted.topRows<3>();
    MatrixXd gradient = part.fitted.topRows<3>();
    if (order_ == 2) {
      value += squares(d).transpose() * part.fitted.bottomRows<6>();
      gradient += slopes_of_squares(d).transpose() * part.fitted.bottomRows<6>();
    }
    for (std::size_t c = 0; c < cluster.node.size(); ++c)
      sum.add(cluster.node[c], weight * value[Eigen::Index(c)],
              weight / part.radius * gradient.col(Eigen::Index(c)));
  }
}

void Projection::add_vector(int part, const Vec3& vector, double factor, Spread& sum) const {
  const Cluster& cluster = clusters_[parts_[part].cluster];
  for (std::size_t c = 0; c < cluster.node.size(); ++c)
    sum.add(cluster.node[c], factor * vector.dot(cluster.linear.col(Eigen::Index(c))));
}

}  // namespace pliant::nurbs::paper
