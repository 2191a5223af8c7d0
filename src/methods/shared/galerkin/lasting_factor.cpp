#include "methods/shared/galerkin/lasting_factor.h"

#include <algorithm>
#include <cmath>

#include "core/parallel.h"

namespace pliant::galerkin {
namespace {

constexpr int grain = 1024;  // rows that share one list of slots

/// Where the function of each node has its middle.
std::vector<Vec3> middles(const Elastic& elastic) {
  const Points& points = elastic.points();
  const Incidence& incidence = elastic.incidence();
  std::vector<Vec3> middle(std::size_t(elastic.nodes()), Vec3::Zero());
  for (int n = 0; n < elastic.nodes(); ++n) {
    double weight = 1e-300;
    for (int i = incidence.start[n]; i < incidence.start[n + 1]; ++i) {
      const double w = std::abs(points.value[incidence.entry[i]]);
      middle[n] += w * points.rest[incidence.point[i]];
      weight += w;
    }
    middle[n] /= weight;
  }
  return middle;
}

std::vector<double> entries(const Elastic& elastic, const Graph& graph) {
  const Points& points = elastic.points();
  const Incidence& incidence = elastic.incidence();
  std::vector<double> entry(graph.neighbour.size(), 0);
  parallel_for(elastic.nodes(), grain, [&](int begin, int end) {
    std::vector<int> slot(std::size_t(elastic.nodes()));
    for (int a = begin; a < end; ++a) {
      for (int k = graph.start[a]; k < graph.start[a + 1]; ++k) slot[graph.neighbour[k]] = k;
      for (int i = incidence.start[a]; i < incidence.start[a + 1]; ++i) {
        const int p = incidence.point[i];
        const Vec3 own =
            points.volume[p] * elastic.law(p).shear() * points.gradient[incidence.entry[i]];
        for (int k = points.start[p]; k < points.start[p + 1]; ++k)
          if (points.node[k] >= a) entry[slot[points.node[k]]] += own.dot(points.gradient[k]);
      }
      const QuadraticForm& form = *elastic.form();
      if (form.empty()) continue;
      for (int k = form.start[a]; k < form.start[a + 1]; ++k)
        if (form.node[k] >= a) entry[slot[form.node[k]]] += form.value[k];
    }
  });
  return entry;
}

}  // namespace

LastingFactor::LastingFactor(const Elastic& elastic)
    : graph_(elastic.graph()),
      entry_(entries(elastic, graph_)),
      diagonal_(std::size_t(elastic.nodes())),
      factor_(graph_, middles(elastic)) {
  for (int n = 0; n < elastic.nodes(); ++n)
    for (int k = graph_.start[n]; k < graph_.start[n + 1]; ++k)
      if (graph_.neighbour[k] == n) trace_ += entry_[k];
}

bool LastingFactor::prepare(const std::vector<double>& mass, double factor,
                            const std::vector<char>& held, const Grips* grips, double grip_factor) {
  double total = 0;
  for (const double m : mass) total += m;
  wanted_.moves = total > 0;
  wanted_.inertia = wanted_.moves ? int(std::lround(std::log2(total / factor))) : 0;
  wanted_.mass.resize(mass.size());
  // Rounded, since damping scales all masses and must not change their shares.
  for (std::size_t n = 0; n < mass.size(); ++n)
    wanted_.mass[n] = wanted_.moves ? double(float(mass[n] / total)) : 0;
  wanted_.held = held;
  wanted_.grip_factor = grips ? int(std::lround(std::log2(grip_factor / factor))) : 0;
  wanted_.grip_start.clear();
  wanted_.grip_node.clear();
  wanted_.grip_weight.clear();
  wanted_.grip_stiffness.clear();
  if (grips) {
    wanted_.grip_start = grips->start;
    wanted_.grip_node = grips->node;
    wanted_.grip_weight = grips->weight;
    wanted_.grip_stiffness = grips->stiffness;
  }
  if (made_ && wanted_ == key_) return good_;
  std::swap(key_, wanted_);
  made_ = true;
  ++times_made_;
  for (std::size_t n = 0; n < mass.size(); ++n)
    diagonal_[n] = key_.moves ? std::ldexp(key_.mass[n], key_.inertia) : 0;
  with_grips_ = entry_;
  if (grips) add_grips(key_, std::ldexp(1.0, key_.grip_factor));
  good_ = factor_.factorise(graph_, with_grips_, 1, diagonal_, held);
  return good_;
}

void LastingFactor::add_product(const std::vector<Vec3>& x, double scale,
                                std::vector<Vec3>& y) const {
  for (int n = 0; n < int(x.size()); ++n) {
    Vec3 sum = Vec3::Zero();
    for (int k = graph_.start[n]; k < graph_.start[n + 1]; ++k) {
      const int other = graph_.neighbour[k];
      if (other < n) continue;
      sum += entry_[k] * x[other];
      if (other > n) y[other] += scale * entry_[k] * x[n];
    }
    y[n] += scale * sum;
  }
}

/// Two nodes that a grip ties together without being neighbours are tied to the ground instead:
/// stiffer, never softer.
void LastingFactor::add_grips(const Key& key, double factor) {
  for (std::size_t g = 0; g + 1 < key.grip_start.size(); ++g)
    for (int i = key.grip_start[g]; i < key.grip_start[g + 1]; ++i)
      for (int j = key.grip_start[g]; j < key.grip_start[g + 1]; ++j) {
        const int a = key.grip_node[i], b = key.grip_node[j];
        if (b < a) continue;
        const double tie = factor * key.grip_stiffness[g] * key.grip_weight[i] * key.grip_weight[j];
        const auto row = graph_.neighbour.begin() + graph_.start[a];
        const auto end = graph_.neighbour.begin() + graph_.start[a + 1];
        const auto place = std::lower_bound(row, end, b);
        if (place != end && *place == b) {
          with_grips_[place - graph_.neighbour.begin()] += tie;
        } else {
          diagonal_[a] += std::abs(tie);
          diagonal_[b] += std::abs(tie);
        }
      }
}

}  // namespace pliant::galerkin
