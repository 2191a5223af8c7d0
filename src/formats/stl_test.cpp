#include "formats/stl.h"

#include <doctest/doctest.h>

#include "formats/bytes.h"
#include "formats/testing.h"

using namespace pliant;
using namespace pliant::testing;

static std::string binary(const std::vector<float>& corners, std::string head = "solid of lies") {
  head.resize(80, ' ');
  put(head, std::uint32_t(corners.size() / 9));
  for (std::size_t i = 0; i < corners.size(); ++i) {
    if (i % 9 == 0)
      for (int k = 0; k < 3; ++k) put(head, 0.0f);
    put(head, corners[i]);
    if (i % 9 == 8) put(head, std::uint16_t(0));
  }
  return head;
}

static const std::vector<float> two = {0, 0, 0, 1, 0, 0, 1, 1, 0, 1, 1, 0, 0, 1, 0, -0.0f, 0, 0};
static const std::string text =
    "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 1 1 "
    "0\nendloop\nendfacet\n"
    "FACET NORMAL 0 0 1\nOUTER LOOP\nVERTEX 1 1 0\nVERTEX 0 1 0\nVertex -0 0 0\nENDLOOP\nENDFACET\n"
    "endsolid a\n";

static std::string refused(const std::string& bytes) {
  return refusal([&] { parse_stl(bytes, "a.stl"); });
}

TEST_CASE("text and binary give the same surface, equal corners being one point") {
  for (const std::string& bytes : {binary(two), text}) {
    const TriangleMesh mesh = parse_stl(bytes, "a");
    CHECK(mesh.points == std::vector<Vec3>{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}});
    CHECK(mesh.triangles == std::vector<Triangle>{{0, 1, 2}, {2, 3, 0}});
  }
}

TEST_CASE("triangles with equal corners are skipped and counted") {
  std::vector<float> corners = two;
  for (int i = 0; i < 9; ++i) corners.push_back(float(i / 6));
  std::vector<std::string> warnings;
  CHECK(parse_stl(binary(corners), "a", &warnings).triangles.size() == 2);
  REQUIRE(warnings.size() == 1);
  CHECK(has(warnings[0], "1 triangles with equal corners were skipped, the first is number 3"));
}

TEST_CASE("a text file may hold several solids, end without endsolid, or end in a facet") {
  std::vector<std::string> warnings;
  CHECK(parse_stl(text + text, "a", &warnings).triangles.size() == 4);
  CHECK(parse_stl(text.substr(0, text.find("endsolid")), "a", &warnings).triangles.size() == 2);
  CHECK(warnings.empty());
  CHECK(parse_stl(text.substr(0, text.find("VERTEX 0")), "a", &warnings).triangles.size() == 1);
  REQUIRE(warnings.size() == 1);
  CHECK(has(warnings[0], "ends inside a facet; 1 triangles"));
}

TEST_CASE("bad STL files are refused with line or byte") {
  using namespace std::string_literals;
  CHECK(has(refused(""), "empty file"));
  CHECK(has(refused("solid\nendsolid\n"), "no surface"));
  CHECK(has(refused("solid\nvertex 0 nan 0\n"), "a.stl: line 2 has the coordinate \"nan\""));
  CHECK(has(refused("solid\nvertex 0 1\n"), "a.stl: line 2 has only 2 of 3"));
  CHECK(
      has(refused("solid\nvertex 0 1 2\nendloop\n"), "a.stl: line 3 ends a facet with 1 corners"));
  std::vector<float> corners = two;
  corners[4] = std::numeric_limits<float>::infinity();
  CHECK(has(refused(binary(corners)), "a.stl: byte 108 gives triangle 1"));
  CHECK(has(refused(binary({})), "no surface"));
  std::string promise = binary(two);
  promise[83] = char(0xEE);
  CHECK(has(refused(promise), "promises 39929"));
  CHECK(has(refused(std::string(80, ' ') + "\xFF\xFF\xFF\xFF" + std::string(200, 'x')),
            "promises 4294967295"));
  CHECK(has(refused("\0\1\2"s), "not a text file"));
}

TEST_CASE("bytes after the last binary triangle are left out with a warning") {
  std::vector<std::string> warnings;
  CHECK(parse_stl(binary(two) + std::string(7, '\0'), "a", &warnings).triangles.size() == 2);
  REQUIRE(warnings.size() == 1);
  CHECK(has(warnings[0], "7 bytes"));
}

TEST_CASE("every prefix of an STL file gives a mesh or a refusal") {
  for (const std::string& bytes : {binary(two), binary(two, "x"), text})
    for (std::size_t n = 0; n <= bytes.size(); ++n) refused(bytes.substr(0, n));
}
