#include "body/pressed_skin.h"

#include <algorithm>

#include "core/assert.h"

namespace pliant {
namespace {

/// [m] How high a point is over a place on a surface, along the face's normal, which is returned
/// too.
double height_over(const DrawnSkin::Place& place, const std::vector<Vec3>& surface, const Vec3& p,
                   Vec3& normal) {
  const auto [i, j, k] = place.vertex;
  const auto [a, b, c] = place.share;
  normal = (surface[j] - surface[i]).cross(surface[k] - surface[i]).stableNormalized();
  return normal.dot(p - a * surface[i] - b * surface[j] - c * surface[k]);
}

}  // namespace

void keep_on_contact_surface(DrawnSkin& drawn, const Skin& contact,
                             const std::vector<bool>& is_touched) {
  ASSERT(is_touched.size() == contact.position.size(), "known of each contact vertex");
  ASSERT(drawn.place.size() == drawn.skin.position.size(), "a place for each drawn vertex");
  Vec3 normal;
  for (std::size_t v = 0; v < drawn.place.size(); ++v) {
    const DrawnSkin::Place& place = drawn.place[v];
    const auto is_pressed = [&](int c) { return is_touched[std::size_t(c)]; };
    if (std::none_of(place.vertex.begin(), place.vertex.end(), is_pressed)) continue;
    const double at_rest = height_over(place, contact.rest, drawn.skin.rest[v], normal);
    Vec3& p = drawn.skin.position[v];
    const double above = height_over(place, contact.position, p, normal) - std::max(at_rest, 0.0);
    if (above > 0) p -= above * normal;
  }
}

}  // namespace pliant
