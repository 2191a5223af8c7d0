#include "body/skin.h"

#include "body/built_place.h"
#include "core/assert.h"

namespace pliant {

Vec3 built_place(const Skin& skin, int vertex) {
  if (skin.provenance.empty()) return skin.rest[vertex];
  const Origin& origin = skin.provenance.origin[vertex];
  if (origin.triangle < 0) return skin.position[vertex];
  const TriangleMesh& given = *skin.provenance.given;
  const Triangle& t = given.triangles[origin.triangle];
  const Vec3 weights = origin.weights();
  return weights[0] * given.points[t[0]] + weights[1] * given.points[t[1]] +
         weights[2] * given.points[t[2]];
}

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
