#include "geometry/mesh/tet_mesh.h"

#include <doctest/doctest.h>

#include "geometry/mesh/topology.h"

using namespace pliant;

namespace {

// Two tets that share the face 1 2 3.
TetMesh pair() {
  TetMesh mesh;
  mesh.points = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}};
  mesh.tets = {{0, 1, 2, 3}, {4, 3, 2, 1}};
  return mesh;
}

double volume_within(const TetMesh& mesh) {
  TriangleMesh skin;
  skin.points = mesh.points;
  skin.triangles = boundary_triangles(mesh);
  CHECK(is_closed(skin));
  CHECK(is_oriented(skin));
  return volume(skin);
}

}  // namespace

TEST_CASE("the boundary of tets encloses their volume and leaves shared faces out") {
  const TetMesh mesh = pair();
  CHECK(volume(mesh, 0) == doctest::Approx(1.0 / 6));
  CHECK(volume(mesh, 1) == doctest::Approx(1.0 / 3));
  CHECK(boundary_triangles(mesh).size() == 6);
  CHECK(volume_within(mesh) == doctest::Approx(volume(mesh)));
}

TEST_CASE("the boundary faces outwards even where a tet is inside out") {
  TetMesh mesh = pair();
  std::swap(mesh.tets[1][0], mesh.tets[1][1]);
  CHECK(volume(mesh, 1) < 0);
  CHECK(volume_within(mesh) == doctest::Approx(0.5));
}
