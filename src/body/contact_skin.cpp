#include "body/contact_skin.h"

#include <algorithm>
#include <cmath>

#include "core/assert.h"
#include "geometry/coarsen/collapse.h"
#include "geometry/coarsen/surface_distance.h"

namespace pliant {
namespace {

// In node spacings: a skin is touched as it is whose triangles are as large as with edges of
// `coarse`; others get edges up to `longest`, and are coarse enough with edges of `enough`. With
// longer edges (1.3, 1.5) the jelly of scenes/seesaw bulges 13 mm over the plank's end between two
// of its edges, and the volume of scenes/pile suffers; finding is cheaper by a fifth to a third.
constexpr double coarse = 2.0 / 3, longest = 1.2, enough = 0.7;

/// How far a contact surface may be from the drawn skin: first the least, and where that leaves it
/// too fine, up to the most.
struct Share {
  double of_spacing, of_scale;
  double length(double spacing, double scale) const {
    return std::min(of_spacing * spacing, of_scale * scale);
  }
};
constexpr Share least_distance{0.05, 0.0025}, most_distance{0.2, 0.01};

/// [m] Edge of the equal-sided triangles of which as many cover the surface.
double edge_by_area(const TriangleMesh& mesh) {
  return std::sqrt(area(mesh) / double(mesh.triangles.size()) * 4 / std::sqrt(3.0));
}

Weights rows_of(const Weights& weights, const std::vector<int>& rows) {
  Weights chosen;
  for (const int row : rows) {
    const std::size_t begin = std::size_t(weights.start[row]);
    const std::size_t count = std::size_t(weights.start[row + 1]) - begin;
    chosen.add_row(std::span(weights.node).subspan(begin, count),
                   std::span(weights.weight).subspan(begin, count));
  }
  return chosen;
}

std::vector<DrawnSkin::Place> places_on(const TriangleMesh& surface,
                                        const std::vector<Vec3>& points) {
  std::vector<DrawnSkin::Place> places;
  for (const SurfacePoint& at : closest_points(surface, Bvh(surface), points)) {
    const Triangle& t = surface.triangles[at.triangle];
    places.push_back({{t[0], t[1], t[2]}, {at.share[0], at.share[1], at.share[2]}});
  }
  return places;
}

}  // namespace

std::optional<ContactSkin> make_contact_skin(Skin& skin, double spacing, double scale) {
  ASSERT(spacing > 0 && skin.weights.rows() == int(skin.rest.size()), "weights for each vertex");
  const TriangleMesh drawn{skin.rest, skin.triangles, {}};
  if (drawn.triangles.empty() || edge_by_area(drawn) >= coarse * spacing) return std::nullopt;
  CollapseLimits limits;
  limits.longest = longest * spacing;
  limits.distance = least_distance.length(spacing, scale);
  limits.most_distance = most_distance.length(spacing, scale);
  limits.thickness = layer_distances(drawn, spacing);
  limits.enough = int(4 / std::sqrt(3.0) * area(drawn) / std::pow(enough * spacing, 2));
  CoarseSurface made = collapse_edges(drawn, limits);
  if (edge_by_area(made.mesh) < 1.2 * edge_by_area(drawn)) return std::nullopt;  // not worth it

  ContactSkin result;
  result.touched.triangles = made.mesh.triangles;
  result.touched.rest = made.mesh.points;
  result.touched.weights = rows_of(skin.weights, made.point);
  const SurfaceDistance apart = surface_distance(drawn, made.mesh);
  result.drawn.outside = apart.outward;
  result.drawn.distance = apart.either;
  result.drawn.place = places_on(made.mesh, skin.rest);
  result.drawn.vertex = std::move(made.point);
  result.drawn.skin = std::move(skin);
  return result;
}

}  // namespace pliant
