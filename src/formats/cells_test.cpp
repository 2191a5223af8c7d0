#include "formats/cells.h"

#include <doctest/doctest.h>
#include <limits>

#include "formats/testing_volume.h"

using namespace pliant;
using namespace pliant::testing;

// Corners of a unit tet, and a point below it.
static CellCollector started(std::vector<std::string>* warnings = nullptr) {
  CellCollector cells("a", 1, warnings);
  cells.take_points({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, -1}});
  return cells;
}

TEST_CASE("the block of the tests conforms") {
  int first = 0;
  CHECK(count_overlapping_faces(block().tets, first) == 0);
  CHECK(volume(block()) == doctest::Approx(2 * 1 * 2.5));
}

TEST_CASE("tets inside out are turned and counted, wherever they are") {
  std::vector<std::string> warnings;
  CellCollector cells = started(&warnings);
  cells.add_tet({1, 2, 3, 4}, 1, {7});
  cells.add_tet({1, 2, 3, 5}, 2, {8, "byte", "the decoded types"});
  const TetMesh mesh = std::get<TetMesh>(cells.finish());
  for (int t = 0; t < 2; ++t) CHECK(volume(mesh, t) == doctest::Approx(1.0 / 6));
  REQUIRE(warnings.size() == 1);
  CHECK(warnings[0] ==
        "a: 1 tets were inside out and have been turned, the first at byte 8 of the decoded types");
}

TEST_CASE("faces with three tets and tets that are there twice are counted as overlaps") {
  std::vector<std::string> warnings;
  CellCollector cells = started(&warnings);
  cells.add_point({0.2, 0.2, 2}, 6, {1});
  cells.add_tet({1, 3, 2, 5}, 1, {1});
  cells.add_tet({1, 2, 3, 4}, 2, {2});
  CHECK(std::get<TetMesh>(CellCollector(cells).finish()).tets.size() == 2);
  CHECK(warnings.empty());
  cells.add_tet({1, 2, 3, 6}, 3, {3});
  CellCollector(cells).finish();
  REQUIRE(warnings.size() == 1);
  CHECK(has(warnings[0], "a: 1 faces have more than one tet on the same side"));
  CHECK(has(warnings[0], "the tet in place 2 of 3"));

  int first = 0;
  CHECK(count_overlapping_faces({{0, 1, 2, 3}, {0, 1, 2, 3}}, first) == 4);
  CHECK(first == 0);
  CHECK(count_overlapping_faces({{0, 1, 2, 3}, {0, 2, 1, 4}, {0, 1, 2, 5}, {0, 2, 1, 6}}, first) ==
        1);
}

TEST_CASE("all problems of points and cells are thrown together") {
  CellCollector cells = started();
  cells.add_point({0, std::numeric_limits<double>::infinity(), 0}, 6, {2});
  cells.add_tet({1, 2, 3, 7}, 1, {3});
  cells.add_tet({0, 1, 2, 3}, 2, {4});
  cells.add_tet({1, 2, 3, std::numeric_limits<std::int64_t>::max()}, 3, {5});
  cells.add_tet({1, 2, 3, std::numeric_limits<std::int64_t>::min()}, 4, {6});
  cells.add_tet({1, 2, 3, 3}, 5, {7});
  cells.add_tet({6, 2, 3, 4}, 6, {8});  // its point is the problem
  cells.add_triangle({1, 2, 9}, 7, {9});
  const std::string text = refusal([&] { cells.finish(); });
  CHECK(has(text, "a: line 2 gives point 6 the coordinate inf; it must be a finite number"));
  CHECK(has(text, "a: line 3 gives tet 1 the point \"7\"; points are numbered 1 to 6"));
  CHECK(has(text, "line 4 gives tet 2 the point \"0\""));
  CHECK(has(text, "line 5 gives tet 3 the point \"9223372036854775807\""));
  CHECK(has(text, "line 6 gives tet 4 the point \"-9223372036854775808\""));
  CHECK(has(text, "line 7 gives tet 5 no volume"));
  CHECK(!has(text, "line 8"));
  CHECK(has(text, "line 9 gives triangle 7 the point \"9\""));
}

TEST_CASE("without tets the triangles are the surface, without any there is none") {
  std::vector<std::string> warnings;
  CellCollector cells = started(&warnings);
  CHECK(has(refusal([&] { CellCollector(cells).finish(); }), "has no tets and no triangles"));
  cells.add_triangle({1, 2, 3}, 1, {1});
  cells.add_triangle({1, 2, 2}, 2, {2});
  cells.skip({3});
  cells.skip({4}, 5);
  const TriangleMesh mesh = std::get<TriangleMesh>(CellCollector(cells).finish());
  CHECK(mesh.triangles == std::vector<Triangle>{{0, 1, 2}});
  REQUIRE(warnings.size() == 2);
  CHECK(has(warnings[0], "6 cells are neither tets nor triangles and were left out"));
  CHECK(has(warnings[0], "on line 3"));
  CHECK(has(warnings[1], "1 triangles have fewer than three different corners"));
  cells.add_tet({1, 2, 3, 4}, 3, {3});
  CHECK(std::holds_alternative<TetMesh>(cells.finish()));
}

TEST_CASE("the corners of a piece count from its first point") {
  CellCollector cells("a", 0, nullptr);
  for (int piece = 0; piece < 2; ++piece) {
    cells.begin_piece();
    for (const Vec3& p : {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, 1)})
      cells.add_point(p, 0, {1});
    cells.add_tet({0, 1, 2, 3}, 0, {1});
  }
  CHECK(std::get<TetMesh>(CellCollector(cells).finish()).tets ==
        std::vector<Tet>{{0, 1, 2, 3}, {4, 5, 6, 7}});
  cells.add_tet({0, 1, 2, 4}, 9, {1});
  CHECK(has(refusal([&] { cells.finish(); }), "tet 9 the point \"4\"; points are numbered 0 to 3"));
}
