#include "body/make_skin.h"

#include "geometry/mesh/used_points.h"

namespace pliant {

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
  Skin skin;
  skin.triangles = surface.triangles;
  skin.weights = weights;
  skin.rest = surface.points;
  skin.groups = surface.groups;
  return skin;
}

void put_on(Body& body, Skin skin) {
  body.skin = std::move(skin);
  body.skin.position = body.skin.previous = body.skin.rest;
  body.size = bounds(body.skin.rest).extent().maxCoeff();
  body.thickness = 0.0025 * body.size;
}

}  // namespace pliant
