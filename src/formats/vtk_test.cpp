#include "formats/vtk.h"

#include <doctest/doctest.h>

#include "formats/testing_volume.h"

using namespace pliant;
using namespace pliant::testing;

// Writes numbers as words or as bytes, as a legacy file has them.
class Numbers {
 public:
  explicit Numbers(bool binary) : binary_(binary) {}
  std::string text;

  template <class T>
  void add(T value) {
    if (binary_) put(text, value, std::endian::big);
    else text += fmt::format("{} ", value);
  }

 private:
  bool binary_;
};

struct Variant {
  bool binary = false;
  bool version_5 = false;
  bool ten = false;      // nodes per tet
  bool doubles = false;  // coordinates
};

static std::string written(const TetMesh& mesh, const Variant& v) {
  Numbers out(v.binary);
  out.text = fmt::format("# vtk DataFile Version {}\nany title\n{}\nDATASET UNSTRUCTURED_GRID\n",
                         v.version_5 ? "5.1" : "3.0", v.binary ? "BINARY" : "ASCII");
  out.text += "FIELD FieldData 1\nTIME 1 2 double\n";
  for (int i = 0; i < 2; ++i) out.add(0.5);
  out.text += fmt::format("\nPOINTS {} {}\n", mesh.points.size(), v.doubles ? "double" : "float");
  for (const Vec3& p : mesh.points)
    for (const double x : p) v.doubles ? out.add(x) : out.add(float(x));
  if (v.version_5) out.text += "\nMETADATA\nINFORMATION 0\n";
  const std::size_t count = mesh.tets.size(), nodes = v.ten ? 10 : 4;
  // Behind the corners of a tet come its first corner six times more.
  const auto node = [&](const Tet& t, std::size_t k) { return t[k < 4 ? k : 0]; };
  if (v.version_5) {
    out.text += fmt::format("\nCELLS {} {}\nOFFSETS vtktypeint64\n", count + 1, nodes * count);
    for (std::size_t i = 0; i <= count; ++i) out.add(std::int64_t(nodes * i));
    out.text += "\nCONNECTIVITY vtktypeint64\n";
    for (const Tet& t : mesh.tets)
      for (std::size_t k = 0; k < nodes; ++k) out.add(std::int64_t(node(t, k)));
  } else {
    out.text += fmt::format("\nCELLS {} {}\n", count, (nodes + 1) * count);
    for (const Tet& t : mesh.tets) {
      out.add(std::int32_t(nodes));
      for (std::size_t k = 0; k < nodes; ++k) out.add(std::int32_t(node(t, k)));
      if (!v.binary) out.text += '\n';
    }
  }
  out.text += fmt::format("\nCELL_TYPES {}\n", count);
  for (std::size_t i = 0; i < count; ++i) out.add(std::int32_t(v.ten ? 24 : 10));
  return out.text + "\nCELL_DATA 0\nSCALARS whatever follows\n";
}

static const std::string head = "# vtk DataFile Version 2.0\nt\nASCII\nDATASET UNSTRUCTURED_GRID\n";
static const std::string points = "POINTS 4 float\n0 0 0 1 0 0\n0 1 0 0 0 1\n";

static std::string refused(const std::string& text) {
  return refusal([&] { parse_vtk(text, "a"); });
}

TEST_CASE("legacy VTK files, text and binary, old and new, give the same tets") {
  for (int bits = 0; bits < 16; ++bits)
    check_is_block(parse_vtk, written(block(), {(bits & 1) != 0, (bits & 2) != 0, (bits & 4) != 0,
                                                (bits & 8) != 0}));
}

TEST_CASE("cells of other types are left out of a VTK file with one warning") {
  std::vector<std::string> warnings;
  const Solid solid = parse_vtk(
      head + points + "CELLS 4 14\n2 0 1\n1 3\n4 0 1 2 3\n3 0 1 2\n" + "CELL_TYPES 4\n3 1 10 5\n",
      "a", &warnings);
  CHECK(std::get<TetMesh>(solid).tets == std::vector<Tet>{{0, 1, 2, 3}});
  REQUIRE(warnings.size() == 1);
  CHECK(has(warnings[0],
            "2 cells are neither tets nor triangles and were left out, the first on "
            "line 9"));
}

TEST_CASE("VTK triangles, with six nodes too, are read when there are no tets") {
  const Solid solid =
      parse_vtk(head + "CELLS 2 11\n3 0 1 2\n6 0 3 1 0 0 0\nCELL_TYPES 2\n5 22\n" + points, "a");
  CHECK(std::get<TriangleMesh>(solid).triangles == std::vector<Triangle>{{0, 1, 2}, {0, 3, 1}});
}

