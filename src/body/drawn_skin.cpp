#include "body/drawn_skin.h"

#include <algorithm>

#include "core/assert.h"

namespace pliant {
namespace {

/// Per drawn vertex a third of its triangles at rest [m^2].
std::vector<double> rest_areas(const Skin& skin) {
  std::vector<double> area(skin.rest.size(), 0);
  for (const Triangle& t : skin.triangles) {
    const Vec3 edge1 = skin.rest[t[1]] - skin.rest[t[0]], edge2 = skin.rest[t[2]] - skin.rest[t[0]];
    for (const int v : t) area[v] += edge1.cross(edge2).norm() / 6;
  }
  return area;
}

}  // namespace

std::vector<Vec3> carried_to_drawn(const DrawnSkin& drawn, const std::vector<Vec3>& of_contact) {
  ASSERT(of_contact.size() == drawn.vertex.size(), "a value for each contact vertex");
  ASSERT(drawn.place.size() == drawn.skin.rest.size(), "a place for each drawn vertex");
  const std::vector<double> area = rest_areas(drawn.skin);
  std::vector<double> sum(of_contact.size(), 0);
  const auto for_each_share = [&](const auto& work) {
    for (std::size_t v = 0; v < drawn.place.size(); ++v)
      for (int k = 0; k < 3; ++k)
        work(v, drawn.place[v].vertex[k], drawn.place[v].share[k] * area[v]);
  };
  for_each_share([&](std::size_t, int c, double share) { sum[c] += share; });
  std::vector<Vec3> values(drawn.place.size(), Vec3::Zero());
  for_each_share([&](std::size_t v, int c, double share) {
    if (sum[c] > 0) values[v] += share / sum[c] * of_contact[c];
  });
  return values;
}

std::vector<int> contact_vertices_for(const DrawnSkin& drawn, const std::vector<int>& chosen) {
  std::vector<int> contact_vertex(drawn.skin.rest.size(), -1), found;
  for (std::size_t c = 0; c < drawn.vertex.size(); ++c) contact_vertex[drawn.vertex[c]] = int(c);
  for (const int v : chosen)
    if (contact_vertex[v] >= 0) found.push_back(contact_vertex[v]);
  if (found.empty())
    for (const int v : chosen) {
      const DrawnSkin::Place& at = drawn.place[v];
      const auto nearest = std::max_element(at.share.begin(), at.share.end()) - at.share.begin();
      found.push_back(at.vertex[nearest]);
    }
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

}  // namespace pliant
