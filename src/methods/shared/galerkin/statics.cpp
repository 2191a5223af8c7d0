#include "methods/shared/galerkin/statics.h"

#include <cmath>
#include <limits>

namespace pliant::galerkin {
namespace {

constexpr int most_iterations = 100;  // per load step
constexpr int patience = 6;           // iterations without a new best residual
constexpr int most_load_steps = 64;
constexpr int most_wasted = 150;    // iterations in load steps that led nowhere, together
constexpr double most_sizes = 100;  // of the body: what moves farther has nothing to hold it

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
        no_mass_(nodes.position.size(), 0) {
    for (const Vec3& p : nodes.position) reach_.add(p);
    const double size = reach_.extent().norm();
    for (int n = 0; n < nodes.size(); ++n)
      if (nodes.held[n]) reach_.add(nodes.target[n]);
    for (const Vec3& p : grips.target) reach_.add(p);
    reach_.grow(most_sizes * size);
  }

  /// Towards `load` times the force and the targets given. True when `wanted` was reached.
  bool run(double load, double wanted, const std::vector<Vec3>& targets);

  int iterations = 0;
  double share = std::numeric_limits<double>::infinity();

 private:
  Balance balance(double load);
  bool is_lost() const;
  bool is_at(const std::vector<Vec3>& targets) const;

  Elastic& elastic_;
  System& system_;
  const Grips& grips_;
  Nodes& nodes_;
  std::vector<Vec3> force_, right_, move_, pull_, best_;
  std::vector<double> no_mass_;
  Box reach_;  // of all that an equilibrium could be
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

/// Whether a node is farther from all that holds the body than any equilibrium could be.
bool Search::is_lost() const {
  for (const Vec3& p : nodes_.position)
    if (!reach_.contains(p)) return true;  // also of what is no number
  return false;
}

bool Search::is_at(const std::vector<Vec3>& targets) const {
  for (int n = 0; n < nodes_.size(); ++n)
    if (nodes_.held[n] && nodes_.position[n] != targets[n]) return false;
  return true;
}

bool Search::run(double load, double wanted, const std::vector<Vec3>& targets) {
  double best = std::numeric_limits<double>::infinity();
  double length = 1;
  int since_best = 0;
  bool targets_reached = false;
  for (int i = 0; i <= most_iterations; ++i) {
    const Balance now = balance(load);
    share = now.share();
    const bool lost = !std::isfinite(share) || is_lost();
    const bool is_there = targets_reached || (i == 0 && is_at(targets));
    if (is_there && !lost && share <= wanted) return true;  // at once where nothing has changed
    if (targets_reached && !lost && share < best) {
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

/// Inner forces sum to zero. So of a body that nothing holds at least the sum of the loads stays,
/// shared evenly among the nodes: the least share of the force that can be left unbalanced.
double least_share(const Nodes& nodes, const Grips& grips) {
  if (grips.size() > 0 || nodes.size() == 0) return 0;
  Vec3 sum = Vec3::Zero();
  double acting = 0;
  for (int n = 0; n < nodes.size(); ++n) {
    if (nodes.held[n]) return 0;
    sum += nodes.force[n];
    acting += nodes.force[n].squaredNorm();
  }
  return acting > 0 ? sum.norm() / std::sqrt(double(nodes.size()) * acting) : 0;
}

StaticReport find_equilibrium(Elastic& elastic, System& system, Grips& grips, Nodes& nodes,
                              double wanted_residual) {
  if (const double least = least_share(nodes, grips); least > wanted_residual)
    return {.converged = false, .iterations = 0, .load_steps = 0, .residual = least};
  const std::vector<Vec3> start = nodes.position;
  std::vector<Vec3> good = start, targets = nodes.target;
  const std::vector<Vec3> grip_targets = grips.target;
  std::vector<Vec3> grip_start;
  for (int g = 0; g < grips.size(); ++g) grip_start.push_back(grips.place(g, start));
  Search search(elastic, system, grips, nodes);
  StaticReport report;
  double done = 0, step = 1;
  int wasted = 0;
  while (done < 1 && report.load_steps < most_load_steps) {
    const double load = std::min(1.0, done + step);
    for (int n = 0; n < nodes.size(); ++n)
      targets[n] = start[n] + load * (nodes.target[n] - start[n]);
    for (int g = 0; g < grips.size(); ++g)
      grips.target[g] = grip_start[g] + load * (grip_targets[g] - grip_start[g]);
    ++report.load_steps;
    const int before = search.iterations;
    if (search.run(load, wanted_residual, targets)) {
      good = nodes.position;
      done = load;
      continue;
    }
    step *= 0.5;
    wasted += search.iterations - before;
    if (step < 1.0 / 64 || wasted > most_wasted) break;
    nodes.position = good;
  }
  if (done < 1 && !(search.share < 1)) nodes.position = good;  // nothing worth keeping
  grips.target = grip_targets;
  report.converged = done >= 1;
  report.iterations = search.iterations;
  report.residual = search.share;
  for (int n = 0; n < nodes.size(); ++n) nodes.velocity[n].setZero();
  nodes.previous = nodes.position;
  return report;
}

std::vector<double> vertex_areas(const Skin& skin) {
  std::vector<double> area(skin.rest.size(), 0);
  for (const Triangle& t : skin.triangles) {
    const Vec3 edge1 = skin.rest[t[1]] - skin.rest[t[0]], edge2 = skin.rest[t[2]] - skin.rest[t[0]];
    for (const int v : t) area[v] += edge1.cross(edge2).norm() / 6;
  }
  return area;
}

void add_rollers(const Skin& skin, const std::vector<double>& area, const Rollers& rollers,
                 double per_area, Grips& grips) {
  for (std::size_t i = 0; i < rollers.vertex.size(); ++i)
    grips.add(skin.weights, rollers.vertex[i], per_area * area[rollers.vertex[i]], rollers.place[i],
              rollers.direction[i]);
}

void find_holding(const Elastic& elastic, const Grips& grips, int first_roller, const Nodes& nodes,
                  Holding& found) {
  std::vector<Vec3>& force = found.at_nodes;
  std::vector<Vec3> pull(nodes.position.size(), Vec3::Zero());
  force.resize(pull.size());
  elastic.forces(force);
  grips.add_pull(nodes.position, 1, pull);
  for (int n = 0; n < nodes.size(); ++n)
    force[n] = nodes.held[n] ? Vec3(force[n] - nodes.force[n] - pull[n]) : Vec3(Vec3::Zero());
  found.at_vertices.clear();
  found.at_rollers.clear();
  for (int g = 0; g < grips.size(); ++g)
    (g < first_roller ? found.at_vertices : found.at_rollers)
        .push_back(grips.pull(g, nodes.position));
}

}  // namespace pliant::galerkin
