#include "methods/shared/galerkin/rest_factor.h"

#include <Eigen/Cholesky>
#include <algorithm>

#include "core/assert.h"
#include "core/parallel.h"

namespace pliant::galerkin {
namespace {

constexpr int grain = 64;  // nodes

/// Each node as three unknowns, all of which see those of its neighbours.
Graph unknowns_of(const Elastic& elastic) {
  const Graph nodes = elastic.graph();
  Graph graph;
  for (int n = 0; n < elastic.nodes(); ++n)
    for (int axis = 0; axis < 3; ++axis) {
      for (int k = nodes.start[n]; k < nodes.start[n + 1]; ++k)
        for (int other = 0; other < 3; ++other)
          graph.neighbour.push_back(3 * nodes.neighbour[k] + other);
      graph.start.push_back(int(graph.neighbour.size()));
    }
  return graph;
}

/// At rest all laws are Hooke's: block (a, b) = volume (lambda a b^T + mu b a^T + mu a . b).
std::vector<double> entries(const Elastic& elastic, const Graph& graph) {
  const Points& points = elastic.points();
  const Incidence& incidence = elastic.incidence();
  std::vector<double> entry(graph.neighbour.size(), 0);
  parallel_for(elastic.nodes(), grain, [&](int begin, int end) {
    std::vector<int> slot(std::size_t(elastic.nodes()));
    for (int a = begin; a < end; ++a) {
      const int width = graph.start[3 * a + 1] - graph.start[3 * a];
      for (int k = 0; k < width; k += 3) slot[graph.neighbour[graph.start[3 * a] + k] / 3] = k;
      for (int i = incidence.start[a]; i < incidence.start[a + 1]; ++i) {
        const int p = incidence.point[i];
        const Law& law = elastic.law(p);
        const Vec3& own = points.gradient[incidence.entry[i]];
        for (int k = points.start[p]; k < points.start[p + 1]; ++k) {
          if (points.node[k] < a) continue;
          const Mat3 block =
              points.volume[p] * corotated_block(law, Mat3::Zero(), own, points.gradient[k]);
          double* to = entry.data() + graph.start[3 * a] + slot[points.node[k]];
          for (int r = 0; r < 3; ++r)
            for (int c = 0; c < 3; ++c) to[width * r + c] += block(r, c);
        }
      }
      const QuadraticForm& form = *elastic.form();
      if (form.empty()) continue;
      for (int k = form.start[a]; k < form.start[a + 1]; ++k) {
        if (form.node[k] < a) continue;
        double* to = entry.data() + graph.start[3 * a] + slot[form.node[k]];
        for (int r = 0; r < 3; ++r) to[width * r + r] += form.value[k];
      }
    }
  });
  return entry;
}

}  // namespace

RestFactor::RestFactor(const Elastic& elastic, std::vector<Vec3> rest)
    : rest_(std::move(rest)), graph_(unknowns_of(elastic)), entry_(entries(elastic, graph_)) {
  const auto nodes = std::size_t(elastic.nodes());
  ASSERT(rest_.size() == nodes, "one place per node");
  std::vector<Vec3> places;
  for (const Vec3& place : rest_) places.insert(places.end(), 3, place);
  factor_ = std::make_unique<ScalarFactor>(graph_, places);
  diagonal_.resize(3 * nodes);
  left_out_.resize(3 * nodes);
  right_.resize(3 * nodes);
  solved_.resize(3 * nodes);
  rights_.resize(3 * nodes);
  solveds_.resize(3 * nodes);
}

bool RestFactor::prepare(const std::vector<double>& mass, double factor,
                         const std::vector<char>& held, const Grips* grips, double grip_factor) {
  wanted_.mass = mass;
  wanted_.factor = factor;
  wanted_.held = held;
  wanted_.grip_factor = grips ? grip_factor : 0;
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
  if (made_ > 0 && wanted_ == key_) return good_;
  std::swap(key_, wanted_);
  ++made_;
  for (std::size_t n = 0; n < mass.size(); ++n)
    for (std::size_t axis = 0; axis < 3; ++axis) {
      diagonal_[3 * n + axis] = mass[n];
      left_out_[3 * n + axis] = held[n];
    }
  with_grips_ = entry_;
  if (grips) add_grips(*grips, grip_factor / factor);
  good_ = factor_->factorise(graph_, with_grips_, factor, diagonal_, left_out_);
  rigid_.clear();
  if (!grips && std::find(held.begin(), held.end(), 1) == held.end()) find_rigid_motions();
  return good_;
}

/// As springs between neighbours; nodes that are none are tied to the ground instead: stiffer,
/// never softer.
void RestFactor::add_grips(const Grips& grips, double factor) {
  for (int g = 0; g < grips.size(); ++g)
    for (int i = grips.start[g]; i < grips.start[g + 1]; ++i)
      for (int j = grips.start[g]; j < grips.start[g + 1]; ++j) {
        const int a = grips.node[i], b = grips.node[j];
        if (b < a) continue;
        const double tie = factor * grips.stiffness[g] * grips.weight[i] * grips.weight[j];
        for (int axis = 0; axis < 3; ++axis) {
          const auto row = graph_.neighbour.begin() + graph_.start[3 * a + axis];
          const auto end = graph_.neighbour.begin() + graph_.start[3 * a + axis + 1];
          const auto place = std::lower_bound(row, end, 3 * b + axis);
          if (place != end && *place == 3 * b + axis) {
            with_grips_[std::size_t(place - graph_.neighbour.begin())] += tie;
          } else {
            diagonal_[std::size_t(3 * a + axis)] += key_.factor * std::abs(tie);
            diagonal_[std::size_t(3 * b + axis)] += key_.factor * std::abs(tie);
          }
        }
      }
}

void RestFactor::find_rigid_motions() {
  double total = 0;
  Vec3 centre = Vec3::Zero();
  for (std::size_t n = 0; n < rest_.size(); ++n) {
    total += key_.mass[n];
    centre += key_.mass[n] * rest_[n];
  }
  centre /= total;
  Eigen::Matrix<double, 6, 6> inertia = Eigen::Matrix<double, 6, 6>::Zero();
  rigid_.resize(rest_.size());
  for (std::size_t n = 0; n < rest_.size(); ++n) {
    rigid_[n].leftCols<3>().setIdentity();
    for (int axis = 0; axis < 3; ++axis)
      rigid_[n].col(3 + axis) = Vec3::Unit(axis).cross(rest_[n] - centre);
    inertia += key_.mass[n] * rigid_[n].transpose() * rigid_[n];
  }
  const Eigen::LLT<Eigen::Matrix<double, 6, 6>> cholesky(inertia);
  if (cholesky.info() != Eigen::Success) {  // all nodes on a line
    rigid_.clear();
    return;
  }
  for (auto& motion : rigid_)
    motion = cholesky.matrixL().solve(motion.transpose()).transpose().eval();
}

// With Z the rigid motions (Z^T M Z = 1, K Z = 0) and F the factor:
//   A^-1 = Z Z^T + (1 - Z Z^T M) F^-1 (1 - M Z Z^T).
void RestFactor::apply(const std::vector<Vec3>& b, std::vector<Vec3>& x) {
  const auto nodes = rest_.size();
  const bool rigid = !rigid_.empty();
  Rigid pushed = Rigid::Zero();
  if (rigid)
    for (std::size_t n = 0; n < nodes; ++n) pushed += rigid_[n].transpose() * b[n];
  for (std::size_t n = 0; n < nodes; ++n) {
    const Vec3 left = rigid ? Vec3(b[n] - key_.mass[n] * (rigid_[n] * pushed)) : b[n];
    for (std::size_t axis = 0; axis < 3; ++axis) right_[3 * n + axis] = left[int(axis)];
  }
  factor_->solve(right_, solved_);
  Rigid stray = Rigid::Zero();
  for (std::size_t n = 0; n < nodes; ++n) {
    x[n] = Vec3(solved_[3 * n], solved_[3 * n + 1], solved_[3 * n + 2]);
    if (rigid) stray += key_.mass[n] * rigid_[n].transpose() * x[n];
  }
  if (!rigid) return;
  pushed -= stray;
  for (std::size_t n = 0; n < nodes; ++n) x[n] += rigid_[n] * pushed;
}

void RestFactor::column(int node, std::vector<Mat3>& answer) {
  const auto nodes = rest_.size();
  const bool rigid = !rigid_.empty();
  Eigen::Matrix<double, 6, 3> pushed = Eigen::Matrix<double, 6, 3>::Zero();
  if (rigid) pushed = rigid_[std::size_t(node)].transpose();
  for (std::size_t n = 0; n < nodes; ++n) {
    Mat3 left = Mat3::Zero();
    if (int(n) == node) left.setIdentity();
    if (rigid) left -= key_.mass[n] * (rigid_[n] * pushed);
    for (int axis = 0; axis < 3; ++axis)
      rights_[3 * n + std::size_t(axis)] = left.row(axis).transpose();
  }
  factor_->solve(rights_, solveds_);
  Eigen::Matrix<double, 6, 3> stray = Eigen::Matrix<double, 6, 3>::Zero();
  answer.resize(nodes);
  for (std::size_t n = 0; n < nodes; ++n) {
    for (int axis = 0; axis < 3; ++axis)
      answer[n].row(axis) = solveds_[3 * n + std::size_t(axis)].transpose();
    if (rigid) stray += key_.mass[n] * rigid_[n].transpose() * answer[n];
  }
  if (!rigid) return;
  pushed -= stray;
  for (std::size_t n = 0; n < nodes; ++n) answer[n] += rigid_[n] * pushed;
}

}  // namespace pliant::galerkin
