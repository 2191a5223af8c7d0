#include "body/make_skin.h"

namespace pliant {

Skin boundary_skin(const TetMesh& mesh) {
  Skin skin;
  skin.triangles = boundary_triangles(mesh);
  std::vector<int> number(mesh.points.size(), -1);
  for (const Triangle& t : skin.triangles)
    for (const int corner : t) number[corner] = 0;
  for (int node = 0; node < int(number.size()); ++node) {
    if (number[node] < 0) continue;
    number[node] = int(skin.rest.size());
    skin.rest.push_back(mesh.points[node]);
    const double one = 1;
    skin.weights.add_row({&node, 1}, {&one, 1});
  }
  for (Triangle& t : skin.triangles)
    for (int& corner : t) corner = number[corner];
  return skin;
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
