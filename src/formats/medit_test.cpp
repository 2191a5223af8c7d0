#include "formats/medit.h"

#include <cstdlib>
#include <doctest/doctest.h>

#include "core/files.h"
#include "formats/formats.h"
#include "formats/testing_volume.h"

using namespace pliant;
using namespace pliant::testing;

static std::string vertices(const TetMesh& mesh) {
  std::string text = fmt::format("Vertices\n{}\n", mesh.points.size());
  for (const Vec3& p : mesh.points) text += fmt::format("{} {} {} 0\n", p[0], p[1], p[2]);
  return text;
}

static std::string tetrahedra(const TetMesh& mesh) {
  std::string text = fmt::format("Tetrahedra\n{}\n", mesh.tets.size());
  for (const Tet& t : mesh.tets)
    text += fmt::format("{} {} {} {} 7\n", t[0] + 1, t[1] + 1, t[2] + 1, t[3] + 1);
  return text;
}

static const std::string head = "MeshVersionFormatted 2\nDimension 3\n";
static const std::string points4 = "Vertices 4\n0 0 0 0\n1 0 0 0\n0 1 0 0\n0 0 1 0\n";

static std::string refused(const std::string& text) {
  return refusal([&] { parse_medit(text, "a"); });
}

TEST_CASE("a Medit file gives its tets, in any order, case and spacing") {
  const TetMesh mesh = block();
  const std::string points = vertices(mesh), tets = tetrahedra(mesh);
  const std::string triangles = "Triangles\n1\n1 2 3 0\n", edges = "Edges\n2\n1 2 0\n2 3 0\n";
  check_is_block(parse_medit, head + points + triangles + tets + edges + "End\n");
  check_is_block(parse_medit, head + tets + edges + points);
  std::string shouted = head + points + tets + "\nEND after this nothing counts: Vertices\n";
  for (char& c : shouted)
    if (c >= 'a' && c <= 'z') c = char(c - 32);
  check_is_block(parse_medit, shouted);
  std::string one_line = head + points + "# comment\n" + tets;
  one_line.replace(one_line.find("# comment\n"), 10, "");
  for (char& c : one_line)
    if (c == '\n') c = '\t';
  check_is_block(parse_medit, one_line);
  check_is_block(parse_medit,
                 "# made by hand\r\nMeshVersionFormatted\r\n1\r\nDimension\r\n3 #2\r\n" + points +
                     "#Tetrahedra 3\n\n" + tets + "RequiredEdges 1\n1\n");
}

TEST_CASE("Medit triangles are read when there are no tets") {
  const std::string text = head + points4 + "Triangles 2 1 3 2 0\n1 2 4 0\n";
  const TriangleMesh mesh = std::get<TriangleMesh>(parse_medit(text, "a"));
  CHECK(mesh.triangles == std::vector<Triangle>{{0, 2, 1}, {0, 1, 3}});
  CHECK(mesh.points.size() == 4);
  CHECK(parse_medit(text + "Tetrahedra 0\n", "a").index() == 1);
  CHECK(parse_medit(text + "Tetrahedra 1\n1 2 3 4 0\n", "a").index() == 0);
}

TEST_CASE("other Medit cells are counted in one warning") {
  std::vector<std::string> warnings;
  parse_medit(head + points4 +
                  "Tetrahedra 1 1 2 3 4 0\nHexahedra 2\n1 2 3 4 1 2 3 4 0\n"
                  "1 2 3 4 1 2 3 4 0\nQuadrilaterals 1 1 2 3 4 0\n",
              "a", &warnings);
  REQUIRE(warnings.size() == 1);
  CHECK(has(warnings[0], "3 cells are neither tets nor triangles and were left out"));
}

TEST_CASE("what is wrong with a Medit file is said with its line") {
  const std::string tet = "Tetrahedra 1\n1 2 3 4 0\n";
  CHECK(has(refused(""), "is an empty file"));
  CHECK(has(refused("solid x"), "line 1 starts with \"solid\""));
  CHECK(has(refused("MeshVersionFormatted 1\nDimension\n2\n"), "line 3 says dimension 2"));
  CHECK(has(refused(head + tet), "has no section Vertices"));
  CHECK(has(refused(head + points4), "has no tets and no triangles"));
  CHECK(
      has(refused(head + points4 + points4 + tet), "line 8 starts a second section \"Vertices\""));
  CHECK(has(refused(head + "Vertices\n1\n0 nan 0 0\n" + tet),
            "line 5 gives point 1 the coordinate nan"));
  CHECK(has(refused(head + "Vertices\n1\n0 x 0 0\n" + tet), "line 5 has \"x\" where a coordinate"));
  CHECK(has(refused(head + "Vertices\n1000000\n0 0 0 0\n"), "line 4 promises 1000000 points"));
  CHECK(has(refused(head + "Vertices\n-1\n0 0 0 0\n"), "line 4 promises -1 points"));
  CHECK(has(refused(head + "Vertices 2\n0 0 0 0\n0 0 0       \n"),
            "line 6 is where the file ends too early, before the reference of a point"));
  CHECK(has(refused(head + points4 + "Tetrahedra 99\n1 2 3 4 0\n"), "line 8 promises 99 tets"));
  CHECK(has(refused(head + points4 + "Tetrahedra 1\n1 2 3 5 0\n"),
            "line 9 gives tet 1 the point \"5\"; points are numbered 1 to 4"));
  CHECK(has(refused(head + points4 + "Tetrahedra 1\n1 2 3 1.5 0\n"), "line 9 has \"1.5\" where"));
  CHECK(has(refused(head + points4 + "Tetrahedra 1\n1 2 3 3 0\n"), "line 9 gives tet 1 no volume"));
}

TEST_CASE("a broken Medit file never does harm") {
  check_survives(parse_medit, head + vertices(block()) + tetrahedra(block()) + "End\n");
}

TEST_CASE("the Medit beams we keep are read") {
  const char* const given = std::getenv("PLIANT_MODELS");
  const std::filesystem::path models = given ? given : "../shared/models";
  for (const char* name : {"tets/vem_beam_tet1.mesh", "tets/vem_beam_tet2.mesh"}) {
    std::error_code ignored;
    if (!std::filesystem::exists(models / name, ignored)) {
      MESSAGE("no model " << name << " here; set PLIANT_MODELS");
      continue;
    }
    const Model model = read_model(models / name);
    REQUIRE(model.tets);
    CHECK(volume(*model.tets) == doctest::Approx(5));  // 5 x 1 x 1
    CHECK(model.warnings.empty());
  }
}
