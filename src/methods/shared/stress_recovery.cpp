#include "methods/shared/stress_recovery.h"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "core/parallel.h"

namespace pliant {
namespace {

constexpr int grain = 64;
// Samples in a patch, in cells: a plane needs few, and a wide one is blunt.
constexpr int linear_cells = 4, quadratic_cells = 8;
constexpr int fewest_linear = 12, fewest_quadratic = 32;
constexpr double worst_condition = 1e7;
constexpr double largest_weights = 4;  // sum of their sizes: what scatter may grow by
constexpr double near_weight = 0.1;    // of the largest: nodes whose samples are near a vertex

/// Terms of the polynomial: 1, linear ones, quadratic ones.
template <int terms>
Eigen::Matrix<double, terms, 1> powers(const Vec3& d) {
  Eigen::Matrix<double, terms, 1> p;
  p[0] = 1;
  p.template segment<3>(1) = d;
  if constexpr (terms == 10)
    p.template segment<6>(4) << d.x() * d.x(), d.y() * d.y(), d.z() * d.z(), d.x() * d.y(),
        d.y() * d.z(), d.z() * d.x();
  return p;
}

struct Near {
  double distance;  // [m]
  int sample;
  bool operator<(const Near& other) const {
    return distance != other.distance ? distance < other.distance : sample < other.sample;
  }
};

/// Weights of the samples in the value at `place` of the polynomial that fits them best. False
/// where they do not determine one, or only by taking large differences of them.
template <int terms>
bool fit(const StressSamples& samples, const Vec3& place, std::span<const Near> near,
         std::vector<double>& weights) {
  using Vector = Eigen::Matrix<double, terms, 1>;
  using Matrix = Eigen::Matrix<double, terms, terms>;
  const double reach = 1.2 * near.back().distance;
  if (int(near.size()) < terms || !(reach > 0)) return false;
  Matrix moments = Matrix::Zero();
  weights.clear();
  double total = 0;
  for (const Near& n : near) {
    const double s = n.distance / reach;
    const double w = samples.volume[n.sample] * (1 - s * s) * (1 - s * s);
    const Vector p = powers<terms>((samples.place[n.sample] - place) / reach);
    moments += w * p * p.transpose();
    weights.push_back(w);
    total += w;
  }
  moments /= total;
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen(moments, Eigen::EigenvaluesOnly);
  if (!(eigen.eigenvalues()[0] * worst_condition > eigen.eigenvalues()[terms - 1])) return false;
  const Vector g = moments.ldlt().solve(Vector::Unit(0));
  double sizes = 0;
  for (std::size_t i = 0; i < near.size(); ++i) {
    const Vector p = powers<terms>((samples.place[near[i].sample] - place) / reach);
    weights[i] *= p.dot(g) / total;
    sizes += std::abs(weights[i]);
  }
  return sizes < largest_weights;
}

/// Samples of each node.
struct Incidence {
  std::vector<int> start, sample;

  Incidence(int samples, StressRecovery::NodesOf nodes_of) {
    for (int s = 0; s < samples; ++s)
      for (const int n : nodes_of(s)) {
        if (n + 2 > int(start.size())) start.resize(std::size_t(n) + 2, 0);
        ++start[std::size_t(n) + 1];
      }
    for (std::size_t n = 1; n < start.size(); ++n) start[n] += start[n - 1];
    sample.resize(start.empty() ? 0 : std::size_t(start.back()));
    std::vector<int> next = start;
    for (int s = 0; s < samples; ++s)
      for (const int n : nodes_of(s)) sample[next[n]++] = s;
  }
};

/// Finds samples that share nodes with a vertex, and, where these are few, their neighbours.
class Search {
 public:
  Search(int samples, StressRecovery::NodesOf nodes_of, const Incidence& incidence)
      : nodes_of_(nodes_of),
        incidence_(incidence),
        sample_seen_(std::size_t(samples), -1),
        node_seen_(incidence.start.size(), -1) {}

  const std::vector<int>& around(const Skin& skin, int vertex, int wanted) {
    stamp_ = vertex;
    found_.clear();
    double largest = 0;
    skin.weights.for_each(
        vertex, [&](int, double weight) { largest = std::max(largest, std::abs(weight)); });
    skin.weights.for_each(vertex, [&](int node, double weight) {
      if (std::abs(weight) >= near_weight * largest) take(node);
    });
    std::size_t ring = 0;
    for (int rings = 0; rings < 3 && int(found_.size()) < wanted; ++rings) {
      const std::size_t end = found_.size();
      for (; ring < end; ++ring)
        for (const int node : nodes_of_(found_[ring])) take(node);
    }
    return found_;
  }

