#include "formats/off.h"

#include <doctest/doctest.h>

#include "formats/testing.h"

using namespace pliant;
using testing::has;
using testing::refusal;

TEST_CASE(
    "OFF: counts with and without the keyword, comments, polygons, columns that are passed over") {
  const char* const square = "4 1 0\n0 0 0\n1 0 0 # corner\n\n1 1 0\n0 1 0\n4 0 1 2 3 255 0 0\n";
  for (const std::string head :
       {"OFF\n", "OFF ", "", "# made by hand\nOFF\n", "COFF\n", "STCNOFF\n"}) {
    Faces faces;
    const TriangleMesh mesh = parse_off(head + square, "a.off", nullptr, &faces);
    CHECK(mesh.points.size() == 4);
    CHECK(mesh.triangles.size() == 2);
    CHECK(faces.size() == 1);
    CHECK(area(mesh) == doctest::Approx(1));
  }
}

TEST_CASE("OFF: what is wrong is told with its line, before memory is taken") {
  const auto told = [](const std::string& text) {
    return refusal([&] { parse_off(text, "a.off"); });
  };
  CHECK(has(told("OFF\n4000000000 1 0\n"), "promises"));
  CHECK(has(told("OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 7\n"), "line 6"));
  CHECK(has(told("OFF\n3 1 0\n0 0 0\n1 nan 0\n0 1 0\n3 0 1 2\n"), "line 4"));
  CHECK(has(told("OFF\n3 1 0\n0 0 0\n1 0 0\n"), "ends too early"));
  CHECK(has(told("OFF BINARY\n3 1 0\n"), "BINARY"));
  CHECK(has(told("OFF\nmany few 0\n"), "line 2"));
  CHECK(has(told("OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n99999999999 0\n"), "line 6"));
  CHECK(has(told("OFF\n3 0 0\n0 0 0\n1 0 0\n0 1 0\n"), "no faces"));
  CHECK(!told("").empty());
}

TEST_CASE("XYZ: three numbers a line, more are passed over, so is a count in front") {
  CHECK(parse_xyz("0 0 0\n1 2 3 255 0 0\n# end\n", "a.xyz").size() == 2);
  CHECK(parse_xyz("2\n0 0 0\n1 2 3\n", "a.pts")[1] == Vec3(1, 2, 3));
  CHECK(has(refusal([] { parse_xyz("0 0 0\n1 2\n", "a.xyz"); }), "line 2"));
  CHECK(has(refusal([] { parse_xyz("0 0 0\nC 1 2 3\n", "a.xyz"); }), "\"C\""));
  CHECK(has(refusal([] { parse_xyz("# nothing\n", "a.xyz"); }), "no points"));
}
