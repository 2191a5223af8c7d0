#include "body/make_skin.h"

#include <algorithm>
#include <limits>

#include "body/contact_skin.h"
#include "core/assert.h"
#include "geometry/mesh/topology.h"
#include "geometry/mesh/used_points.h"

namespace pliant {
namespace {

/// What is slimmer than this keeps contact lengths that are shares of its thickness, not of its
/// extent: a wire of 2 cm would float at 2.5 cm if it is 10 m long. Blocks, balls, bars to 1:20 and
/// plates to 1:38 are not. Why so many: docs/contact.md, "Lengths".
constexpr double slimmest = 40;

/// Of the contact scale: half of the gap that is kept between drawn skins.
constexpr double kept_share = 0.0025;

/// [m] Twice the volume over the area: the thickness of a plate, half the width of a wire, a third
/// of a cube's side. Endless without an inside.
double mean_thickness(const Skin& skin) {
  const TriangleMesh surface{skin.rest, skin.triangles, {}};
  const double inside = volume(surface);
  if (!(inside > 0) || !is_closed(surface)) return std::numeric_limits<double>::infinity();
  return 2 * inside / area(surface);
}

}  // namespace

Skin boundary_skin(const TetMesh& mesh) {
  TriangleMesh surface;
  surface.points = mesh.points;
  surface.triangles = boundary_triangles(mesh);
  Weights weights;
  const double one = 1;
  for (const int node : keep_used_points(surface)) weights.add_row({&node, 1}, {&one, 1});
  return embedded_skin(surface, weights);
}

Skin embedded_skin(const TriangleMesh& surface, const Weights& weights) {
  ASSERT(weights.rows() == int(surface.points.size()), "each vertex is a sum of nodes");
  Skin skin;
  skin.triangles = surface.triangles;
  skin.weights = weights;
  skin.rest = surface.points;
  skin.groups = surface.groups;
  return skin;
}

void set_skin(Body& body, Skin skin, const ContactDetail& detail) {
  ASSERT(skin.weights.rows() == int(skin.rest.size()), "each vertex is a sum of nodes");
  ASSERT(detail.spacing >= 0 && detail.detail > 0, "edges of the contact surface have a length");
  body.extent = bounds(skin.rest).extent().maxCoeff();
  body.contact_scale = std::min(body.extent, slimmest * mean_thickness(skin));
  body.thickness = kept_share * body.contact_scale;
  body.spacing = detail.spacing;
  std::optional<ContactSkin> made;
  if (detail.spacing > 0)
    made = make_contact_skin(skin, detail.spacing / detail.detail, body.contact_scale);
  if (made) {
    body.drawn = std::move(made->drawn);
    body.drawn->skin.weights.pack();
    body.drawn->skin.position = body.drawn->skin.rest;
    body.thickness += body.drawn->outside;  // so that drawn skins do not cross
    skin = std::move(made->touched);
  }
  body.skin = std::move(skin);
  body.skin.weights.pack();
  body.skin.position = body.skin.previous = body.skin.rest;
  body.built_volume = volume(body.drawn_skin());
}

}  // namespace pliant
