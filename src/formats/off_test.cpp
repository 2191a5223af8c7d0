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

TEST_CASE("OFF and XYZ: prefixes and mutations are refused or read, never worse") {
  std::string whole =
      "OFF\n5 6 0\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n0.5 0.5 1\n4 3 2 1 0\n3 0 1 4\n3 1 2 4\n";
  whole += "3 2 3 4\n3 3 0 4\n3 0 0 1\n";
  CHECK(parse_off(whole, "a.off").triangles.size() == 6);
  const auto survives = [](const std::string& text) {
    refusal([&] { parse_off(text, "a.off"); });
    refusal([&] { parse_xyz(text, "a.xyz"); });
  };
  for (std::size_t size = 0; size < whole.size(); ++size) survives(whole.substr(0, size));
  for (std::uint64_t i = 0; i < 3000; ++i) {
    std::string changed = whole;
    for (std::uint64_t k = 0; k < 3; ++k)
      changed[random_bits(1, 5 * i + k) % changed.size()] =
          "0123456789 -.e\n#OFNC\0x"[random_bits(2, 5 * i + k) % 22];
    survives(changed);
  }
}

TEST_CASE("XYZ: three numbers a line, more are passed over, so is a count in front") {
  CHECK(parse_xyz("0 0 0\n1 2 3 255 0 0\n# end\n", "a.xyz").size() == 2);
  CHECK(parse_xyz("2\n0 0 0\n1 2 3\n", "a.pts")[1] == Vec3(1, 2, 3));
  CHECK(has(refusal([] { parse_xyz("0 0 0\n1 2\n", "a.xyz"); }), "line 2"));
  CHECK(has(refusal([] { parse_xyz("0 0 0\nC 1 2 3\n", "a.xyz"); }), "\"C\""));
  CHECK(has(refusal([] { parse_xyz("# nothing\n", "a.xyz"); }), "no points"));
}
