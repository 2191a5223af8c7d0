#include "methods/groups/groups_method.h"

#include <algorithm>
#include <limits>

#include "core/assert.h"
#include "core/disjoint_sets.h"
#include "core/parallel.h"
#include "core/random.h"
#include "methods/shared/flight.h"

// One substep: free flight, one sweep of projections and filters, velocities from positions,
// damping. What one group does is in project.cpp; here is only the order. Sums and sweeps do not
// depend on the number of threads.

namespace pliant::groups {
namespace {

// Chunks for parallel_for: some microseconds of work each.
constexpr int node_grain = 512;
constexpr int group_grain = 64;

/// Below this stretch the wide kernel cannot tell directions: all members in one float position.
constexpr double collapsed_stretch = 2e-5;

InnerDamping inner_damping(const Shapes& shapes, int particles) {
  std::vector<double> rate(std::size_t(particles), 0), volume(rate);
  DisjointSets pieces(particles);
  for (int g = 0; g < shapes.size(); ++g)
    for (const int p : shapes.members(g)) {
      rate[p] += shapes.shape[g].volume * shapes.damping[g];
      volume[p] += shapes.shape[g].volume;
      pieces.join(shapes.members(g)[0], p);
    }
  for (int p = 0; p < particles; ++p) rate[p] /= volume[p];
  return {std::move(rate), pieces.numbers()};
}

StressSamples samples_of(const Shapes& shapes, const std::vector<Vec3>& rest) {
  StressSamples samples;
  samples.in_cell = 1;
  std::vector<Vec3> places;
  for (int g = 0; g < shapes.solids(); ++g) {
    places.clear();
    for (const int p : shapes.members(g)) places.push_back(rest[p]);
    samples.add(centre(shapes, g, places), shapes.shape[g].volume, shapes.sideways(g));
  }
  return samples;
}

}  // namespace

GroupsMethod::GroupsMethod(Shapes shapes, const std::vector<Vec3>& rest, const Rules& rules,
                           std::vector<int> order, std::optional<WideSolver> wide)
    : shapes_(std::move(shapes)),
      rules_(rules),
      stress_(samples_of(shapes_, rest)),
      damping_(inner_damping(shapes_, int(rest.size()))),
      group_damping_(shapes_, rules.group_damping),
      modes_(rules.quadratic ? quadratic_modes(shapes_) : QuadraticModes{}),
      order_(std::move(order)),
      wide_(std::move(wide)) {
  ASSERT(order_.size() == std::size_t(shapes_.size()), "each group once");
  const std::size_t room = rules.jacobi ? shapes_.member.size() : std::size_t(shapes_.largest());
  places_.resize(room);
  before_.resize(room);
  mobilities_.resize(room);
  if (wide_) return;
  multipliers_.resize(std::size_t(shapes_.size()));
  if (!rules.jacobi) return;
  // One factor for the whole group keeps its momentum; one for each particle would not.
  std::vector<int> count(rest.size(), 0);
  for (const int p : shapes_.member) ++count[p];
  for (int g = 0; g < shapes_.size(); ++g) {
    int most = 1;
    for (const int p : shapes_.members(g)) most = std::max(most, count[p]);
    share_.push_back(1.0 / most);
  }
  uses_start_.assign(rest.size() + 1, 0);
  for (std::size_t p = 0; p < rest.size(); ++p) uses_start_[p + 1] = uses_start_[p] + count[p];
  uses_.resize(shapes_.member.size());
  std::vector<int> next(uses_start_.begin(), uses_start_.end() - 1);
  for (int k = 0; k < int(shapes_.member.size()); ++k) uses_[next[shapes_.member[k]]++] = k;
}

void GroupsMethod::advance(Nodes& nodes, const Substep& substep) {
  ASSERT(substep.h > 0, "a substep takes time");
  if (has_flowed_) take_flow(nodes);
  prepare_compliances(substep.h);
  if (wide_) wide_->begin(shapes_, nodes);
  parallel_for(nodes.size(), node_grain, [&](int begin, int end) {
    if (wide_) wide_->fly_and_load(nodes, begin, end, substep.h, late_);
    else fly(nodes, begin, end, substep.h, late_);
  });
  if (wide_) std::swap(nodes.position, nodes.previous);  // as fly_and_load() leaves them
  if (wide_) sweep_wide(nodes);
  else std::fill(multipliers_.begin(), multipliers_.end(), Multipliers{});
  for (int i = 0; !wide_ && i < rules_.iterations; ++i) {
    const bool last = i + 1 == rules_.iterations;
    if (rules_.jacobi) sweep_at_once(nodes, last);
    else sweep_in_order(nodes, last);
  }
  late_ = {};
  ++substeps_;
}

void GroupsMethod::prepare_compliances(double h) {
  if (compliances_h_ == h) return;
  scale_compliances(shapes_, h, rules_.stiffening, compliances_);
  if (wide_) wide_->set_compliances(shapes_, compliances_, rules_.displacement_cap);
  compliances_h_ = h;
}

double GroupsMethod::reach(int g) const {
  return rules_.displacement_cap > 0 ? rules_.displacement_cap * shapes_.shape[g].length
                                     : std::numeric_limits<double>::infinity();
}

/// The filter is an implicit step of its own, so it acts once in a substep; the hard one may act
/// as often as it likes.
Projection GroupsMethod::project_one(int g, bool last, Members members) {
  const Compliance& c = compliances_[g];
  Projection result = Projection::done;
  Vec3* before = &before_[rules_.jacobi ? std::size_t(shapes_.start[g]) : 0];
  std::copy(members.x.begin(), members.x.end(), before);
  const Places from(before, members.x.size());
  const auto projected = [&](const auto& kernel) {
    return kernel(shapes_, g, c, reach(g), members, multipliers_[g]);
  };
  if (rules_.stiffening.law == Law::shape_matching) {
    if (last) match_shape(shapes_, g, c, members);
    return result;
  }
  if (shapes_.shape[g].extent == Extent::line) result = projected(project_line);
  else if (rules_.stiffening.law == Law::hookean) result = projected(project_hookean);
  else if (rules_.in_turn) result = projected(project_in_turn);
  else result = projected(project);
  if (!last && rules_.stiffening.filter != Filter::hard) return result;
  if (!modes_.empty() && g < shapes_.solids())
    filter_quadratic(shapes_, modes_, g, c.filter, compliances_h_, from, members);
  else filter(shapes_, g, c.filter, from, members);
  return result;
}

void GroupsMethod::sweep_in_order(Nodes& nodes, bool last) {
  // Always forwards: see methods/tets.
  for (const int g : order_) {
    const Members members = taken_out(g, nodes);
    const Projection result = project_one(g, last, members);
    if (result == Projection::collapsed) scatter_collapsed(g, nodes, members);
    if (result == Projection::skipped) ++skipped_;
    put_back(g, nodes);
  }
}

void GroupsMethod::sweep_at_once(Nodes& nodes, bool last) {
  // Every group works on its own copy; then each particle takes the sum of what its groups want.
  parallel_for(shapes_.size(), group_grain, [&](int begin, int end) {
    for (int g = begin; g < end; ++g) {
      const std::span<const int> ids = shapes_.members(g);
      const std::size_t first = shapes_.start[g];
      for (std::size_t k = 0; k < ids.size(); ++k) {
        places_[first + k] = nodes.position[ids[k]];
        mobilities_[first + k] = nodes.mobility[ids[k]];
      }
      const Members members{{&places_[first], ids.size()}, {&mobilities_[first], ids.size()}};
      const Multipliers before = multipliers_[g];
      const Projection result = project_one(g, last, members);
      if (result == Projection::collapsed) scatter_collapsed(g, nodes, members);
      Multipliers& after = multipliers_[g];
      after.shape = before.shape + share_[g] * (after.shape - before.shape);
      after.volume = before.volume + share_[g] * (after.volume - before.volume);
      for (std::size_t k = 0; k < ids.size(); ++k)
        places_[first + k] = share_[g] * (places_[first + k] - nodes.position[ids[k]]);
    }
  });
  parallel_for(nodes.size(), node_grain, [&](int begin, int end) {
    for (int p = begin; p < end; ++p)
      for (int k = uses_start_[p]; k < uses_start_[p + 1]; ++k)
        nodes.position[p] += places_[uses_[k]];
  });
}

void GroupsMethod::sweep_wide(Nodes& nodes) {
  const SweepTrouble trouble =
      wide_->sweep(rules_.iterations, rules_.stiffening.filter == Filter::hard);
  skipped_ += trouble.skipped;
  parallel_for(nodes.size(), node_grain,
               [&](int begin, int end) { wide_->add_changes(nodes, begin, end); });
  if (trouble.collapsed == 0) return;
  for (int g = 0; g < shapes_.size(); ++g) {
    const Members members = taken_out(g, nodes);
    if (deformation(shapes_, g, Places(members.x)).norm() > collapsed_stretch) continue;
    scatter_collapsed(g, nodes, members);
    put_back(g, nodes);
  }
}

/// Copies a group's members to where kernels work on them.
Members GroupsMethod::taken_out(int g, const Nodes& nodes) {
  const std::span<const int> ids = shapes_.members(g);
  for (std::size_t k = 0; k < ids.size(); ++k) {
    places_[k] = nodes.position[ids[k]];
    mobilities_[k] = nodes.mobility[ids[k]];
  }
  return {{places_.data(), ids.size()}, {mobilities_.data(), ids.size()}};
}

void GroupsMethod::put_back(int g, Nodes& nodes) const {
  const std::span<const int> ids = shapes_.members(g);
  for (std::size_t k = 0; k < ids.size(); ++k) nodes.position[ids[k]] = places_[k];
}

void GroupsMethod::scatter_collapsed(int g, const Nodes& nodes, Members members) const {
  // Members in one point know no direction. A thousandth of the group's size, the same in every
  // run, gives them one; the mean is taken out to keep momentum.
  const std::span<const int> ids = shapes_.members(g);
  const auto move = [&](std::size_t k) {
    Vec3 to;
    for (int axis = 0; axis < 3; ++axis)
      to[axis] = 2 * random_unit(std::uint64_t(g),
                                 std::uint64_t(substeps_) * 3 * ids.size() + 3 * k + axis) -
                 1;
    return to;
  };
  Vec3 mean = Vec3::Zero();
  double free_mass = 0;
  for (std::size_t k = 0; k < ids.size(); ++k) {
    if (members.w[k] == 0) continue;
    mean += nodes.mass[ids[k]] * move(k);
    free_mass += nodes.mass[ids[k]];
  }
  if (free_mass == 0) return;
  for (std::size_t k = 0; k < ids.size(); ++k)
    if (members.w[k] > 0)
      members.x[k] += 1e-3 * shapes_.shape[g].length * (move(k) - mean / free_mass);
}

void GroupsMethod::finish(Nodes& nodes, const Substep& substep) {
  // The damping of groups reads and writes velocities.
  if (!substep.last && rules_.group_damping == 0) {
    late_ = damping_.finish_late(nodes, substep.h);
    return;
  }
  damping_.finish(nodes, substep.h);
  group_damping_.apply(shapes_, nodes, substep.h);
}

Changes GroupsMethod::adapt(Nodes& nodes, Skin&, double dt) {
  const auto F = [&](int g) { return deformation(shapes_, g, nodes.position); };
  if (flow_.any() && flow_.flow(F, dt)) has_flowed_ = true;
  return {};
}

/// The arms become what has flowed.
void GroupsMethod::take_flow(const Nodes& nodes) {
  parallel_for(shapes_.solids(), group_grain, [&](int begin, int end) {
    std::vector<Vec3> arms;
    std::vector<double> mass;
    for (int g = begin; g < end; ++g) {
      arms.clear();
      mass.clear();
      for (int k = shapes_.start[g]; k < shapes_.start[g + 1]; ++k) {
        arms.push_back(flow_.stretch(g) * arms_as_built_[k]);
        mass.push_back(nodes.mass[shapes_.member[k]]);
      }
      set_arms(shapes_, g, arms, mass);
    }
  });
  if (wide_) wide_->set_rest(shapes_);
  compliances_h_ = 0;
  has_flowed_ = false;
}

void GroupsMethod::archive(Archive& archive) {
  archive.value("groups substeps", substeps_);
  flow_.archive(archive);
  if (archive.is_loading()) has_flowed_ = flow_.any();
}

}  // namespace pliant::groups
