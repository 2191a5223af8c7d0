#include <cmath>

#include "body/make_skin.h"
#include "core/assert.h"
#include "core/errors.h"
#include "core/formatted.h"
#include "geometry/mesh/clean_tets.h"
#include "methods/shared/filling.h"
#include "methods/tets/tets.h"
#include "methods/tets/tets_method.h"

// From a solid to a body: choose tets, give them material and mass, dress them with a skin.

namespace pliant::tets {
namespace {

/// The fast solver that was asked for, or the nearest that the tets allow. `grid`: coordinates of
/// the cells, if there are any.
std::optional<WideSolver> wide_solver(const TetElements& elements, const Nodes& nodes,
                                      const std::vector<Eigen::Vector3i>& grid, Kernel kernel,
                                      int iterations) {
  if (kernel == Kernel::plain) return std::nullopt;
  std::vector<TetCell> cells;
  if (kernel != Kernel::tets) cells = find_cells(elements.nodes).value_or(cells);
  return WideSolver(
      build_batches(elements, nodes.mass, nodes.position, cells,
                    cells.empty() ? std::vector<Eigen::Vector3i>() : grid, wide_lanes()),
      iterations > 1);
}

/// Some laws and ways to solve are for study and have no fast version.
Kernel chosen_kernel(const Settings& settings) {
  const bool for_study = settings.law == Law::hookean || settings.solve == Solve::in_turn;
  return for_study ? Kernel::plain : settings.kernel;
}

/// `fill` per tet; empty = all full. `detail`: of what is touched.
Body assemble(const Solid& solid, const TetMesh& mesh, const std::vector<double>& fill, Skin skin,
              const ContactDetail& detail, const std::vector<Eigen::Vector3i>& grid,
              const Settings& settings) {
  Kernel kernel = chosen_kernel(settings);
  const Rules rules{settings.iterations, settings.displacement_cap, settings.guard,
                    settings.recovery && settings.law == Law::neo_hookean,
                    settings.solve == Solve::in_turn};
  Body body;
  body.name = solid.name;
  body.nodes = Nodes::at(mesh.points);
  TetElements elements;
  std::vector<Material> of_tet;
  for (std::size_t i = 0; i < mesh.tets.size(); ++i) {
    const Tet& tet = mesh.tets[i];
    const Vec3 centre = 0.25 * (mesh.points[tet[0]] + mesh.points[tet[1]] + mesh.points[tet[2]] +
                                mesh.points[tet[3]]);
    const Material& material = solid.material_at(centre);
    ASSERT(material.is_complete(), "materials are completed before a body is made");
    of_tet.push_back(material);
    elements.add(mesh, tet, fill.empty() ? 1 : fill[i],
                 constrained_law(*material.young, *material.poisson, settings.law == Law::hookean,
                                 settings.lame),
                 *material.damping);
    if (settings.law == Law::hookean)
      elements.hookean.push_back(Hookean::from(*material.young, *material.poisson));
    for (const int node : tet)
      body.nodes.mass[node] += *material.density * elements.volume.back() / 4;
  }
  for (int i = 0; i < body.nodes.size(); ++i) {
    ASSERT(body.nodes.mass[i] > 0, "every node belongs to a tet");
    body.nodes.mobility[i] = 1 / body.nodes.mass[i];
  }
  set_skin(body, std::move(skin), detail);
  body.friction = *solid.material.friction;
  ElementFlow flow(of_tet);
  // Tets that flow are no longer parts of one cell.
  if (flow.any() && kernel != Kernel::plain) kernel = Kernel::tets;
  std::optional<WideSolver> wide =
      wide_solver(elements, body.nodes, grid, kernel, rules.iterations);
  if (kernel == Kernel::plain && settings.kernel != kernel && settings.kernel != Kernel::automatic)
    body.warnings.push_back("the plain kernel is used: there is no fast one for this law or solve");
  if (settings.recovery && !rules.recovery)
    body.warnings.push_back("the hookean law does not recover: tets inside out are at rest to it");
  if (kernel == Kernel::cells && wide->batches().tets == 1)
    body.warnings.push_back("the tets are not cells of five; the kernel \"tets\" is used");
  auto method =
      std::make_unique<TetsMethod>(std::move(elements), mesh.points, rules, std::move(wide));
  method->let_flow(std::move(flow), mesh.points);
  body.method = std::move(method);
  return body;
}

std::string count_of_parts(const TetMesh& mesh) {
  return std::to_string(mesh.tets.size()) + " tets, " + std::to_string(mesh.points.size()) +
         " nodes";
}

}  // namespace

void Settings::describe(Fields& fields) {
  describe_cells(fields, cells, cell_size,
                 "about how many cells the body's volume is worth; sets their size. Those that the "
                 "surface cuts count by their share inside, so there are more: a quarter more in a "
                 "ball of 1500, twice as many in a thin ring of 300. Each has five tets",
                 "1500");
  fields.integer("iterations", iterations,
                 {.at_least = 1,
                  .at_most = 1000,
                  .help = "sweeps per substep; more substeps give more for the same time"});
  fields.number("displacement_cap", displacement_cap,
                {.at_least = 0,
                 .help = "farthest move of one projection, in tet sizes; 0 = no limit. "
                         "Helps scrambled bodies to recover, ordinary motion never meets it"});
  fields.number("guard", guard,
                {.at_least = 0,
                 .help = "softens tets too stiff for the substep instead of letting them collapse; "
                         "0 = off, papers' behaviour"});
  fields.flag(
      "recovery", recovery,
      {.help = "a body with many tets inside out gives way in volume, loses its spin and is "
               "as stiff as its substeps allow until it has found its shape again"});
  static const char* const kernels[] = {"auto", "plain", "tets", "cells"};
  int chosen = int(kernel);
  fields.choice(
      "kernel", chosen, kernels,
      {.help = "how tets are computed: plain = one by one in double, tets = many side by side, "
               "cells = many cells of five side by side; auto = the fastest that fits"});
  kernel = Kernel(chosen);
  static const char* const laws[] = {"neo_hookean", "hookean"};
  chosen = int(law);
  fields.choice(
      "law", chosen, laws,
      {.help = "neo_hookean = rubber; hookean = Hooke's law for Green's strain, right for "
               "small strain only, slow (plain kernel)"});
  law = Law(chosen);
  pliant::describe(fields, lame);
  pliant::describe(fields, solve);
}

std::unique_ptr<MethodSettings> Settings::with_nodes(int count) const {
  auto finer = std::make_unique<Settings>(*this);
  finer->cells = count;
  return finer;
}

Body Settings::create(const Solid& solid) const {
  if (solid.tets) {
    CleanTets clean = cleaned(*solid.tets);
    Body body = assemble(solid, clean.mesh, {}, boundary_skin(clean.mesh), {}, {}, *this);
    body.notes.push_back(count_of_parts(clean.mesh));
    body.warnings.insert(body.warnings.begin(), clean.warnings.begin(), clean.warnings.end());
    if (const auto unused = cells_unused(cells, cell_size)) body.warnings.push_back(*unused);
    return body;
  }
  const double cell =
      cell_size ? *cell_size : cell_size_for(solid.surface, cells.value_or(default_cells));
  const auto [surface, grid] = fill_surface(solid.surface, cell);
  Body body = assemble(solid, grid.tets, grid.fill, embedded_skin(surface, grid.skin),
                       {grid.cell.mean(), solid.contact_detail}, grid.cells, *this);
  body.notes.push_back(count_of_cells(grid) + ", " + count_of_parts(grid.tets));
  return body;
}

Body make_body(const TetMesh& mesh, const Material& material, const Settings& settings) {
  Solid solid;
  solid.tets = mesh;
  solid.material = material;
  return settings.create(solid);
}

}  // namespace pliant::tets
