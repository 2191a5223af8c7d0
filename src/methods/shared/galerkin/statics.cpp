#include "methods/shared/galerkin/statics.h"

#include <cmath>
#include <limits>

namespace pliant::galerkin {
namespace {

constexpr int most_iterations = 100;  // per load step
constexpr int patience = 6;           // iterations without a new best residual
constexpr int most_load_steps = 64;

/// Of linear solves, against the residual: Newton's own rate is 0.1 to 0.3, since the tangent
/// leaves out how rotations change.
constexpr double linear_tolerance = 1e-3;

struct Balance {
  double left = 0;    // [N] unbalanced force on free nodes
  double acting = 0;  // [N] what acts: loads on free nodes and pulls on held ones
  double share() const { return acting > 0 ? left / acting : 0; }
};

class Search {
 public:
  Search(Elastic& elastic, System& system, const Grips& grips, Nodes& nodes)
      : elastic_(elastic),
        system_(system),
        grips_(grips),
        nodes_(nodes),
        force_(nodes.position.size()),
        right_(nodes.position.size()),
        move_(nodes.position.size()),
        pull_(nodes.position.size()),
        no_mass_(nodes.position.size(), 0) {}

  /// Towards `load` times the force and the targets given. True when `wanted` was reached.
  bool run(double load, double wanted, const std::vector<Vec3>& targets);

  int iterations = 0;
  double share = std::numeric_limits<double>::infinity();

 private:
  Balance balance(double load);

  Elastic& elastic_;
  System& system_;
  const Grips& grips_;
  Nodes& nodes_;
  std::vector<Vec3> force_, right_, move_, pull_, best_;
  std::vector<double> no_mass_;
};

Balance Search::balance(double load) {
  elastic_.update(nodes_.position);
  elastic_.forces(force_);
  double left = 0, acting = 0;
  for (int n = 0; n < nodes_.size(); ++n) right_[n] = load * nodes_.force[n] - force_[n];
  if (grips_.size() > 0) {
    for (Vec3& pull : pull_) pull.setZero();
    grips_.add_pull(nodes_.position, 1, pull_);
    for (int n = 0; n < nodes_.size(); ++n) {
      right_[n] += pull_[n];
      acting += pull_[n].squaredNorm();
    }
  }
  for (int n = 0; n < nodes_.size(); ++n) {
    if (nodes_.held[n]) acting += right_[n].squaredNorm();
    else acting += (load * nodes_.force[n]).squaredNorm();
    if (!nodes_.held[n]) left += right_[n].squaredNorm();
  }
  return {std::sqrt(left), std::sqrt(acting)};
}

bool Search::run(double load, double wanted, const std::vector<Vec3>& targets) {
  double best = std::numeric_limits<double>::infinity();
  double length = 1;
  int since_best = 0;
  bool targets_reached = false;
  for (int i = 0; i <= most_iterations; ++i) {
    const Balance now = balance(load);
    share = now.share();
    if (targets_reached && share <= wanted) return true;
    const bool lost = !std::isfinite(share);
    if (targets_reached && share < best) {
      best = share;
      best_ = nodes_.position;
      since_best = 0;
      length = std::min(1.0, 2 * length);
    } else if (targets_reached && (lost || ++since_best >= patience)) {
      length *= 0.5;
      if (best_.empty() || length < 1e-3) break;
      nodes_.position = best_;
      since_best = 0;
      balance(load);
    } else if (lost) {
      break;
    }
    if (i == most_iterations) break;
    for (int n = 0; n < nodes_.size(); ++n)
      move_[n] = nodes_.held[n] ? Vec3(targets[n] - nodes_.position[n]) : Vec3(Vec3::Zero());
    system_.prepare(elastic_, no_mass_, 1, nodes_.held, &grips_, 1);
    system_.solve(right_, move_, 0, linear_tolerance);
    const double step = targets_reached ? length : 1;
    for (int n = 0; n < nodes_.size(); ++n)
      nodes_.position[n] = nodes_.held[n] ? targets[n] : Vec3(nodes_.position[n] + step * move_[n]);
    targets_reached = true;
    ++iterations;
  }
  if (!best_.empty()) nodes_.position = best_;
  share = best;
  return false;
}

}  // namespace

StaticReport find_equilibrium(Elastic& elastic, System& system, Grips& grips, Nodes& nodes,
                              double wanted_residual) {
  const std::vector<Vec3> start = nodes.position;
  std::vector<Vec3> good = start, targets = nodes.target;
  const std::vector<Vec3> grip_targets = grips.target;
  std::vector<Vec3> grip_start;
  for (int g = 0; g < grips.size(); ++g) grip_start.push_back(grips.place(g, start));
  Search search(elastic, system, grips, nodes);
  StaticReport report;
  double done = 0, step = 1;
  while (done < 1 && report.load_steps < most_load_steps) {
    const double load = std::min(1.0, done + step);
    for (int n = 0; n < nodes.size(); ++n)
      targets[n] = start[n] + load * (nodes.target[n] - start[n]);
    for (int g = 0; g < grips.size(); ++g)
      grips.target[g] = grip_start[g] + load * (grip_targets[g] - grip_start[g]);
    ++report.load_steps;
    if (search.run(load, wanted_residual, targets)) {
      good = nodes.position;
      done = load;
      continue;
    }
    step *= 0.5;
    if (step < 1.0 / 64) break;
    nodes.position = good;
  }
  grips.target = grip_targets;
  report.converged = done >= 1;
  report.iterations = search.iterations;
  report.residual = search.share;
  for (int n = 0; n < nodes.size(); ++n) nodes.velocity[n].setZero();
  nodes.previous = nodes.position;
  return report;
}

}  // namespace pliant::galerkin
