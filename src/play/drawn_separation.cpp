#include "play/drawn_separation.h"

#include <algorithm>

#include "geometry/mesh/topology.h"
#include "geometry/query/penetration.h"

namespace pliant {
namespace {

TriangleMesh surface_of(const Skin& skin, const std::vector<Vec3>& points) {
  return {points, skin.triangles, {}};
}

/// Whether its drawn vertices may move without anything else doing so.
bool gives_way(const Body& body) { return body.drawn && body.deforms && !body.control_net; }

/// Moves a body's drawn vertices out of another one.
void leave(Body& body, const Body& other) {
  if (!gives_way(body)) return;
  const Skin& asked = other.drawn_skin();
  const TriangleMesh surface = surface_of(asked, asked.position);
  if (!is_closed(surface)) return;
  std::vector<Vec3>& points = body.drawn->skin.position;
  for (const auto& [point, exit, depth] : points_inside(points, surface))
    points[std::size_t(point)] = exit;
}

}  // namespace

bool DrawnSeparation::cross_as_built(const World& world, std::size_t one, std::size_t other) {
  const auto [known, is_new] = cross_as_built_.try_emplace({one, other}, false);
  if (is_new) {
    const Skin &a = world.bodies[one].drawn_skin(), &b = world.bodies[other].drawn_skin();
    known->second = deepest_inside(a.rest, surface_of(b, b.rest)) > 0 ||
                    deepest_inside(b.rest, surface_of(a, a.rest)) > 0;
  }
  return known->second;
}

void DrawnSeparation::apply(World& world) {
  std::vector<Body>& bodies = world.bodies;
  if (world.contact.settings.touch == Touches::colliders) return;
  std::vector<Box> boxes;
  for (const Body& body : bodies) boxes.push_back(bounds(body.drawn_skin().position));
  for (std::size_t a = 0; a < bodies.size(); ++a)
    for (std::size_t b = a + 1; b < bodies.size(); ++b) {
      if (!boxes[a].overlaps(boxes[b]) || !(gives_way(bodies[a]) || gives_way(bodies[b]))) continue;
      if (cross_as_built(world, a, b)) continue;
      leave(bodies[a], bodies[b]);
      leave(bodies[b], bodies[a]);
    }
}

}  // namespace pliant
