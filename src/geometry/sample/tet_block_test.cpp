#include "geometry/sample/tet_block.h"

#include <doctest/doctest.h>

#include "geometry/mesh/topology.h"
#include "geometry/sample/five_tets.h"

using namespace pliant;

TEST_CASE("five tets fill a cube, all of positive volume, in both mirror images") {
  for (const bool odd : {false, true}) {
    TetMesh cube;
    for (int c = 0; c < 8; ++c) cube.points.push_back(cube_corner(c).cast<double>());
    for (const Tet& t : five_tets(odd)) cube.tets.push_back(t);
    for (int t = 0; t < 4; ++t) CHECK(volume(cube, t) == doctest::Approx(1.0 / 6));
    CHECK(volume(cube, 4) == doctest::Approx(1.0 / 3));
    CHECK(boundary_triangles(cube).size() == 12);
  }
}

TEST_CASE("a block is full, its tets are positive and fit together") {
  const TetMesh block = tet_block({4, 3, 2}, {0.8, 0.2, 0.5});
  CHECK(block.points.size() == 5 * 4 * 3);
  CHECK(block.tets.size() == 5 * 4 * 3 * 2);
  CHECK(volume(block) == doctest::Approx(0.08));
  for (int t = 0; t < int(block.tets.size()); ++t) CHECK(volume(block, t) > 0);
  CHECK(block.points[4] == Vec3(0.8, 0, 0));
  // Only the outer faces are left over: two triangles for each outer square.
  CHECK(boundary_triangles(block).size() == 2 * 2 * (4 * 3 + 3 * 2 + 2 * 4));
  TriangleMesh skin;
  skin.points = block.points;
  skin.triangles = boundary_triangles(block);
  CHECK(is_closed(skin));
  CHECK(volume(skin) == doctest::Approx(0.08));
}

TEST_CASE("in a block, nodes with even i + j + k are cut off and odd ones carry the middle tets") {
  const TetMesh block = tet_block({3, 3, 3}, {3, 3, 3});
  for (std::size_t t = 0; t < block.tets.size(); ++t) {
    int odd = 0;
    for (const int p : block.tets[t]) odd += int(std::lround(block.points[p].sum())) % 2;
    CHECK(odd == (t % 5 == 4 ? 4 : 3));
  }
}
