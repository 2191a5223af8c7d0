#include "methods/clusters/matching.h"

#include <algorithm>
#include <cmath>

#include "core/parallel.h"
#include "math/polar.h"
#include "math/principal_axes.h"

// Chentanez, Mueller, Macklin 2016, sections 3.1 and 3.2, with three corrections: the rotation is
// that of A_pq (the printed A_pq A_qq^-1 gives a torque out of nothing), the rate of flow does not
// become negative below the yield, and what one step's clamp did to the volume is taken back.

namespace pliant::clusters {
namespace {

constexpr int node_grain = 512;
constexpr int cluster_grain = 8;

/// Where matter lies in a plane or on a line its turn is no longer told by P alone: a little of the
/// last one decides.
constexpr double turn_memory = 0.01, lost = 1e-6;
constexpr double smallest_stretch = 0.05, largest_stretch = 20;
constexpr double smallest_change = 0.8, largest_change = 1.2;  // of a stretch in one step

/// Sum of m p q^T about the members' centre.
Mat3 moments(const Cluster& cluster, const Nodes& nodes, Vec3& centre) {
  const Vec3 origin = nodes.position[cluster.member[0]];
  Mat3 P = Mat3::Zero();
  double mass = 0;
  centre = Vec3::Zero();
  for (std::size_t k = 0; k < cluster.member.size(); ++k) {
    const int p = cluster.member[k];
    const Vec3 moment = nodes.mass[p] * (nodes.position[p] - origin);
    mass += nodes.mass[p];
    centre += moment;
    P += moment * cluster.arm[k].transpose();  // the arms' sum by mass is zero
  }
  centre = origin + centre / mass;
  return P;
}

}  // namespace

RigidFit rigid_fit(const Cluster& cluster, const Nodes& nodes) {
  RigidFit fit;
  const Mat3 P = moments(cluster, nodes, fit.centre);
  const bool is_flat = std::abs(P.determinant()) < lost * std::pow(P.norm(), 3);
  fit.turn = polar_rotation(is_flat ? Mat3(P + turn_memory * P.norm() * cluster.turn) : P);
  if (!fit.turn.allFinite()) fit.turn = cluster.turn;
  return fit;
}

Mat3 best_stretch(const Cluster& cluster, const Nodes& nodes) {
  Vec3 centre;
  const Mat3 P = moments(cluster, nodes, centre);
  Mat3 Q = Mat3::Zero();
  for (std::size_t k = 0; k < cluster.member.size(); ++k)
    Q += nodes.mass[cluster.member[k]] * cluster.arm[k] * cluster.arm[k].transpose();
  // S Q + Q S = R^T P + P^T R, solved in the axes of Q.
  const Mat3 RtP = polar_rotation(P).transpose() * P;
  const PrincipalAxes axes = principal_axes(Q);
  Mat3 S = axes.directions.transpose() * (RtP + RtP.transpose()) * axes.directions;
  for (int a = 0; a < 3; ++a)
    for (int b = 0; b < 3; ++b) {
      const double sum = axes.values[a] + axes.values[b];
      S(a, b) = sum > 1e-9 * axes.values[2] ? S(a, b) / sum : 0;
    }
  return axes.directions * S * axes.directions.transpose();
}

PaperFlow paper_flow(const Mat3& stretch, double yield, double share) {
  PaperFlow flow;
  const PrincipalAxes axes = principal_axes(stretch);
  if (!(axes.values.prod() > 0)) return flow;
  const Vec3 l = axes.values.cwiseMax(smallest_stretch).cwiseMin(largest_stretch);
  const Vec3 strain = l.array().log();
  const double largest = strain.cwiseAbs().maxCoeff();
  if (!(largest > yield)) return flow;
  const double exponent = std::clamp(share * (largest - yield) / largest, 0.0, 1.0);
  Vec3 d = (exponent * (strain.array() - strain.mean())).exp();
  d = d.cwiseMax(smallest_change).cwiseMin(largest_change);
  d /= std::cbrt(d.prod());
  flow.stretch = axes.directions * d.asDiagonal() * axes.directions.transpose();
  flow.strain = largest;
  return flow;
}

Matching::Matching(const Matter& matter) {
  const std::vector<int> count = memberships(matter);
  start_.assign(count.size() + 1, 0);
  for (std::size_t p = 0; p < count.size(); ++p) start_[p + 1] = start_[p] + count[p];
  share_.resize(std::size_t(start_.back()));
  std::vector<int> next(start_.begin(), start_.end() - 1);
  for (int c = 0; c < int(matter.clusters.size()); ++c) {
    const std::vector<int>& member = matter.clusters[c].member;
    for (int k = 0; k < int(member.size()); ++k) share_[next[member[k]]++] = {c, k};
  }
  centre_.resize(matter.clusters.size());
  move_.resize(count.size());
}

void Matching::apply(Matter& matter, Nodes& nodes, const PaperLaw& law) {
  for (int i = 0; i < law.iterations; ++i) {
    find_goals(matter, nodes);
    find_moves(matter, nodes, law.stiffness);
    keep_momentum(matter, nodes);
    parallel_for(nodes.size(), node_grain, [&](int begin, int end) {
      for (int p = begin; p < end; ++p) nodes.position[p] += move_[p];
    });
  }
}

void Matching::find_goals(Matter& matter, const Nodes& nodes) {
  parallel_for(int(matter.clusters.size()), cluster_grain, [&](int begin, int end) {
    for (int c = begin; c < end; ++c) {
      const RigidFit fit = rigid_fit(matter.clusters[c], nodes);
      matter.clusters[c].turn = fit.turn;
      centre_[c] = fit.centre;
    }
  });
}

void Matching::find_moves(const Matter& matter, const Nodes& nodes, double stiffness) {
  parallel_for(nodes.size(), node_grain, [&](int begin, int end) {
    for (int p = begin; p < end; ++p) {
      move_[p] = Vec3::Zero();
      const int count = start_[p + 1] - start_[p];
      if (count == 0 || nodes.mobility[p] == 0) continue;
      for (int k = start_[p]; k < start_[p + 1]; ++k) {
        const Cluster& cluster = matter.clusters[share_[k].cluster];
        move_[p] += centre_[share_[k].cluster] + cluster.turn * cluster.arm[share_[k].member] -
                    nodes.position[p];
      }
      move_[p] *= stiffness / count;
    }
  });
}

void Matching::keep_momentum(const Matter& matter, const Nodes& nodes) {
  const std::size_t pieces =
      std::size_t(1 + *std::max_element(matter.piece.begin(), matter.piece.end()));
  gained_.assign(pieces, Vec3::Zero());
  mass_.assign(pieces, 0);
  is_held_.assign(pieces, 0);
  for (int p = 0; p < nodes.size(); ++p) {
    gained_[matter.piece[p]] += nodes.mass[p] * move_[p];
    mass_[matter.piece[p]] += nodes.mass[p];
    if (nodes.mobility[p] == 0) is_held_[matter.piece[p]] = 1;
  }
  for (int p = 0; p < nodes.size(); ++p) {
    const int piece = matter.piece[p];
    if (!is_held_[piece]) move_[p] -= gained_[piece] / mass_[piece];
  }
}

}  // namespace pliant::clusters
