#include <algorithm>
#include <cmath>

#include "body/make_skin.h"
#include "body/solid_materials.h"
#include "core/errors.h"
#include "core/formatted.h"
#include "geometry/mesh/topology.h"
#include "geometry/mesh/used_points.h"
#include "geometry/sample/poisson.h"
#include "methods/clusters/bind.h"
#include "methods/clusters/clusters.h"
#include "methods/clusters/clusters_method.h"
#include "methods/clusters/gather.h"

// From a solid to a body: particles inside, clusters of them, the surface bound to them.

namespace pliant::clusters {
namespace {

TriangleMesh surface_of(const Solid& solid) {
  if (!solid.tets) return solid.surface;
  TriangleMesh surface{solid.tets->points, boundary_triangles(*solid.tets), {}};
  keep_used_points(surface);
  return surface;
}

void check_surface(const TriangleMesh& surface) {
  if (!is_closed(surface))
    throw InputError("", "", "has an open surface; clusters fill what is inside a closed one",
                     "\"thickness\" makes a closed one of it");
  if (!(volume(surface) > 0)) throw InputError("", "", "encloses nothing");
}

/// The paper's law knows no stress.
void check_paper_law(const Solid& solid) {
  for (const Material& material : materials_of(solid)) {
    if (!material.plastic) continue;
    if (material.plastic->yield)
      throw InputError("", "", "has a yield in Pa; the paper's law knows no stress",
                       "give \"yield_strain\"");
    if (material.plastic->limit)
      throw InputError("", "", "has a limit of flow; the paper's law knows none");
  }
}

/// Smallest unit of mass in which sums of all masses of the body are exact.
double quantum_of(double mass) { return std::exp2(std::ceil(std::log2(mass)) - 50); }

/// The body's mass in as many parts as it has particles, even within each material.
std::vector<double> masses_of(const Matter& matter, double volume) {
  std::vector<double> mass;
  for (const int m : matter.material_of) {
    const double part = *matter.material[m].density * volume / matter.particles();
    mass.push_back(std::round(part / matter.quantum) * matter.quantum);
  }
  return mass;
}

Matter matter_in(const Solid& solid, const std::vector<Vec3>& points, double radius,
                 double volume) {
  Matter matter;
  matter.radius = radius;
  matter.material = materials_of(solid);
  double densest = 0;
  for (const Material& material : matter.material) {
    densest = std::max(densest, *material.density);
    matter.law.push_back(
        material.plastic
            ? std::optional(PlasticLaw::from(*material.plastic, *material.young, *material.poisson))
            : std::nullopt);
  }
  matter.quantum = quantum_of(densest * volume);
  matter.piece.assign(points.size(), 0);
  for (const Vec3& p : points) matter.material_of.push_back(material_index(solid, p));
  return matter;
}

std::string described(const Matter& matter) {
  std::size_t members = 0;
  for (const Cluster& cluster : matter.clusters) members += cluster.member.size();
  const double clusters = double(matter.clusters.size());
  return std::to_string(matter.particles()) + " particles " + formatted("%.3g", matter.radius) +
         " m apart in " + std::to_string(matter.clusters.size()) + " clusters of " +
         formatted("%.3g", double(members) / clusters) + " on average";
}

/// Share of the skin's vertices that no particle is near: those of thin parts.
double bare_share(const Skin& skin, const Neighbours& near, double radius) {
  std::vector<int> scratch;
  int bare = 0;
  for (const Vec3& v : skin.rest) bare += near.nearest(v, 1.5 * radius, scratch) >= 1.5 * radius;
  return double(bare) / double(skin.rest.size());
}

}  // namespace

void Settings::describe(Fields& fields) {
  static const char* const amounts[] = {"particles", "radius"};
  fields.at_most_one(amounts);
  fields.integer("particles", particles,
                 {.at_least = fewest_particles,
                  .at_most = 1000000,
                  .help = "about how many particles fill the body",
                  .computed = "1500"});
  fields.number("radius", radius,
                {.unit = "m",
                 .above = 0,
                 .help = "instead: how far particles are apart; parts thinner than two of these "
                         "are not resolved"});
  fields.number("surface_edge", surface_edge,
                {.above = 0.1,
                 .at_most = 4,
                 .help = "longest edge of the skin, in radii; finer ones make contact dear"});
  fields.number("filter_stiffness", filter_stiffness,
                {.at_least = 0.05,
                 .help = "of movement that a cluster's deformation cannot see; below 3 the skin of "
                         "what flows gets rough"});
  fields.number(
      "displacement_cap", displacement_cap,
      {.at_least = 0, .help = "largest move of one projection, in cluster sizes; 0 = no limit"});
  fields.number("guard", guard,
                {.at_least = 0,
                 .help = "softens clusters too stiff for the substep instead of letting them "
                         "collapse; 0 = off"});
  fields.flag("resample", resample,
              {.help = "particles and clusters come and go where the body is drawn out or pressed; "
                       "without, it returns from large deformations"});
  static const char* const laws[] = {"neo_hookean", "paper"};
  int chosen = int(law);
  fields.choice("law", chosen, laws,
                {.help = "paper = the shape matching of its paper, to repeat its figures: another "
                         "material for each number of substeps and iterations, without young and "
                         "poisson"});
  law = Law(chosen);
  fields.number(
      "stiffness", stiffness,
      {.above = 0, .at_most = 1, .help = "with \"law\": \"paper\": its K", .computed = "0.9"});
  fields.integer("iterations", iterations,
                 {.at_least = 1,
                  .at_most = 1000,
                  .help = "with \"law\": \"paper\": per substep",
                  .computed = "4"});
  const char* const only_paper = "belongs to \"law\": \"paper\"";
  fields.check(law == Law::paper || !stiffness, "stiffness", only_paper);
  fields.check(law == Law::paper || !iterations, "iterations", only_paper);
}

Body Settings::create(const Solid& solid) const {
  const TriangleMesh given = surface_of(solid);
  check_surface(given);
  if (law == Law::paper) check_paper_law(solid);
  const double inside = volume(given);
  const double r =
      radius ? *radius : poisson_spacing(inside, particles.value_or(default_particles));
  const std::vector<Vec3> points = poisson_points(given, r);
  if (int(points.size()) < fewest_particles)
    throw InputError(
        "", "",
        "gets " + std::to_string(points.size()) + " particles " + formatted("%.3g", r) +
            " m apart; clusters need at least " + std::to_string(fewest_particles),
        "take a radius below " + formatted("%.2g", poisson_spacing(inside, fewest_particles)) +
            " m, or more particles");
  Matter matter = matter_in(solid, points, r, inside);
  Body body;
  body.name = solid.name;
  body.nodes = Nodes::at(points);
  body.nodes.mass = masses_of(matter, inside);
  for (int p = 0; p < body.nodes.size(); ++p) body.nodes.mobility[p] = 1 / body.nodes.mass[p];
  const double edge = surface_edge * r;
  TrackedSkin tracked(given, edge, r);
  Skin skin = tracked.begin();
  for (int p = 0; p < body.nodes.size() && tracked.pieces() > 1; ++p)
    matter.piece[p] = tracked.piece_near(points[p]);
  gather_all(matter, body.nodes);
  const Neighbours near(points, 2 * r);
  skin.weights = bound(skin, Binder(near, matter.piece, r), skin.provenance.piece);
  if (const double bare = bare_share(skin, near, r); bare > 0.01)
    body.warnings.push_back(formatted("%.3g", 100 * bare) +
                            " % of the surface has no particle near it: parts thinner than two "
                            "radii (" +
                            formatted("%.3g", 2 * r) + " m) are not resolved");
  body.notes.push_back(described(matter));
  put_on(body, std::move(skin));
  body.friction = *solid.material.friction;
  body.meets_itself = !matter.flows();
  Rules rules;
  rules.displacement_cap = displacement_cap;
  rules.stiffening.guard = guard;
  rules.stiffening.filter_stiffness = filter_stiffness;
  rules.longest_edge = edge;
  rules.resample = resample;
  if (law == Law::paper) {
    matter.strayed = std::numeric_limits<double>::infinity();  // the paper has no such rule
    rules.paper = PaperLaw();
    rules.paper->stiffness = stiffness.value_or(rules.paper->stiffness);
    rules.paper->iterations = iterations.value_or(rules.paper->iterations);
  }
  body.method = std::make_unique<ClustersMethod>(std::move(matter), rules, std::move(tracked));
  return body;
}

}  // namespace pliant::clusters