TEST_CASE("what is wrong with a legacy VTK file is said with its line") {
  const std::string cells = "CELLS 1 5\n4 0 1 2 3\n", types = "CELL_TYPES 1\n10\n";
  CHECK(refused(head + points + cells + types).empty());
  CHECK(has(refused(""), "is an empty file"));
  CHECK(has(refused("x\n"), "line 1 is not \"# vtk DataFile"));
  CHECK(has(refused("# vtk DataFile Version 2.0\nt\nXML\n"), "line 3 has \"XML\" where ASCII"));
  CHECK(has(refused("# vtk DataFile Version 2.0\nt\nASCII\nDATASET POLYDATA\n"),
            "line 4 says DATASET \"POLYDATA\"; only UNSTRUCTURED_GRID can be read"));
  CHECK(has(refused(head + "WHAT 3\n"), "line 5 starts the unknown section \"WHAT\""));
  CHECK(has(refused(head + cells + types), "has no section POINTS"));
  CHECK(has(refused(head + points + types), "has no section CELLS"));
  CHECK(has(refused(head + points + cells), "has no section CELL_TYPES"));
  CHECK(has(refused(head + points + points), "line 8 starts a section for the second time"));
  CHECK(has(refused(head + "POINTS x float\n"), "line 5 has \"x\" where a count must be"));
  CHECK(has(refused(head + "POINTS 1 quaternion\n"), "line 5 names the unknown type \"quat"));
  CHECK(has(refused(head + "POINTS 1000000 float\n0 0 0\n"), "line 5 promises 1000000 points"));
  CHECK(has(refused(head + "POINTS 1 float\n0 z 0\n" + cells + types), "line 6 has \"z\" where"));
  CHECK(has(refused(head + "POINTS 1 float\n0 nan 0\n" + cells + types),
            "line 6 gives point 0 the coordinate nan"));
  CHECK(has(refused(head + points + cells + "CELL_TYPES 2\n10 10\n"), "ends 2 types of 1 cells"));
  CHECK(
      has(refused(head + points + cells + "CELL_TYPES 1\n300\n"), "line 11 gives cell 0 the type"));
  CHECK(has(refused(head + points + "CELLS 1 5\n4 0 1 2 4\n" + types),
            "line 9 gives tet 0 the point \"4\"; points are numbered 0 to 3"));
  CHECK(
      has(refused(head + points + "CELLS 1 5\n4 0 1 2 2\n" + types), "line 9 gives tet 0 no vol"));
  CHECK(has(refused(head + points + "CELLS 1 4\n3 0 1 2\n" + types),
            "line 9 is before cell 0 with 3 corners; its type 10 has 4"));
  CHECK(has(refused(head + points + "CELLS 1 4\n4 0 1 2\n" + types),
            "line 9 is where cell 0 of 1 passes the 4 numbers promised"));
  CHECK(has(refused(head + points + "CELLS 1 99\n4 0 1 2 3\n" + types),
            "is where the file ends too early, before a corner"));
  const std::string five = head + points + "CELLS 2 4\nOFFSETS vtktypeint64\n";
  CHECK(refused(five + "0 4\nCONNECTIVITY vtktypeint64\n0 1 2 3\n" + types).empty());
  CHECK(has(refused(five + "0 5\nCONNECTIVITY vtktypeint64\n0 1 2 3\n" + types),
            "line 10 ends offsets from 0 to 5"));
  CHECK(has(refused(five + "4 0\nCONNECTIVITY vtktypeint64\n0 1 2 3\n" + types),
            "line 10 has the offset 0 after 4; offsets must not fall"));
  CHECK(has(refused(five + "0 4\n" + types), "line 11 is not CONNECTIVITY"));
  CHECK(has(refused(five + "0 4\nCONNECTIVITY float\n0 1 2 3\n" + types), "line 11 names a type"));
}

TEST_CASE("what is wrong with a binary VTK file is said with its byte") {
  TetMesh mesh = block();
  mesh.points[2][2] = std::nan("");
  std::string bytes = written(mesh, {.binary = true});
  const std::size_t at = bytes.find("POINTS 27 float\n") + 16 + 24;
  CHECK(has(refused(bytes), fmt::format("byte {} gives point 2 the coordinate nan", at)));
  bytes = written(block(), {.binary = true});
  bytes[bytes.find("CELLS 48 240\n") + 13 + 8] = 1;
  CHECK(has(refused(bytes), fmt::format("byte {} gives tet 0 the point \"16777217\"",
                                        bytes.find("CELLS 48 240\n") + 13 + 4)));
}

TEST_CASE("a broken VTK file never does harm") {
  for (int bits = 0; bits < 4; ++bits)
    check_survives(parse_vtk, written(block(), {(bits & 1) != 0, (bits & 2) != 0}));
}
