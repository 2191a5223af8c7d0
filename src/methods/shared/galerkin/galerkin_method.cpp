#include "methods/shared/galerkin/galerkin_method.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/assert.h"
#include "core/parallel.h"
#include "methods/shared/galerkin/statics.h"

namespace pliant::galerkin {
namespace {

constexpr int grain = 512;

/// Of a solve for contact, against the load. Contact asks for 1e-4 of the body's scale, which is
/// far more than a load moves it by.
constexpr double respond_tolerance = 1e-4;

/// A substep that has to be solved costs as much as this many short ones.
constexpr double most_short_substeps = 24;
/// And as many of scaled inertia, which are as cheap but for contact's columns. Gel and foam take
/// 58 and 64 in balls of 20 cm: 6 ms a frame for 300 particles where 4 solved ones took 1 to 22.
constexpr double most_scaled_substeps = 64;
/// A body that a fall flattens rings by itself; with these its energy is right to 0.4 % of the
/// fall.
constexpr int least_short_substeps = 12;

Mat3 stretch_of(const Mat3& F) { return F.transpose() * F; }

StressSamples samples_of(const Elastic& elastic) {
  const Points& points = elastic.points();
  StressSamples samples;
  samples.in_cell = std::max(1, points.size() / std::max(1, elastic.nodes()));
  for (int p = 0; p < points.size(); ++p)
    samples.add(points.rest[p], points.volume[p], elastic.law(p).sideways());
  return samples;
}

double largest_eigenvalue(const Mat3& symmetric) {
  return Eigen::SelfAdjointEigenSolver<Mat3>(symmetric, Eigen::EigenvaluesOnly).eigenvalues()[2];
}

}  // namespace

GalerkinMethod::GalerkinMethod(Elastic elastic, const std::vector<Vec3>& rest, InnerDamping damping,
                               const Rules& rules, double sound, double size)
    : elastic_(std::move(elastic)),
      system_(elastic_, rules.solver),
      recovery_(samples_of(elastic_)),
      damping_(std::move(damping)),
      rules_(rules),
      sound_(sound),
      size_(size) {
  const auto nodes = std::size_t(elastic_.nodes());
  force_.assign(nodes, Vec3::Zero());
  right_.assign(nodes, Vec3::Zero());
  move_.assign(nodes, Vec3::Zero());
  answer_.assign(nodes, Vec3::Zero());
  mass_.assign(nodes, 0);
  bool implicit = rules_.solver != Solver::direct;
  for (int p = 0; p < elastic_.points().size(); ++p)
    implicit = implicit && elastic_.law(p).is_neo_hookean();
  if (implicit) implicit_ = std::make_unique<ImplicitStep>(elastic_, rest, rules_, sound, size);
}

void GalerkinMethod::advance(Nodes& nodes, const Substep& substep) {
  ASSERT(substep.h > 0, "a substep takes time");
  nodes.previous = nodes.position;
  for (int n = 0; n < nodes.size(); ++n) nodes.mobility[n] = nodes.held[n] ? 0 : 1 / nodes.mass[n];
  if (implicit_) {
    implicit_->advance(nodes, substep, grips_);
    return;
  }
  last_iterations_ = 0;
  for (int i = 0; i < std::max(1, rules_.newton); ++i) newton_step(nodes, substep.h, i);
  std::fill(answer_.begin(), answer_.end(), Vec3::Zero());
}

void GalerkinMethod::newton_step(Nodes& nodes, double h, int iteration) {
  const bool first = iteration == 0;
  elastic_.update(nodes.position);
  elastic_.forces(force_);
  const double damped = 1 + h * rules_.mass_damping;
  double acting = 0;
  for (int n = 0; n < nodes.size(); ++n) {
    mass_[n] = damped * nodes.mass[n];
    const Vec3 pushed = h * nodes.mass[n] * nodes.velocity[n] + h * h * nodes.force[n];
    if (!nodes.held[n]) acting += pushed.squaredNorm() + std::pow(h, 4) * force_[n].squaredNorm();
    right_[n] = pushed - h * h * force_[n];
    if (!first) right_[n] -= mass_[n] * (nodes.position[n] - nodes.previous[n]);
    // What is moving goes on moving: the best guess there is.
    if (nodes.held[n]) move_[n] = nodes.target[n] - nodes.position[n];
    else move_[n] = first ? Vec3(h * nodes.velocity[n]) : Vec3(Vec3::Zero());
  }
  grips_.add_pull(nodes.position, h * h, right_);
  system_.prepare(elastic_, mass_, h * h + h * rules_.stiffness_damping, nodes.held, &grips_,
                  h * h);
  if (!first && rules_.stiffness_damping > 0) {
    for (int n = 0; n < nodes.size(); ++n) answer_[n] = nodes.position[n] - nodes.previous[n];
    elastic_.multiply(answer_, force_);
    for (int n = 0; n < nodes.size(); ++n) right_[n] -= h * rules_.stiffness_damping * force_[n];
  }
  const SolveReport report =
      system_.solve(right_, move_, rules_.tolerance * std::max(std::sqrt(acting), 1e-300));
  last_iterations_ += report.iterations;
  unsolved_ += report.converged ? 0 : 1;
  for (int n = 0; n < nodes.size(); ++n)
    nodes.position[n] = nodes.held[n] ? nodes.target[n] : Vec3(nodes.position[n] + move_[n]);
}

const std::vector<double>& GalerkinMethod::area_of_vertices(const Skin& skin) {
  if (vertex_area_.size() != skin.rest.size()) vertex_area_ = vertex_areas(skin);
  return vertex_area_;
}

void GalerkinMethod::hold_skin(const Skin& skin, const std::vector<int>& vertices,
                               const std::vector<Vec3>& targets) {
  const std::vector<double>& area = area_of_vertices(skin);
  grips_.resize(0);
  for (std::size_t i = 0; i < vertices.size(); ++i)
    grips_.add(skin.weights, vertices[i], rules_.grip * area[vertices[i]], targets[i],
               Vec3::Zero());
  first_roller_ = grips_.size();
}

void GalerkinMethod::set_rollers(const Skin& skin, const Rollers& rollers) {
  grips_.resize(first_roller_);
  add_rollers(skin, area_of_vertices(skin), rollers, rules_.roller, grips_);
  if (!rollers.vertex.empty() && system_.is_direct())
    system_ = System(elastic_, Solver::iterative);  // the factor has no room for springs
}

void GalerkinMethod::correct(Nodes& nodes) { implicit_->correct(nodes, grips_); }

void GalerkinMethod::archive(Archive& archive) {
  if (implicit_)
    implicit_->archive(archive);  // of others positions and velocities are all there is
}

void GalerkinMethod::respond(Nodes& nodes) const {
  if (moves_by_mobility()) {
    Method::respond(nodes);
    return;
  }
  if (implicit_) {
    implicit_->respond(nodes, grips_);
    return;
  }
  double size = 0;
  for (int n = 0; n < nodes.size(); ++n)
    if (!nodes.held[n]) size += nodes.load[n].squaredNorm();
  if (size == 0) {
    nodes.position = nodes.free;
    return;
  }
  system_.solve_quickly(nodes.load, answer_, respond_tolerance * std::sqrt(size));
  for (int n = 0; n < nodes.size(); ++n)
    nodes.position[n] = nodes.held[n] ? nodes.free[n] : Vec3(nodes.free[n] + answer_[n]);
}

void GalerkinMethod::finish(Nodes& nodes, const Substep& substep) {
  if (implicit_) {
    implicit_->finish(nodes, substep, grips_, damping_);
    return;
  }
  parallel_for(nodes.size(), grain, [&](int begin, int end) {
    for (int n = begin; n < end; ++n) {
      const Vec3& now = nodes.held[n] ? nodes.target[n] : nodes.position[n];
      nodes.velocity[n] = (now - nodes.previous[n]) / substep.h;
    }
  });
  damping_.apply(nodes, substep.h);
}

StaticReport GalerkinMethod::solve_static(Nodes& nodes) {
  return find_equilibrium(elastic_, system_, grips_, nodes, rules_.static_residual);
}

bool GalerkinMethod::holding(const Nodes& nodes, Holding& found) const {
  elastic_.update(nodes.position);
  find_holding(elastic_, grips_, first_roller_, nodes, found);
  return true;
}

void GalerkinMethod::reactions(const Nodes& nodes, std::vector<Vec3>& force) const {
  Holding found;
  holding(nodes, found);
  force = std::move(found.at_nodes);
  grips_.add_pull(nodes.position, 1, force);
}

Measures GalerkinMethod::measure(const Nodes& nodes) const {
  std::vector<Vec3> held;
  reactions(nodes, held);
  Measures sum;
  sum.elastic_energy = elastic_.energy();
  if (!elastic_.form()->empty()) sum.error_energy = elastic_.form()->energy(nodes.position);
  sum.elements = elastic_.points().size();
  sum.min_J = std::numeric_limits<double>::infinity();
  for (int p = 0; p < sum.elements; ++p) {
    const double J = elastic_.F(p).determinant(), volume = elastic_.points().volume[p];
    sum.volume += volume * J;
    sum.rest_volume += volume;
    sum.min_J = std::min(sum.min_J, J);
    sum.inverted += J <= 0 ? 1 : 0;
  }
  Vec3 total = Vec3::Zero();
  for (const Vec3& force : held) total += force;
  sum.reaction = total;
  return sum;
}

StepAdvice GalerkinMethod::advise(const Nodes& nodes, double dt) const {
  StepAdvice advice;
  if (!implicit_) {
    // Implicit steps are stable at any length; what a step does not resolve is damped. A quarter of
    // the time that sound takes through the body keeps its slow swings.
    advice.substeps = int(std::clamp(std::ceil(dt * sound_ / (0.25 * size_)), 1.0, 4.0));
    advice.reason = "the time sound takes through the body";
    advice.least = 8;  // measured: with fewer the contacts of a falling ball do not converge
    return advice;
  }
  advice.substeps = int(std::clamp(std::ceil(dt * sound_ / size_), 1.0, 4.0));
  advice.reason = "the time sound takes through the body";
  // Short ones, many of which cost less than one of the others, where it does not take too many.
  const double few = std::ceil(implicit_->short_count(nodes, dt));
  if (few <= most_short_substeps) {
    advice.substeps = std::max(advice.substeps, int(few));
    advice.least = std::max(least_short_substeps, advice.substeps);
    advice.reason = "steps short enough to need no solving";
    return advice;
  }
  const double scaled = std::ceil(implicit_->scaled_count(dt));
  if (scaled <= most_scaled_substeps) {
    advice.substeps = std::max(advice.substeps, int(scaled));
    advice.least = std::max(least_short_substeps, advice.substeps);
    advice.reason = "steps of scaled inertia, which need no solving";
    return advice;
  }
  // What falls by its own size goes a quarter of a spacing in a substep: then contacts converge
  // (measured with a falling ball of 256 to 2200 particles).
  const double spacing = std::cbrt(elastic_.volume() / nodes.size());
  advice.least = int(std::clamp(std::ceil(4 * dt * std::sqrt(9.81 * size_) / spacing), 4.0, 8.0));
  return advice;
}

std::vector<std::string> GalerkinMethod::warnings(const Nodes&, const Substep&) const {
  if (unsolved_ == 0) return {};
  return {std::to_string(unsolved_) +
          " linear solves did not reach their tolerance; shorter steps or a looser \"tolerance\" "
          "may help"};
}

std::vector<std::string> GalerkinMethod::fields() const {
  return {"von_mises", "J", "stretch", "strain", "energy_density"};
}

bool GalerkinMethod::skin_stress(const Nodes& nodes, const Skin& skin, SkinStress& stress) const {
  elastic_.update(nodes.position);
  const Points& points = elastic_.points();
  return recovery_.find(
      skin,
      [&](int p) {
        return std::span(points.node)
            .subspan(std::size_t(points.start[p]),
                     std::size_t(points.start[p + 1] - points.start[p]));
      },
      [&](int p) { return elastic_.law(p).cauchy(elastic_.F(p), elastic_.rotation(p)); }, stress);
}

double GalerkinMethod::point_value(std::string_view name, int point) const {
  const Mat3& F = elastic_.F(point);
  const Mat3& R = elastic_.rotation(point);
  if (name == "von_mises") return von_mises(elastic_.law(point).cauchy(F, R));
  if (name == "J") return F.determinant();
  if (name == "energy_density") return elastic_.law(point).energy(F, R);
  const double stretch = std::sqrt(std::max(0.0, largest_eigenvalue(stretch_of(F))));
  return name == "stretch" ? stretch : stretch - 1;  // strain: the largest, as an engineer says it
}

bool GalerkinMethod::field(std::string_view name, const Nodes& nodes,
                           std::vector<double>& values) const {
  const std::vector<std::string> known = fields();
  if (std::find(known.begin(), known.end(), name) == known.end()) return false;
  elastic_.update(nodes.position);
  const Points& points = elastic_.points();
  values.assign(std::size_t(nodes.size()), 0);
  std::vector<double> weight(values.size(), 0);
  for (int p = 0; p < points.size(); ++p) {
    const double value = point_value(name, p);
    // By present volume: the stress of a point squeezed to nothing is without bound, its share of
    // the force is not.
    const double volume = points.volume[p] * std::max(std::abs(elastic_.F(p).determinant()), 1e-6);
    for (int k = points.start[p]; k < points.start[p + 1]; ++k) {
      const double w = volume * std::abs(points.value[k]);
      values[points.node[k]] += w * value;
      weight[points.node[k]] += w;
    }
  }
  for (std::size_t n = 0; n < values.size(); ++n) values[n] /= weight[n];
  return true;
}

bool GalerkinMethod::bulk(const Nodes& nodes, Bulk& bulk) const {
  elastic_.update(nodes.position);
  const Points& points = elastic_.points();
  bulk = {};
  for (int p = 0; p < points.size(); ++p) {
    Vec3 position = Vec3::Zero(), velocity = Vec3::Zero();
    for (int k = points.start[p]; k < points.start[p + 1]; ++k) {
      position += points.value[k] * nodes.position[points.node[k]];
      velocity += points.value[k] * nodes.velocity[points.node[k]];
    }
    bulk.position.push_back(position);
    bulk.velocity.push_back(velocity);
    const Mat3& F = elastic_.F(p);
    bulk.J.push_back(F.determinant());
    bulk.stress.push_back(elastic_.law(p).cauchy(F, elastic_.rotation(p)));
  }
  return true;
}

}  // namespace pliant::galerkin