 private:
  void take(int node) {
    if (node + 1 >= int(incidence_.start.size()) || node_seen_[node] == stamp_) return;
    node_seen_[node] = stamp_;
    for (int i = incidence_.start[node]; i < incidence_.start[node + 1]; ++i) {
      const int s = incidence_.sample[i];
      if (sample_seen_[s] == stamp_) continue;
      sample_seen_[s] = stamp_;
      found_.push_back(s);
    }
  }

  StressRecovery::NodesOf nodes_of_;
  const Incidence& incidence_;
  std::vector<int> sample_seen_, node_seen_, found_;
  int stamp_ = -1;
};

struct Row {
  std::vector<int> sample;
  std::vector<double> weight;
};

/// `near`: all that may count, the nearest first.
Row row_of(const StressSamples& samples, const Vec3& place, std::span<const Near> near) {
  const auto first = [&](int cells, int fewest) {
    const int count = std::max(cells * samples.in_cell, fewest);
    return near.first(std::min(near.size(), std::size_t(count)));
  };
  Row row;
  std::span<const Near> used = first(quadratic_cells, fewest_quadratic);
  bool fitted = int(used.size()) >= fewest_quadratic && fit<10>(samples, place, used, row.weight);
  if (!fitted) {
    used = first(linear_cells, fewest_linear);
    fitted = fit<4>(samples, place, used, row.weight);
  }
  if (!fitted) {
    used = near.first(1);
    row.weight = {1};
  }
  for (const Near& n : used) row.sample.push_back(n.sample);
  return row;
}

}  // namespace

StressRecovery::Fits StressRecovery::fits_of(const Skin& skin, NodesOf nodes_of) const {
  const Incidence incidence(samples_.size(), nodes_of);
  const int vertices = int(skin.rest.size());
  std::vector<Row> rows(skin.rest.size());
  std::vector<int> nearest(rows.size(), 0);
  const int wanted = 2 * std::max(quadratic_cells * samples_.in_cell, fewest_quadratic);
  parallel_for(vertices, grain, [&](int begin, int end) {
    Search search(samples_.size(), nodes_of, incidence);
    std::vector<Near> near;
    for (int v = begin; v < end; ++v) {
      near.clear();
      for (const int s : search.around(skin, v, wanted))
        near.push_back({(samples_.place[s] - skin.rest[v]).norm(), s});
      if (near.empty()) continue;
      std::sort(near.begin(), near.end());
      nearest[v] = near[0].sample;
      const double material = samples_.sideways[nearest[v]];
      near.erase(
          std::remove_if(near.begin(), near.end(),
                         [&](const Near& n) { return samples_.sideways[n.sample] != material; }),
          near.end());
      rows[v] = row_of(samples_, skin.rest[v], near);
    }
  });
  Fits fits{vertices, {}, std::move(nearest)};
  for (const Row& row : rows) fits.of_samples.add_row(row.sample, row.weight);
  return fits;
}

bool StressRecovery::find(const Skin& skin, NodesOf nodes_of, FunctionRef<Mat3(int)> cauchy,
                          SkinStress& found) const {
  if (samples_.size() == 0) return false;
  if (!fits_ || fits_->vertices != int(skin.rest.size())) fits_ = fits_of(skin, nodes_of);
  std::vector<Mat3> at_samples(std::size_t(samples_.size()));
  parallel_for(samples_.size(), grain, [&](int begin, int end) {
    for (int s = begin; s < end; ++s) at_samples[s] = cauchy(s);
  });
  found.cauchy.assign(skin.rest.size(), Mat3::Zero());
  found.sideways.assign(skin.rest.size(), 0);
  parallel_for(fits_->vertices, grain, [&](int begin, int end) {
    for (int v = begin; v < end; ++v) {
      fits_->of_samples.for_each(
          v, [&](int sample, double weight) { found.cauchy[v] += weight * at_samples[sample]; });
      found.sideways[v] = samples_.sideways[fits_->nearest[v]];
    }
  });
  return true;
}

}  // namespace pliant
