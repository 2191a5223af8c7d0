#include <algorithm>
#include <numeric>

#include "body/make_skin.h"
#include "body/solid_materials.h"
#include "core/assert.h"
#include "core/errors.h"
#include "core/formatted.h"
#include "core/random.h"
#include "geometry/mesh/clean_tets.h"
#include "methods/groups/budget.h"
#include "methods/groups/cut_groups.h"
#include "methods/groups/groups_method.h"
#include "methods/groups/hex_groups.h"
#include "methods/groups/measure_shapes.h"
#include "methods/groups/point_groups.h"
#include "methods/shared/filling.h"

// From a solid to a body: choose groups, dress them with a skin, make what moves them.

namespace pliant::groups {
namespace {

/// Neighbours of a grid's point that its group has: those along the axes and face diagonals.
constexpr double default_radius = 1.5;  // [cells]

/// What has a fast version: the neo-Hookean law as it is meant to be used, for groups with three
/// directions.
bool has_wide_kernel(const Settings& settings, const Shapes& shapes) {
  const bool usual = settings.law == Law::neo_hookean && settings.solve == Solve::together &&
                     settings.sweep == Sweep::gauss_seidel && settings.fit == Fit::linear;
  return usual && std::all_of(shapes.shape.begin(), shapes.shape.end(),
                              [](const Shape& s) { return s.extent == Extent::full; });
}

/// The same for every run: Fisher and Yates.
std::vector<int> shuffled(int count) {
  std::vector<int> order(std::size_t(count), 0);
  std::iota(order.begin(), order.end(), 0);
  for (int i = count - 1; i > 0; --i)
    std::swap(order[i], order[int(random_unit(1, std::uint64_t(i)) * (i + 1))]);
  return order;
}

void check_particles(const Groups& groups) {
  std::vector<char> used(groups.rest.size(), 0);
  for (const int p : groups.member) used[p] = 1;
  const auto lost = std::count(used.begin(), used.end(), 0);
  if (lost > 0)
    throw InputError("", "", "has " + std::to_string(lost) + " particles that belong to no group");
}

/// Groups of points on the grid's points: each group has the volume of its own point.
Groups groups_of_points(const Groups& cells, const Settings& settings, double cell) {
  std::vector<double> volume(cells.rest.size(), 0), largest(cells.rest.size(), 0);
  std::vector<int> material(cells.rest.size(), 0);
  for (int g = 0; g < cells.size(); ++g)
    for (const int p : cells.members(g)) {
      volume[p] += cells.volume[g] / double(cells.members(g).size());
      if (cells.volume[g] <= largest[p]) continue;
      largest[p] = cells.volume[g];
      material[p] = cells.material[g];
    }
  Neighbourhood around{settings.radius.value_or(default_radius) * cell, settings.nearest};
  Groups groups = point_groups(cells.rest, material, around);
  groups.volume = volume;
  groups.mass = cells.mass;
  return groups;
}

std::string count_of_parts(const Groups& groups) {
  const double mean = double(groups.member.size()) / groups.size();
  return std::to_string(groups.size()) + " groups of " + formatted("%.3g", mean) +
         " particles on average, " + std::to_string(groups.particles()) + " particles";
}

}  // namespace

void Settings::describe(Fields& fields) {
  static const char* const samplings[] = {"cells", "points"};
  int chosen = int(sampling);
  fields.choice("sampling", chosen, samplings,
                {.help = "cells = the cells of a grid, eight particles each; points = the points "
                         "of the grid, each in a group with its neighbours"});
  sampling = Sampling(chosen);
  fields.flag(
      "cut", cut,
      {.help =
           "closed surfaces: cells end at the surface, whose own points are particles. Best "
           "for thin parts and exact surfaces; three to eight times the cost of whole cells where "
           "much is touched. Surfaces that cannot be cut hang in whole cells"});
  describe_cells(fields, cells, cell_size,
                 "about how many cells the body's volume is worth, as of tets",
                 "as many as the budget allows");
  fields.number("budget", budget,
                {.unit = "ms",
                 .above = 0,
                 .at_most = 10000,
                 .help = "what the groups may take of a frame of 1/60 s on one core, about, where "
                         "neither cells nor cell_size is given; 1 ms is 1500 soft cells"});
  static const char* const neighbours[] = {"radius", "nearest"};
  fields.at_most_one(neighbours);
  fields.number("radius", radius,
                {.above = 1,
                 .at_most = 10,
                 .help = "with \"sampling\": \"points\": how far a group reaches, in cells",
                 .computed = "1.5"});
  fields.integer("nearest", nearest,
                 {.at_least = 3, .at_most = 200, .help = "instead: neighbours in a group"});
  fields.integer("iterations", iterations,
                 {.at_least = 1,
                  .at_most = 1000,
                  .help = "sweeps per substep; more substeps give more for the same time"});
  fields.number("displacement_cap", displacement_cap,
                {.at_least = 0,
                 .help = "largest move of one projection, in group sizes; 0 = no limit. Helps "
                         "scrambled bodies to recover, ordinary motion never meets it"});
  fields.number("guard", guard,
                {.at_least = 0,
                 .help = "softens groups too stiff for the substep instead of letting them "
                         "collapse; 0 = off, papers' behaviour"});
  static const char* const laws[] = {"neo_hookean", "hookean", "shape_matching"};
  chosen = int(law);
  fields.choice("law", chosen, laws,
                {.help = "neo_hookean = rubber; hookean = Hooke's law for Green's strain, right "
                         "for small strain only; shape_matching = the classic, without Poisson's "
                         "ratio. The last two are slow (plain kernel)"});
  law = Law(chosen);
  pliant::describe(fields, lame);
  pliant::describe(fields, solve);
  static const char* const filters[] = {"compliant", "hard", "off"};
  chosen = int(filter);
  fields.choice("filter", chosen, filters,
                {.help = "what holds movement that a group's deformation cannot see: compliant = "
                         "a stiffness, the same for any substep; hard = taken out, as in the "
                         "paper: bending gets stiffer with every substep"});
  filter = Filter(chosen);
  fields.number(
      "filter_stiffness", filter_stiffness,
      {.at_least = 0.05, .help = "of the compliant filter; 1 = a bent cell is as stiff as a beam"});
  static const char* const fits[] = {"linear", "quadratic"};
  chosen = int(fit);
  fields.choice("fit", chosen, fits,
                {.help = "quadratic: bending and twisting of a group have the material's "
                         "stiffness instead of the filter's (plain kernel)"});
  fit = Fit(chosen);
  static const char* const weightings[] = {"equal", "mass"};
  chosen = int(weighting);
  fields.choice(
      "weighting", chosen, weightings,
      {.help = "what counts in the fit of a group: all members the same, or by mass as in "
               "the paper, which is soft where forces act on corners and edges. The hard "
               "filter and shape_matching go by mass in any case, to keep momentum"});
  weighting = Weighting(chosen);
  static const char* const sweeps[] = {"gauss_seidel", "jacobi"};
  chosen = int(sweep);
  fields.choice("sweep", chosen, sweeps,
                {.help = "gauss_seidel: each group sees what the ones before did; jacobi: all "
                         "start from the same places, softer (plain kernel)"});
  sweep = Sweep(chosen);
  static const char* const kernels[] = {"auto", "plain", "wide"};
  chosen = int(kernel);
  fields.choice("kernel", chosen, kernels,
                {.help = "how groups are computed: plain = one by one in double, wide = many side "
                         "by side; auto = the fastest that fits"});
  kernel = Kernel(chosen);
  fields.flag("shuffle", shuffle,
              {.help = "plain kernel: groups in a fixed random order; false = in the order of "
                       "the grid, which leans to one side"});
  fields.number("group_damping", group_damping,
                {.unit = "1/s",
                 .at_least = 0,
                 .help = "draws every group towards its own rigid motion, as in the paper; acts "
                         "like viscosity, besides the material's damping"});
}

Body Settings::create(const Solid& solid) const {
  const std::vector<Material> materials = materials_of(solid);
  if (solid.tets) {
    CleanTets clean = cleaned(*solid.tets);
    const Groups groups = tet_groups(clean.mesh, solid);
    Body body = make_body(groups, materials, boundary_skin(clean.mesh), *this);
    body.name = solid.name;
    body.notes.push_back(count_of_parts(groups));
    body.warnings.insert(body.warnings.begin(), clean.warnings.begin(), clean.warnings.end());
    if (const auto unused = cells_unused(cells, cell_size)) body.warnings.push_back(*unused);
    return body;
  }
  std::string why_not;
  if (sampling == Sampling::cells && cut) {
    Body body = cut_body(solid, *this, why_not);
    if (body.method) return body;
    why_not = "the surface " + why_not + "; it hangs in whole cells instead of cut ones";
  }
  const int count = cells ? *cells : cells_within(budget, solid.surface, materials);
  const double cell = cell_size ? *cell_size : cell_size_for(solid.surface, count);
  const auto [surface, grid] = fill_surface(solid.surface, cell);
  Groups groups = hex_groups(grid.tets, grid.fill, grid.cells, solid);
  Weights skin = grid.skin;
  if (sampling == Sampling::points) {
    groups = groups_of_points(groups, *this, grid.cell.maxCoeff());
    skin = hang_on_groups(groups, surface.points);
  }
  Body body = make_body(groups, materials, embedded_skin(surface, skin), *this,
                        {grid.cell.mean(), solid.contact_detail});
  body.name = solid.name;
  body.notes.push_back(count_of_cells(grid) + ", " + count_of_parts(groups));
  if (!cells && !cell_size)
    body.notes.push_back("as many cells as take about " + formatted("%.3g", budget) +
                         " ms of a frame on one core (\"budget\")");
  if (!why_not.empty()) body.notes.push_back(why_not);
  return body;
}

Body make_body(const Groups& groups, std::span<const Material> materials, Skin skin,
               const Settings& settings, const ContactDetail& detail) {
  check_particles(groups);
  if (settings.sweep == Sweep::jacobi && settings.solve == Solve::in_turn)
    throw InputError("", "", "cannot have \"sweep\": \"jacobi\" with \"solve\": \"in_turn\"",
                     "leave out one of them");
  Rules rules;
  rules.iterations = settings.iterations;
  rules.displacement_cap = settings.displacement_cap;
  rules.stiffening = {settings.guard, settings.law, settings.filter, settings.filter_stiffness};
  rules.in_turn = settings.solve == Solve::in_turn;
  rules.jacobi = settings.sweep == Sweep::jacobi;
  rules.quadratic = settings.fit == Fit::quadratic;
  rules.group_damping = settings.group_damping;

  Body body;
  body.nodes = Nodes::at(groups.rest);
  body.nodes.mass = groups.mass;
  for (int p = 0; p < groups.particles(); ++p) body.nodes.mobility[p] = 1 / groups.mass[p];
  set_skin(body, std::move(skin), detail);
  body.friction = *materials[0].friction;

  Shapes shapes = measure_shapes(groups, materials, settings);
  const auto flat = std::count_if(shapes.shape.begin(), shapes.shape.end(),
                                  [](const Shape& s) { return s.extent != Extent::full; });
  if (flat > 0)
    body.warnings.push_back(std::to_string(flat) + " of " + std::to_string(groups.size()) +
                            " groups are flat or straight: they hold their area or length only");
  const bool fast = settings.kernel != Kernel::plain && has_wide_kernel(settings, shapes);
  if (settings.kernel == Kernel::wide && !fast)
    body.warnings.push_back("the plain kernel is used: there is no fast one for these settings");
  std::optional<WideSolver> wide;
  if (fast) wide.emplace(shapes, groups.rest, groups.cell, settings.iterations > 1);
  std::vector<int> order(std::size_t(groups.size()), 0);
  std::iota(order.begin(), order.end(), 0);
  if (settings.shuffle) order = shuffled(groups.size());
  auto method = std::make_unique<GroupsMethod>(std::move(shapes), groups.rest, rules,
                                               std::move(order), std::move(wide));
  std::vector<Material> of_group;  // patches hold their shape for ever
  for (int g = 0; g < groups.solids(); ++g) of_group.push_back(materials[groups.material[g]]);
  method->let_flow(ElementFlow(of_group));
  body.method = std::move(method);
  return body;
}

}  // namespace pliant::groups
