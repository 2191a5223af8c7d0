#include "formats/tetgen.h"

#include <doctest/doctest.h>

#include "core/files.h"
#include "formats/testing.h"

using namespace pliant;
using namespace pliant::testing;

static const std::string nodes0 = "# tet\n4 3 0 0\n0 0 0 0\n1 1 0 0\n2 0 1 0\n3 0 0 1\n";
static const std::string nodes1 =
    "4 3 1 1\n1 0 0 0 0.5 7\n2 1 0 0 0.5 7\n\n3 0 1 0 0 0 # c\n4 0 0 1 0 0\n";

static std::string refused(const std::string& node, const std::string& ele) {
  return refusal([&] { parse_tetgen(node, "a.node", ele, "a.ele"); });
}

TEST_CASE("points and tets may be numbered from 0 or 1, with attributes and markers") {
  const TetMesh zero = parse_tetgen(nodes0, "n", "1 4 0\n0 0 1 2 3\n", "e");
  const TetMesh one = parse_tetgen(nodes1, "n", "# h\r\n1 4 1\r\n1  1 2 3 4  99\r\n", "e");
  const TetMesh mixed = parse_tetgen(nodes0, "n", "1 4 0\n1 0 1 2 3\n", "e");
  CHECK(zero.points == one.points);
  CHECK(zero.tets == std::vector<Tet>{{0, 1, 2, 3}});
  CHECK(one.tets == zero.tets);
  CHECK(mixed.tets == zero.tets);
}

TEST_CASE("of tets with ten nodes the corners are taken") {
  CHECK(parse_tetgen(nodes0, "n", "1 10 0\n0 0 1 2 3 9 9 9 9 9 9\n", "e").tets ==
        std::vector<Tet>{{0, 1, 2, 3}});
}

TEST_CASE("tets inside out are turned and counted") {
  std::vector<std::string> warnings;
  const std::string nodes = "5 3\n0 0 0 0\n1 1 0 0\n2 0 1 0\n3 0 0 1\n4 0 0 -1\n";
  const TetMesh mesh = parse_tetgen(nodes, "n", "2 4 0\n0 0 1 2 3\n1 0 1 2 4\n", "e", &warnings);
  for (int t = 0; t < 2; ++t) CHECK(volume(mesh, t) == doctest::Approx(1.0 / 6));
  REQUIRE(warnings.size() == 1);
  CHECK(has(warnings[0], "1 tets were inside out"));
  CHECK(has(warnings[0], "line 3"));
}

TEST_CASE("tets that lie in each other are read with a warning") {
  std::vector<std::string> warnings;
  parse_tetgen(nodes0, "n", "2 4 0\n0 0 1 2 3\n1 0 1 2 3\n", "e", &warnings);
  REQUIRE(warnings.size() == 1);
  CHECK(has(warnings[0], "e: 4 faces have more than one tet on the same side"));
}

TEST_CASE("tets without volume are refused with their index, at any scale") {
  CHECK(has(refused(nodes0, "1 4 0\n0 0 1 2 2\n"), "a.ele: line 2 gives tet 0 no volume"));
  CHECK(has(refused("4 3\n0 0 0 0\n1 .1 0 .1\n2 0 .1 .1\n3 .3 .7 1.0\n", "1 4\n0 0 1 2 3\n"),
            "no volume"));
  CHECK(refused("4 3\n0 0 0 0\n1 1e-9 0 0\n2 0 1e-9 0\n3 0 0 1e-9\n", "1 4\n0 0 1 2 3\n").empty());
}

TEST_CASE("what does not fit is refused with file and line") {
  CHECK(has(refused(nodes0, "1 4 0\n0 0 1 2 4\n"), "a.ele: line 2 gives tet 0 the point \"4\""));
  CHECK(has(refused(nodes1, "1 4 0\n1 0 1 2 3\n"), "the point \"0\"; points are numbered 1 to 4"));
  CHECK(
      has(refused(nodes0, "2 4 0\n0 0 1 2 3\n"), "a.ele: line 2 is the last, but only 1 of the 2"));
  CHECK(has(refused(nodes0, "1 4 0\n0 0 1 2 3\n1 0 1 2 3\n"),
            "a.ele: line 3 comes after the 1 tets"));
  CHECK(has(refused(nodes0, "1 4 0\n0 0 1 2\n"), "a.ele: line 2 gives tet 0 only 3 of 4 points"));
  CHECK(has(refused(nodes0, "1 5 0\n0 0 1 2 3\n"), "a.ele: line 1 says 5 nodes per tet"));
  CHECK(has(refused(nodes0, "1 4 0\n7 0 1 2 3\n"), "line 2 starts at 7"));
  CHECK(has(refused(nodes0, "2 4 0\n0 0 1 2 3\n5 0 1 2 3\n"),
            "line 3 has number 5 where 1 comes next"));
  CHECK(has(refused(nodes0, "0 4 0\n"), "a.ele: has no tets"));
  CHECK(has(refused(nodes0, ""), "a.ele: is an empty file"));
  CHECK(has(refused("# only\n", "1 4 0\n"), "a.node: has no header"));
  CHECK(has(refused("4 2\n0 0 0\n1 1 0\n2 0 1\n3 1 1\n", "x"), "a.node: line 1 says dimension 2"));
  CHECK(has(refused("x\n", "x"), "a.node: line 1 starts with \"x\""));
  CHECK(has(refused("-4 3\n", "x"), "number of points"));
  CHECK(
      has(refused("1 3\n0 0 nan 0\n", "x"), "a.node: line 2 gives point 0 the coordinate \"nan\""));
  CHECK(has(refused("1 3\n0 0 0\n", "x"), "a.node: line 2 gives point 0 only 2"));
  CHECK(has(refused("4000000000 3 0 0\n0 0 0 0\n", "x"),
            "promises 4000000000 points, but only 8 bytes"));
}

TEST_CASE("either file of a pair may be named, and a missing partner is missed") {
  const TemporaryFolder folder;
  write_file(folder / "a.node", nodes0);
  CHECK(has(refusal([&] { read_tetgen(folder / "a.node"); }), "a.ele does not exist"));
  CHECK(!refusal([&] { read_tetgen(folder / "a.ele"); }).empty());
  write_file(folder / "a.ele", "1 4 0\n0 0 1 2 3\n");
  CHECK(read_tetgen(folder / "a.node").tets.size() == 1);
  CHECK(read_tetgen(folder / "a.ele").points.size() == 4);
}

TEST_CASE("every prefix of a pair gives tets or a refusal") {
  const std::string tets = "2 4 1\n1 1 2 3 4 1.5\n2 1 3 2 4 1.5\n";
  for (std::size_t n = 0; n <= nodes1.size(); ++n) refused(nodes1.substr(0, n), tets);
  for (std::size_t n = 0; n <= tets.size(); ++n) refused(nodes1, tets.substr(0, n));
}
