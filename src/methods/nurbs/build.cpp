#include <algorithm>
#include <cmath>

#include "body/make_skin.h"
#include "body/solid_materials.h"
#include "core/errors.h"
#include "methods/nurbs/masses.h"
#include "methods/nurbs/nurbs.h"
#include "methods/nurbs/report.h"
#include "methods/shared/galerkin/solid_points.h"

// From a solid to a body: net, samples, fits (kinematics.h), materials, masses, and a skin of the
// faces' own points.

namespace pliant::nurbs {
namespace {

// A plain surface of more triangles would have more nodes.
constexpr std::size_t most_facets = 1500;

/// A triangle as a bilinear patch whose first edge is a point.
NurbsPatch facet(const TriangleMesh& surface, const Triangle& t) {
  NurbsPatch patch;
  patch.u = patch.v = {1, {0, 0, 1, 1}};
  const std::vector<Vec3>& x = surface.points;
  patch.pole = {x[t[0]], x[t[0]], x[t[1]], x[t[2]]};
  patch.weight.assign(4, 1);
  cover_rectangle(patch);
  return patch;
}

std::vector<NurbsPatch> facets(const TriangleMesh& surface) {
  if (surface.triangles.size() > most_facets)
    throw InputError("", "",
                     "has " + std::to_string(surface.triangles.size()) +
                         " triangles; nurbs takes each as a face, at most " +
                         std::to_string(most_facets),
                     "take a CAD file (IGES, STEP), or the method meshless");
  std::vector<NurbsPatch> patches;
  for (const Triangle& t : surface.triangles) patches.push_back(facet(surface, t));
  return patches;
}

/// Vertices of different patches at one place are one: the first's row stands for all.
Skin welded_skin(const Tessellation& surface, const Net& net, double distance) {
  const Neighbours near(surface.mesh.points, 1e4 * distance);
  std::vector<int> vertex(surface.mesh.points.size(), -1), found;
  Skin skin;
  for (int i = 0; i < int(vertex.size()); ++i) {
    near.within(surface.mesh.points[i], distance, found);
    const auto earlier =
        std::find_if(found.begin(), found.end(), [&](int other) { return vertex[other] >= 0; });
    if (earlier != found.end()) {
      vertex[i] = vertex[*earlier];
      continue;
    }
    vertex[i] = int(skin.rest.size());
    const PatchRow row = net.row(surface.vertices[i].patch, surface.vertices[i].uv);
    skin.rest.push_back(net.place(row));
    skin.weights.add_row(row.pole, row.weight);
  }
  for (const Triangle& t : surface.mesh.triangles) {
    const Triangle welded = {vertex[t[0]], vertex[t[1]], vertex[t[2]]};
    if (welded[0] != welded[1] && welded[1] != welded[2] && welded[2] != welded[0])
      skin.triangles.push_back(welded);
  }
  return skin;
}

/// Points of triangle meshes that are one solid with the patches.
LoosePoints loose_points(const Solid& solid) {
  LoosePoints loose;
  std::vector<int> number(solid.on_patch.size(), -1);
  for (std::size_t v = 0; v < number.size(); ++v) {
    if (solid.on_patch[v].patch >= 0) continue;
    number[v] = loose.size();
    loose.place.push_back(solid.surface.points[v]);
  }
  loose.normal.assign(loose.place.size(), Vec3::Zero());
  loose.area.assign(loose.place.size(), 0);
  if (loose.size() == 0) return loose;
  for (const Triangle& t : solid.surface.triangles) {
    const Vec3 &a = solid.surface.points[t[0]], &b = solid.surface.points[t[1]],
               &c = solid.surface.points[t[2]];
    const Vec3 normal = (b - a).cross(c - a);
    for (const int v : t) {
      if (number[v] < 0) continue;
      loose.normal[number[v]] += normal;
      loose.area[number[v]] += normal.norm() / 6;
      loose.longest = std::max({loose.longest, (b - a).norm(), (c - b).norm(), (a - c).norm()});
    }
  }
  for (Vec3& normal : loose.normal) normal.normalize();
  return loose;
}

/// The skin that came with the patches.
Skin given_skin(const Solid& solid, const Net& net) {
  Skin skin;
  skin.triangles = solid.surface.triangles;
  skin.groups = solid.surface.groups;
  int loose = int(net.point.size());
  for (std::size_t v = 0; v < solid.on_patch.size(); ++v) {
    const Tessellation::Vertex& vertex = solid.on_patch[v];
    if (vertex.patch < 0) {
      const int node = loose++;
      const double whole = 1;
      skin.weights.add_row({&node, 1}, {&whole, 1});
      skin.rest.push_back(solid.surface.points[v]);
      continue;
    }
    const PatchRow row = net.row(vertex.patch, vertex.uv);
    skin.weights.add_row(row.pole, row.weight);
    skin.rest.push_back(net.place(row));
  }
  return skin;
}

/// [m] How far control points are apart, if they are spread evenly over the surface.
double net_spacing(const Net& net, double area) {
  return std::sqrt(area / double(net.point.size()));
}

galerkin::QuadraticForm error_form(const Kinematics& made, const Solid& solid) {
  std::vector<galerkin::SquaredSum> sums;
  for (const ErrorRow& row : made.error) {
    sums.push_back(row);
    sums.back().weight *= *solid.material_at(row.place).young;
  }
  return quadratic_form(sums, int(made.node.size()));
}

}  // namespace

void Settings::describe(Fields& fields) {
  fields.object("kinematics", nullptr,
                {.help = "how control points move the inside; what follows is for the default",
                 .computed = "by fits through the solid"},
                [&](Fields& inner) {
                  inner.shorthand_names_member();
                  inner.object("paper", kinematics.paper,
                               {.help = "one polynomial per face, blended: the shape matching "
                                        "element method"});
                });
  fields.number("spans", kinematics.spans,
                {.at_least = 0,
                 .at_most = 10,
                 .help = "longest span of a face in thicknesses of the solid behind it: knots are "
                         "inserted until none is longer; 0 = the net stays as it is"});
  fields.number("density", kinematics.density,
                {.above = 0.2,
                 .at_most = 2,
                 .help = "distance of samples in thicknesses of the solid behind them"});
  fields.number("coarsest", kinematics.coarsest,
                {.at_least = 0.05,
                 .at_most = 0.5,
                 .help = "largest distance of samples, and thickness that spans follow, as a share "
                         "of the longest side: larger for compact bodies that may be coarse"});
  fields.integer("voxels", kinematics.voxels,
                 {.at_least = 500,
                  .at_most = 200000,
                  .help = "inside the solid; eight of them make one energy point"});
  fields.number("stitch", kinematics.stitch,
                {.at_least = 0,
                 .at_most = 1000,
                 .help = "stiffness of seams between faces whose control points differ, in "
                         "Young's moduli times their length; 0 = they may open"});
  using Kind = galerkin::Law::Kind;
  static const char* const law_names[] = {"log_neo_hookean", "neo_hookean", "square_neo_hookean"};
  int chosen = law == Kind::square_neo_hookean ? 2 : int(law);
  fields.choice(
      "law", chosen, law_names,
      {.help = "log_neo_hookean: rubber that cannot be flattened; neo_hookean: the "
               "rubber of tets; square_neo_hookean: the paper's, with (J - 1)^2 where the "
               "first has (ln J)^2, in plain steps"});
  law = chosen == 2 ? Kind::square_neo_hookean : Kind(chosen);
  fields.number("tolerance", rules.tolerance,
                {.above = 0,
                 .at_most = 0.1,
                 .help = "what conjugate gradients may leave of the load of a step"});
  fields.integer("newton", rules.newton,
                 {.at_least = 0, .at_most = 100, .help = "iterations per substep; 0 = by need"});
  fields.number("static_residual", rules.static_residual,
                {.above = 0,
                 .at_most = 0.1,
                 .help = "of static scenes: share of the force that may be left unbalanced"});
}

Body Settings::create(const Solid& solid) const {
  const TriangleMesh surface = solid.tets ? boundary_surface(*solid.tets) : solid.surface;
  const bool is_cad = !solid.patches.empty();
  const LoosePoints loose = is_cad ? loose_points(solid) : LoosePoints();
  Kinematics made =
      make_kinematics(is_cad ? solid.patches : facets(surface), surface, kinematics, loose);
  const int count = int(made.node.size());
  galerkin::Points& points = made.points;
  Body body;
  body.name = solid.name;
  std::vector<galerkin::Law> laws = galerkin::laws(solid, law, body.warnings);
  std::vector<double> density;
  for (int i = 0; i <= int(solid.parts.size()); ++i)
    density.push_back(*galerkin::material(solid, i).density);
  for (const Vec3& place : points.rest) points.material.push_back(material_index(solid, place));

  body.nodes = Nodes::at(made.node);
  made.clock.end("materials");
  body.nodes.mass = lumped_masses(points, density, made.node);
  made.clock.end("masses");
  for (int n = 0; n < count; ++n) body.nodes.mobility[n] = 1 / body.nodes.mass[n];
  const double diagonal = bounds(surface.points).extent().norm();
  set_skin(body,
           is_cad && !solid.on_patch.empty()
               ? given_skin(solid, made.net)
               : welded_skin(tessellate(made.net.patches, 0.5 * kinematics.coarsest * diagonal,
                                        2e-3 * diagonal),
                             made.net, 1e-6 * diagonal),
           {net_spacing(made.net, area(surface)), solid.contact_detail});
  made.clock.end("skin");
  body.friction = *solid.material.friction;
  if (is_cad)
    body.control_net = std::make_shared<ControlNet>(ControlNet{made.net.patches, made.net.nodes});

  galerkin::Rules used = rules;
  used.solver = galerkin::Solver::iterative;
  used.grip = used.roller = 100 * galerkin::stiffest(solid) / made.least_spacing;
  galerkin::QuadraticForm form = error_form(made, solid);
  InnerDamping inner = galerkin::damping(points, solid, count);
  const int energy_points = points.size();
  auto method = std::make_unique<galerkin::GalerkinMethod>(
      galerkin::Elastic(std::move(points), std::move(laws), count, true, std::move(form)),
      made.node, std::move(inner), used, galerkin::speed_of_sound(solid), body.extent);
  made.clock.end("stiffness");
  report(made, kinematics, loose.size(), energy_points, body);
  body.method = std::move(method);
  return body;
}

}  // namespace pliant::nurbs
