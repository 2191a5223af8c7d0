#include <algorithm>
#include <cmath>

#include "body/make_skin.h"
#include "body/solid_materials.h"
#include "core/errors.h"
#include "core/formatted.h"
#include "geometry/mesh/refine.h"
#include "methods/meshless/discretise.h"
#include "methods/meshless/meshless.h"
#include "methods/shared/galerkin/solid_points.h"

// From a solid to a body: particles, quadrature points, materials and masses, and a skin that hangs
// in the same functions.

namespace pliant::meshless {
namespace {

/// Row sums of the mass matrix: exact in total and in the centre of mass. Functions may be slightly
/// negative; where that leaves a particle with hardly any mass, all points share theirs evenly.
std::vector<double> masses(const galerkin::Points& points, const std::vector<double>& density,
                           int particles) {
  std::vector<double> by_value(std::size_t(particles), 0), evenly(by_value);
  double total = 0;
  for (int p = 0; p < points.size(); ++p) {
    const double mass = density[points.material[p]] * points.volume[p];
    total += mass;
    for (int k = points.start[p]; k < points.start[p + 1]; ++k) {
      by_value[points.node[k]] += mass * points.value[k];
      evenly[points.node[k]] += mass / (points.start[p + 1] - points.start[p]);
    }
  }
  const double least = *std::min_element(by_value.begin(), by_value.end());
  return least > 0.01 * total / particles ? by_value : evenly;
}

Skin hung_skin(const TriangleMesh& surface, const Neighbours& particles, const Support& support) {
  Skin skin;
  skin.triangles = surface.triangles;
  skin.groups = surface.groups;
  skin.rest = surface.points;
  galerkin::Points rows;
  add_functions(particles, surface.points, support, rows);
  skin.weights.start = std::move(rows.start);
  skin.weights.node = std::move(rows.node);
  skin.weights.weight = std::move(rows.value);
  return skin;
}

}  // namespace

void Settings::describe(Fields& fields) {
  static const char* const resolution[] = {"particles", "spacing"};
  fields.at_most_one(resolution);
  fields.integer("particles", particles,
                 {.at_least = 8,
                  .at_most = 1e6,
                  .help = "about how many; each has three unknowns",
                  .computed = "800"});
  fields.number("spacing", spacing,
                {.unit = "m",
                 .above = 0,
                 .help = "between particles, instead of their number",
                 .computed = "from particles"});
  static const char* const law_names[] = {"log_neo_hookean", "neo_hookean", "corotated",
                                          "st_venant_kirchhoff"};
  int chosen = int(law);
  fields.choice(
      "law", chosen, law_names,
      {.help = "log_neo_hookean: rubber that cannot be flattened; neo_hookean: the rubber of tets; "
               "corotated: Hooke's law in a frame that turns with the material, as in the paper: "
               "soft bodies collapse when they are dropped"});
  law = galerkin::Law::Kind(chosen);
  static const char* const rotation_names[] = {"paper", "gradient", "none"};
  chosen = int(rotation);
  fields.choice("rotation", chosen, rotation_names,
                {.help = "of the corotated law: best fit of all neighbours, that of the "
                         "deformation gradient, or none: linear elasticity"});
  rotation = Rotation(chosen);
  static const char* const hold_names[] = {"particles", "skin"};
  chosen = int(hold);
  fields.choice("hold", chosen, hold_names,
                {.help = "what pins and handles hold: the particles in the region, or the skin "
                         "there, by springs a hundred times stiffer than the body"});
  hold = Hold(chosen);
  fields.flag(
      "full_tangent", full_tangent,
      {.help = "of the corotated law: the stiffness counts that rotations turn. Without, as "
               "in the paper, stretched bodies may shake in long steps"});
  static const char* const solver_names[] = {"auto", "direct", "iterative"};
  chosen = int(rules.solver);
  fields.choice("solver", chosen, solver_names,
                {.help = "direct: a Cholesky factor; iterative: conjugate gradients without a "
                         "matrix; auto: by size"});
  rules.solver = galerkin::Solver(chosen);
  fields.number("tolerance", rules.tolerance,
                {.above = 0,
                 .at_most = 0.1,
                 .help = "what conjugate gradients may leave of the load of a step"});
  fields.integer("newton", rules.newton,
                 {.at_least = 0,
                  .at_most = 100,
                  .help = "iterations per substep; 0 = one, and a second where the first leaves "
                          "more than it should; 1 = linearly implicit, as in the paper"});
  fields.number("static_residual", rules.static_residual,
                {.above = 0,
                 .at_most = 0.1,
                 .help = "of static scenes: share of the force that may be left unbalanced"});
  fields.number("mass_damping", rules.mass_damping,
                {.unit = "1/s",
                 .at_least = 0,
                 .help = "Rayleigh's alpha, besides the material's damping; slows falling, too"});
  fields.number("stiffness_damping", rules.stiffness_damping,
                {.unit = "s", .at_least = 0, .help = "Rayleigh's beta: fast vibrations die first"});
  fields.integer("neighbours", support.nearest,
                 {.at_least = 4,
                  .at_most = 64,
                  .help = "the support of a function is \"dilation\" times the mean distance to "
                          "this many particles"});
  fields.number("dilation", support.dilation, {.above = 1, .at_most = 4});
}

std::unique_ptr<MethodSettings> Settings::with_nodes(int count) const {
  auto finer = std::make_unique<Settings>(*this);
  finer->particles = count;
  return finer;
}

Body Settings::create(const Solid& solid) const {
  const TriangleMesh given = solid.tets ? boundary_surface(*solid.tets) : solid.surface;
  const double step =
      spacing ? *spacing : spacing_for(given, particles.value_or(default_particles));
  // Contact pushes skin vertices; farther apart than particles they would spike single ones.
  const TriangleMesh surface = refine_long_edges(given, step);
  Discretisation made = discretise(surface, step, support);
  galerkin::Points& points = made.points;

  Body body;
  body.name = solid.name;
  std::vector<galerkin::Law> all_laws = galerkin::laws(solid, law, body.warnings);
  std::vector<double> density;
  for (int i = 0; i <= int(solid.parts.size()); ++i)
    density.push_back(*galerkin::material(solid, i).density);
  for (const Vec3& p : points.rest) points.material.push_back(material_index(solid, p));
  if (law == galerkin::Law::Kind::corotated && rotation == Rotation::paper)
    add_spreads(made.particles, points);
  const bool linear = law == galerkin::Law::Kind::corotated && rotation == Rotation::none;
  if (linear) points.spread.assign(points.node.size(), Vec3::Zero());  // nothing to turn with

  const int count = int(made.particles.size());
  body.nodes = Nodes::at(made.particles);
  body.nodes.mass = masses(points, density, count);
  for (int n = 0; n < count; ++n) body.nodes.mobility[n] = 1 / body.nodes.mass[n];
  set_skin(body, hung_skin(surface, Neighbours(made.particles, step), support),
           {made.cell.mean(), solid.contact_detail});
  body.friction = *solid.material.friction;

  const Vec3 extent = bounds(body.skin.rest).extent();
  if ((extent.array() < 1.5 * made.cell.array()).any())
    body.warnings.push_back(
        "there are only two particles across its thickness; bending needs three: more particles "
        "or a smaller spacing would help");
  InnerDamping inner = galerkin::damping(points, solid, count);
  const int total = points.size();
  galerkin::Rules used = rules;
  used.roller = 100 * galerkin::stiffest(solid) / made.cell.mean();
  if (hold == Hold::skin) {
    if (used.solver == galerkin::Solver::direct)
      throw InputError("", "", "cannot have \"hold\": \"skin\" with the direct solver",
                       "leave out \"solver\", or hold particles");
    used.solver = galerkin::Solver::iterative;
    used.grip = 100 * galerkin::stiffest(solid) / made.cell.mean();
  }
  auto method = std::make_unique<galerkin::GalerkinMethod>(
      galerkin::Elastic(std::move(points), std::move(all_laws), count, full_tangent && !linear),
      made.particles, std::move(inner), used, galerkin::speed_of_sound(solid), body.extent);
  body.notes.push_back(std::to_string(count) + " particles " +
                       formatted("%.3g m apart, ", made.cell.mean()) + std::to_string(total) +
                       " quadrature points in " + std::to_string(made.cells) + " cells, " +
                       std::to_string(made.cut_cells) + " of them cut by the surface");
  body.notes.push_back(galerkin::solver_note(method->system(), body.nodes));
  body.method = std::move(method);
  return body;
}

galerkin::GalerkinMethod& method_of(Body& body) {
  return dynamic_cast<galerkin::GalerkinMethod&>(*body.method);
}

}  // namespace pliant::meshless
