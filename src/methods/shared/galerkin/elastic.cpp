#include "methods/shared/galerkin/elastic.h"

#include <algorithm>
#include <iterator>

#include "core/assert.h"
#include "core/parallel.h"
#include "math/polar.h"

namespace pliant::galerkin {
namespace {

// Chunks for parallel_for: some microseconds of work each.
constexpr int point_grain = 64;
constexpr int node_grain = 64;

/// Sum of x times a vector per entry, over the entries of a point.
Mat3 outer_sum(const Points& points, int p, const std::vector<Vec3>& x,
               const std::vector<Vec3>& per_entry) {
  // Relative to one of the nodes: the vectors sum to zero, so places far from the origin would
  // only cancel.
  const Vec3 near = x[points.node[points.start[p]]];
  Mat3 sum = Mat3::Zero();
  for (int k = points.start[p]; k < points.start[p + 1]; ++k)
    sum += (x[points.node[k]] - near) * per_entry[k].transpose();
  return sum;
}

/// B_a^T C for the gradient of one node: three rows against all nine columns.
Eigen::Matrix<double, 3, 9> half_product(const Vec3& a, const Mat9& C) {
  return a[0] * C.topRows<3>() + a[1] * C.middleRows<3>(3) + a[2] * C.bottomRows<3>();
}

Mat3 block(const Eigen::Matrix<double, 3, 9>& half, const Vec3& b) {
  return b[0] * half.leftCols<3>() + b[1] * half.middleCols<3>(3) + b[2] * half.rightCols<3>();
}

}  // namespace

Elastic::Elastic(Points points, std::vector<Law> laws, int nodes, bool full_tangent,
                 QuadraticForm form)
    : points_(std::move(points)),
      laws_(std::move(laws)),
      incidence_(points_, nodes),
      full_tangent_(full_tangent),
      form_(std::make_shared<const QuadraticForm>(std::move(form))) {
  const auto count = std::size_t(points_.size());
  ASSERT(points_.volume.size() == count && points_.material.size() == count, "one per point");
  ASSERT(form_->empty() || form_->nodes() == nodes, "one row per node");
  ASSERT(points_.bundle.back() == points_.size(), "every point is in a bundle");
  F_.assign(count, Mat3::Identity());
  R_.assign(count, Mat3::Identity());
  pull_.assign(count, Mat3::Zero());
}

void Elastic::update(const std::vector<Vec3>& x) {
  parallel_for(points_.size(), point_grain, [&](int begin, int end) {
    for (int p = begin; p < end; ++p) {
      const Law& law = laws_[points_.material[p]];
      F_[p] = outer_sum(points_, p, x, points_.gradient);
      if (law.needs_rotation())
        R_[p] = polar_rotation(points_.spread.empty() ? F_[p]
                                                      : outer_sum(points_, p, x, points_.spread));
      pull_[p] = points_.volume[p] * law.stress(F_[p], R_[p]);
    }
  });
  if (form_->empty()) return;
  form_pull_.assign(x.size(), Vec3::Zero());
  form_->add_product(x, 1, form_pull_);
  form_energy_ = 0;
  for (std::size_t n = 0; n < x.size(); ++n) form_energy_ += 0.5 * x[n].dot(form_pull_[n]);
}

void Elastic::forces(std::vector<Vec3>& f) const {
  gather(pull_, f);
  for (std::size_t n = 0; n < form_pull_.size(); ++n) f[n] += form_pull_[n];
}

Graph Elastic::graph() const {
  Graph graph(points_, incidence_, nodes());
  if (form_->empty()) return graph;
  Graph joined;
  for (int n = 0; n < nodes(); ++n) {
    const auto begin = graph.neighbour.begin();
    std::set_union(begin + graph.start[n], begin + graph.start[n + 1],
                   form_->node.begin() + form_->start[n], form_->node.begin() + form_->start[n + 1],
                   std::back_inserter(joined.neighbour));
    joined.start.push_back(int(joined.neighbour.size()));
  }
  return joined;
}

double Elastic::energy() const {
  return form_energy_ + parallel_sum(points_.size(), 256, [&](int begin, int end) {
           double sum = 0;
           for (int p = begin; p < end; ++p) sum += points_.volume[p] * law(p).energy(F_[p], R_[p]);
           return sum;
         });
}

void Elastic::gather(const std::vector<Mat3>& per_point, std::vector<Vec3>& f) const {
  parallel_for(nodes(), node_grain, [&](int begin, int end) {
    for (int n = begin; n < end; ++n) {
      Vec3 sum = Vec3::Zero();
      for (int i = incidence_.start[n]; i < incidence_.start[n + 1]; ++i)
        sum += per_point[incidence_.point[i]] * points_.gradient[incidence_.entry[i]];
      f[n] = sum;
    }
  });
}

Mat9 Elastic::tangent(int point) const {
  return points_.volume[point] * law(point).tangent(F_[point], R_[point]);
}

void Elastic::keep_tangents() {
  bool general = false, corotated = false;
  for (const Law& law : laws_) (law.kind == Law::Kind::corotated ? corotated : general) = true;
  if (general) tangents_.resize(F_.size());
  if (corotated) twist_.resize(F_.size(), Mat3::Zero());
  parallel_for(points_.size(), point_grain, [&](int begin, int end) {
    for (int p = begin; p < end; ++p)
      if (law(p).kind != Law::Kind::corotated) tangents_[p] = tangent(p);
      else if (full_tangent_) twist_[p] = law(p).twist_stiffness(F_[p], R_[p]);
  });
}

void Elastic::multiply(const std::vector<Vec3>& x, std::vector<Vec3>& y) {
  change_.resize(F_.size());
  parallel_for(points_.size(), point_grain, [&](int begin, int end) {
    for (int p = begin; p < end; ++p) {
      const Mat3 dF = outer_sum(points_, p, x, points_.gradient);
      if (law(p).kind == Law::Kind::corotated)
        change_[p] = points_.volume[p] * corotated_change(law(p), R_[p], twist_[p], dF);
      else
        Eigen::Map<Eigen::Matrix<double, 9, 1>>(change_[p].data()) =
            tangents_[p] * Eigen::Map<const Eigen::Matrix<double, 9, 1>>(dF.data());
    }
  });
  gather(change_, y);
  if (!form_->empty()) form_->add_product(x, 1, y);
}

void Elastic::diagonal(std::vector<Mat3>& blocks) const {
  parallel_for(nodes(), node_grain, [&](int begin, int end) {
    for (int n = begin; n < end; ++n) {
      Mat3 sum = Mat3::Zero();
      double isotropic = 0;
      for (int i = incidence_.start[n]; i < incidence_.start[n + 1]; ++i) {
        const int p = incidence_.point[i];
        const Vec3& a = points_.gradient[incidence_.entry[i]];
        const Law& law = this->law(p);
        if (law.kind == Law::Kind::corotated) {
          const Vec3 turned = R_[p] * a;
          const double v = points_.volume[p];
          sum += (v * (law.lambda + law.mu) * turned) * turned.transpose();
          isotropic += v * law.mu * a.squaredNorm();
        } else {
          sum += block(half_product(a, tangents_[p]), a);
        }
      }
      if (!form_->empty()) isotropic += form_->diagonal(n);
      sum.diagonal().array() += isotropic;
      blocks[n] = sum;
    }
  });
}

void Elastic::add_upper_row(int node, const int* slot, Mat3* blocks) const {
  for (int i = incidence_.start[node]; i < incidence_.start[node + 1]; ++i) {
    const int p = incidence_.point[i];
    const Vec3& a = points_.gradient[incidence_.entry[i]];
    if (law(p).kind == Law::Kind::corotated) {
      const Vec3 turned = R_[p] * a;
      const Mat3 twist = turned_twist(p);
      for (int k = points_.start[p]; k < points_.start[p + 1]; ++k)
        if (points_.node[k] >= node)
          blocks[slot[points_.node[k]]] +=
              points_.volume[p] *
              corotated_block(law(p), twist, turned, R_[p] * points_.gradient[k]);
    } else {
      const auto half = half_product(a, tangents_[p]);
      for (int k = points_.start[p]; k < points_.start[p + 1]; ++k)
        if (points_.node[k] >= node)
          blocks[slot[points_.node[k]]] += block(half, points_.gradient[k]);
    }
  }
  if (form_->empty()) return;
  for (int k = form_->start[node]; k < form_->start[node + 1]; ++k)
    if (form_->node[k] >= node) blocks[slot[form_->node[k]]].diagonal().array() += form_->value[k];
}

double Elastic::volume() const {
  double sum = 0;
  for (const double v : points_.volume) sum += v;
  return sum;
}

}  // namespace pliant::galerkin
