#include "body/skin.h"

#include "core/assert.h"

namespace pliant {

double mean_edge(const Skin& skin) {
  ASSERT(skin.triangles.empty() || !skin.rest.empty(), "edges are measured at rest");
  double sum = 0;
  for (const Triangle& t : skin.triangles)
    for (int k = 0; k < 3; ++k) sum += (skin.rest[t[k]] - skin.rest[t[(k + 1) % 3]]).norm();
  return skin.triangles.empty() ? 0 : sum / (3.0 * double(skin.triangles.size()));
}

double volume(const Skin& skin) {
  if (skin.position.empty()) return 0;
  const Vec3 origin = skin.position[0];  // near the body, so that few digits cancel
  double sixfold = 0;
  for (const Triangle& t : skin.triangles)
    sixfold += (skin.position[t[0]] - origin)
                   .dot((skin.position[t[1]] - origin).cross(skin.position[t[2]] - origin));
  return sixfold / 6;
}

}  // namespace pliant
