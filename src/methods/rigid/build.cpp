#include <cstdio>

#include "body/make_skin.h"
#include "core/assert.h"
#include "geometry/mesh/moments.h"
#include "methods/rigid/rigid.h"
#include "methods/rigid/rigid_method.h"

// From a solid to a body: its mass and inertia, four nodes that have the same, and its surface
// hung onto them.

namespace pliant::rigid {
namespace {

/// Of the extent: its nodes do not say how fine its contact surface should be. With 0.05 a ball
/// rolls down a slope 2.6 % too slowly, from facet to facet.
constexpr double contact_spacing = 0.04;

std::string described(const Matter& matter) {
  const Vec3 inertia =
      inertia_of((matter.mass * matter.radius.cwiseAbs2()).asDiagonal()).diagonal();
  char text[160];
  std::snprintf(text, sizeof text, "rigid, %.4g kg, moments of inertia %.3g, %.3g, %.3g kg m^2",
                matter.mass, inertia[2], inertia[1], inertia[0]);
  return text;
}

Weights carried_by(const Matter& matter, const std::vector<Vec3>& points) {
  static constexpr int nodes[4] = {0, 1, 2, 3};
  Weights weights;
  for (const Vec3& p : points)
    weights.add_row(nodes, shares_of(matter.axes.transpose() * (p - matter.centre), matter.radius));
  return weights;
}

}  // namespace

void Settings::describe(Fields& fields) {
  fields.number("mass", mass,
                {.unit = "kg",
                 .above = 0,
                 .at_most = 1e12,
                 .help = "in all, however it is spread",
                 .computed = "volume times the material's density"});
  fields.number(
      "restitution", restitution,
      {.at_least = 0,
       .at_most = 1,
       .help = "share of the speed that comes back from a bounce off a collider; two rigid "
               "bodies share the root of the product, soft ones bounce by themselves"});
}

Body Settings::create(const Solid& solid) const {
  ASSERT(solid.material.density, "materials are completed before a body is made");
  const Matter matter = matter_of(solid, mass.value_or(0));
  Body body;
  body.name = solid.name;
  const TriangleMesh surface = surface_of(solid);
  const double spacing = contact_spacing * bounds(surface.points).extent().maxCoeff();
  set_skin(body, embedded_skin(surface, carried_by(matter, surface.points)),
           {spacing, solid.contact_detail});
  std::vector<Vec3> places;
  for (const Vec3& p : equal_masses(matter.radius))
    places.push_back(matter.centre + matter.axes * p);
  body.nodes = Nodes::at(places);
  body.nodes.mass.assign(4, matter.mass / 4);
  body.nodes.mobility.assign(4, 4 / matter.mass);
  body.friction = solid.material.friction.value_or(0.5);
  body.deforms = false;
  body.restitution = restitution;
  body.method = std::make_unique<RigidMethod>(matter, body.extent);
  body.notes.push_back(described(matter));
  body.warnings = matter.warnings;
  return body;
}

}  // namespace pliant::rigid
