#include "methods/tets/tets_method.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/assert.h"
#include "core/random.h"
#include "methods/shared/element_reports.h"
#include "methods/shared/flight.h"

// One substep: free flight, one sweep of projections, velocities from positions, damping. What one
// tet does is in project.cpp and damping.cpp; here is only the order. Sums and sweeps do not depend
// on the number of threads.

namespace pliant::tets {
namespace {

/// The beta we ask for. The guard lets up to 0.4 pass, which is stable; but the stiffness measured
/// on a cube is off by about 0.7 beta (3.5 % of Poisson's ratio at 0.05), and from 0.1 up bodies
/// that hit something gain energy.
constexpr double advised_beta = 0.012;

/// Below this stretch the wide kernel cannot tell directions: four corners in one float position.
constexpr double collapsed_stretch = 2e-5;

StressSamples samples_of(const TetElements& elements, const std::vector<Vec3>& rest) {
  StressSamples samples;
  samples.in_cell = 10;
  for (int i = 0; i < elements.size(); ++i) {
    const Tet& tet = elements.nodes[i];
    samples.add(0.25 * (rest[tet[0]] + rest[tet[1]] + rest[tet[2]] + rest[tet[3]]),
                elements.volume[i], elements.sideways(i));
  }
  return samples;
}

}  // namespace

TetsMethod::TetsMethod(TetElements elements, const std::vector<Vec3>& rest, const Rules& rules,
                       std::optional<WideSolver> wide)
    : nodes_(int(rest.size())),
      elements_(std::move(elements)),
      rules_(rules),
      damping_(elements_, nodes_),
      recovery_(rules.recovery ? Recovery(elements_) : Recovery()),
      stress_(samples_of(elements_, rest)),
      wide_(std::move(wide)),
      multipliers_(wide_ ? 0 : std::size_t(elements_.size())) {}

void TetsMethod::advance(Nodes& nodes, const Substep& substep) {
  ASSERT(substep.h > 0, "a substep takes time");
  if (has_flowed_) take_flow(nodes);
  recovery_.look(elements_, nodes, substeps_);
  prepare_compliances(nodes, substep.h);
  if (wide_) {
    advance_wide(nodes, substep);
  } else {
    fly(nodes, 0, nodes.size(), substep.h, late_);
    std::fill(multipliers_.begin(), multipliers_.end(), Multipliers{});
    for (int i = 0; i < rules_.iterations; ++i) sweep(nodes);
  }
  late_ = {};
  ++substeps_;
}

void TetsMethod::prepare_compliances(const Nodes& nodes, double h) {
  if (compliances_h_ == h && compliances_softness_ == recovery_.softness()) return;
  scale_compliances(elements_, nodes.mass, h, rules_.guard, compliances_);
  soften(elements_, nodes.mass, recovery_.softness(), compliances_);
  if (wide_) wide_->set_compliances(elements_, compliances_, rules_.displacement_cap);
  compliances_h_ = h;
  compliances_softness_ = recovery_.softness();
}

void TetsMethod::advance_wide(Nodes& nodes, const Substep& substep) {
  const SweepTrouble trouble = wide_->advance(nodes, substep.h, late_, rules_.iterations);
  skipped_ += trouble.skipped;
  if (trouble.collapsed == 0) return;
  for (int i = 0; i < elements_.size(); ++i)
    if (deformation(elements_, i, nodes.position).norm() < collapsed_stretch)
      scatter_collapsed(i, nodes);
}

void TetsMethod::sweep(Nodes& nodes) {
  // Always forwards. Going back and forth on odd substeps would cancel the slight lean to one side
  // that any fixed order has (3e-4 m at the tip of a 0.8 m cantilever, falling with h^2), but was
  // measured to be unstable: bodies never come to rest, and near nu = 0.5 they blow up by
  // themselves.
  for (int i = 0; i < elements_.size(); ++i) project_one(i, nodes);
}

void TetsMethod::project_one(int tet, Nodes& nodes) {
  const double reach = rules_.displacement_cap > 0 ? rules_.displacement_cap * elements_.length[tet]
                                                   : std::numeric_limits<double>::infinity();
  const auto projected = [&](const auto& kernel) {
    return kernel(elements_.nodes[tet], elements_.inverse_rest[tet], compliances_[tet], reach,
                  nodes.mobility, nodes.position, multipliers_[tet]);
  };
  const Projection result =
      !elements_.hookean.empty()
          ? project_hookean(elements_.nodes[tet], elements_.inverse_rest[tet],
                            elements_.hookean[tet], compliances_[tet].shape, reach, nodes.mobility,
                            nodes.position, multipliers_[tet].shape)
      : rules_.in_turn ? projected(project_in_turn)
                       : projected(project);
  if (result == Projection::collapsed) scatter_collapsed(tet, nodes);
  if (result == Projection::skipped) ++skipped_;
}

void TetsMethod::scatter_collapsed(int tet, Nodes& nodes) const {
  // Four corners in one point know no direction. A thousandth of the tet's size, the same in every
  // run, gives them one; the mean is taken out to keep momentum.
  Vec3 move[4];
  Vec3 mean = Vec3::Zero();
  double free_mass = 0;
  for (int k = 0; k < 4; ++k) {
    const int node = elements_.nodes[tet][k];
    for (int axis = 0; axis < 3; ++axis)
      move[k][axis] =
          2 * random_unit(std::uint64_t(tet), std::uint64_t(substeps_ * 12 + 3 * k + axis)) - 1;
    if (nodes.mobility[node] == 0) continue;
    mean += nodes.mass[node] * move[k];
    free_mass += nodes.mass[node];
  }
  mean /= free_mass;
  for (int k = 0; k < 4; ++k) {
    const int node = elements_.nodes[tet][k];
    if (nodes.mobility[node] == 0) continue;
    nodes.position[node] += 1e-3 * elements_.length[tet] * (move[k] - mean);
  }
}

void TetsMethod::finish(Nodes& nodes, const Substep& substep) {
  const double more = recovery_.damping(substep.h);
  if (substep.last) damping_.finish(nodes, substep.h, more);
  else late_ = damping_.finish_late(nodes, substep.h, more);
}

Changes TetsMethod::adapt(Nodes& nodes, Skin&, double dt) {
  const auto F = [&](int i) { return deformation(elements_, i, nodes.position); };
  if (flow_.any() && flow_.flow(F, dt)) has_flowed_ = true;
  return {};
}

/// The rest shapes become what has flowed. Batches are ordered by place at rest, so that they are
/// the same ones after a checkpoint was loaded.
void TetsMethod::take_flow(const Nodes& nodes) {
  for (int i = 0; i < elements_.size(); ++i)
    elements_.inverse_rest[i] = inverse_as_built_[i] * flow_.stretch(i).inverse();
  if (wide_)
    wide_.emplace(build_batches(elements_, nodes.mass, rest_, {}, {}, wide_->batches().lanes),
                  rules_.iterations > 1);
  compliances_h_ = 0;
  has_flowed_ = false;
}

void TetsMethod::archive(Archive& archive) {
  archive.value("tets substeps", substeps_);
  recovery_.archive(archive);
  flow_.archive(archive);
  if (archive.is_loading()) has_flowed_ = flow_.any();
}

TetStatics& TetsMethod::statics() const {
  if (!statics_) statics_ = std::make_unique<TetStatics>(elements_, nodes_);
  return *statics_;
}

StaticReport TetsMethod::solve_static(Nodes& nodes) { return statics().solve(nodes); }

void TetsMethod::set_rollers(const Skin& skin, const Rollers& rollers) {
  if (statics_ || !rollers.vertex.empty()) statics().set_rollers(skin, rollers);
}

bool TetsMethod::holding(const Nodes& nodes, Holding& found) const {
  statics().holding(nodes, found);
  return true;
}

Measures TetsMethod::measure(const Nodes& nodes) const {
  return measure_elements(elements_.size(), [&](int i) {
    const Mat3 F = deformation(elements_, i, nodes.position);
    return ElementNow{F, elements_.volume[i], elements_.energy(i, F)};
  });
}

StepAdvice TetsMethod::advise(const Nodes& nodes, double dt) const {
  // beta grows with h^2, so sqrt(beta(dt)) / n is its root at n substeps. The worst twentieth of
  // the tets (slivers) may be softened by the guard; resolving them too would cost everybody else.
  std::vector<double> rates;
  for (int i = 0; i < elements_.size(); ++i)
    rates.push_back(stiffness_rate(elements_, i, nodes.mass));
  const auto chosen = rates.begin() + std::ptrdiff_t(0.95 * double(rates.size() - 1));
  std::nth_element(rates.begin(), chosen, rates.end());
  const double substeps = std::ceil(dt * std::sqrt(*chosen / advised_beta));
  return {int(std::clamp(substeps, 1.0, 1e9)), "the stiffness of the tets"};
}

std::vector<std::string> TetsMethod::warnings(const Nodes& nodes, const Substep& substep) const {
  std::vector<std::string> lines;
  const Softening soft = softening(elements_, nodes.mass, substep.h, rules_.guard);
  if (soft.tets > 0)
    lines.push_back(softened_line(soft.tets, elements_.size(), "tets", soft.worst, substep.h));
  const int inverted = rules_.recovery ? 0 : measure(nodes).inverted;
  if (inverted > 0)
    lines.push_back(std::to_string(inverted) + " of " + std::to_string(elements_.size()) +
                    " tets are inside out; \"recovery\": true helps them back");
  if (flow_.any() && flow_.capped() > 0)
    lines.push_back(flow_end_line(flow_.capped(), elements_.size(), "tets"));
  if (skipped_ > 0)
    lines.push_back(std::to_string(skipped_) +
                    " projections had no finite result and were left out; more substeps may help");
  return lines;
}

std::vector<std::string> TetsMethod::fields() const {
  std::vector<std::string> names = element_field_names();
  names.push_back("plastic_strain");
  return names;
}

bool TetsMethod::element_field(std::string_view name, const Nodes& nodes,
                               std::vector<double>& values) const {
  if (name == "plastic_strain") {
    values.clear();
    for (int i = 0; i < elements_.size(); ++i) values.push_back(flow_.strain(i));
    return true;
  }
  return element_values(
      name, elements_.size(), [&](int i) { return deformation(elements_, i, nodes.position); },
      [&](int i, const Mat3& F) { return elements_.von_mises(i, F); }, values);
}

bool TetsMethod::skin_stress(const Nodes& nodes, const Skin& skin, SkinStress& stress) const {
  return stress_.find(
      skin, [&](int i) { return std::span<const int>(elements_.nodes[i]); },
      [&](int i) { return elements_.cauchy(i, deformation(elements_, i, nodes.position)); },
      stress);
}

bool TetsMethod::field(std::string_view name, const Nodes& nodes,
                       std::vector<double>& values) const {
  std::vector<double> of_tet;
  if (!element_field(name, nodes, of_tet)) return false;
  spread_to_nodes(
      of_tet,
      [&](int i) {
        return present_volume(elements_.volume[i],
                              deformation(elements_, i, nodes.position).determinant());
      },
      [&](int i) { return std::span<const int>(elements_.nodes[i]); }, nodes.size(), values);
  return true;
}

bool TetsMethod::bulk(const Nodes& nodes, Bulk& bulk) const {
  bulk = {nodes.position, nodes.velocity, elements_.nodes, {}, {}, {}};
  for (int i = 0; i < elements_.size(); ++i) {
    const Mat3 F = deformation(elements_, i, nodes.position);
    bulk.J.push_back(F.determinant());
    bulk.stress.push_back(elements_.cauchy(i, F));
    bulk.plastic_strain.push_back(flow_.strain(i));
  }
  return true;
}

std::vector<Mat3> TetsMethod::stress_of_multipliers(const Nodes& nodes) const {
  std::vector<Mat3> stresses;
  for (std::size_t i = 0; i < multipliers_.size(); ++i) {
    const Mat3 F = deformation(elements_, int(i), nodes.position);
    const double volume = elements_.volume[i], h = compliances_h_;
    stresses.push_back(elements_.hookean.empty()
                           ? stress(multipliers_[i], F, volume, h)
                           : stress(multipliers_[i].shape, elements_.hookean[i], F, volume, h));
  }
  return stresses;
}

}  // namespace pliant::tets
