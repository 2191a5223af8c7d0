#include "formats/gmsh.h"

#include <doctest/doctest.h>

#include "formats/testing_volume.h"

using namespace pliant;
using namespace pliant::testing;

// Tags with gaps, not in order: point i has the tag tag(i).
static int tag(int i) { return 1000 - 7 * i; }

static const std::string extra =
    "$PhysicalNames\n1\n3 1 \"body\"\n$EndPhysicalNames\n$Comments\n$EndComments\n";

// With ten nodes, the last six are the first point again: only corners are read.
static std::string text2(const TetMesh& mesh, bool ten = false) {
  std::string text = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n" + extra;
  text += fmt::format("$Nodes\n{}\n", mesh.points.size());
  for (int i = 0; i < int(mesh.points.size()); ++i) {
    const Vec3& p = mesh.points[i];
    text += fmt::format("{} {} {} {}\n", tag(i), p[0], p[1], p[2]);
  }
  text += fmt::format("$EndNodes\n$Elements\n{}\n", mesh.tets.size());
  int number = 1;
  for (const Tet& t : mesh.tets) {
    text += fmt::format("{} {} 2 99 1", number++, ten ? 11 : 4);
    for (const int i : t) text += fmt::format(" {}", tag(i));
    if (ten) text += " 1000 1000 1000 1000 1000 1000";
    text += '\n';
  }
  return text + "$EndElements\n";
}

static std::string binary2(const TetMesh& mesh, std::endian order, bool ten = false) {
  std::string bytes = "$MeshFormat\n2.2 1 8\n";
  const auto number = [&](int i) { put(bytes, std::int32_t(i), order); };
  number(1);
  bytes += "\n$EndMeshFormat\n" + extra + fmt::format("$Nodes\n{}\n", mesh.points.size());
  for (int i = 0; i < int(mesh.points.size()); ++i) {
    number(tag(i));
    for (const double x : mesh.points[i]) put(bytes, x, order);
  }
  bytes += fmt::format("\n$EndNodes\n$Elements\n{}\n", mesh.tets.size());
  for (int t = 0; t < int(mesh.tets.size()); ++t) {
    if (t == 0 || t == 5) {  // two blocks
      number(ten ? 11 : 4);
      number(t == 0 ? 5 : int(mesh.tets.size()) - 5);
      number(2);
    }
    for (const int i : {t + 1, 99, 1}) number(i);
    for (const int i : mesh.tets[t]) number(tag(i));
    for (int k = 0; ten && k < 6; ++k) number(1000);
  }
  return bytes + "\n$EndElements\n";
}

// The nodes in two blocks, the second with parameters.
static std::string text4(const TetMesh& mesh) {
  std::string text = "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n" + extra;
  const int count = int(mesh.points.size());
  text += fmt::format("$Nodes\n2 {} 1 1000\n", count);
  for (const auto& [begin, end] : {std::pair(0, 4), std::pair(4, count)}) {
    text += fmt::format("2 1 {} {}\n", begin > 0 ? 1 : 0, end - begin);
    for (int i = begin; i < end; ++i) text += fmt::format("{}\n", tag(i));
    for (int i = begin; i < end; ++i) {
      const Vec3& p = mesh.points[i];
      text += fmt::format("{} {} {}{}\n", p[0], p[1], p[2], begin > 0 ? " 0.5 0.25" : "");
    }
  }
  text += fmt::format("$EndNodes\n$Elements\n1 {0} 1 {0}\n3 1 4 {0}\n", mesh.tets.size());
  int number = 1;
  for (const Tet& t : mesh.tets)
    text += fmt::format("{} {} {} {} {}\n", number++, tag(t[0]), tag(t[1]), tag(t[2]), tag(t[3]));
  return text + "$EndElements\n";
}

template <class Size>
static std::string binary4(const TetMesh& mesh, std::endian order) {
  std::string bytes = fmt::format("$MeshFormat\n4.1 1 {}\n", sizeof(Size));
  const auto number = [&](int i) { put(bytes, std::int32_t(i), order); };
  const auto size = [&](std::size_t i) { put(bytes, Size(i), order); };
  number(1);
  bytes += "\n$EndMeshFormat\n$Nodes\n";
  const int count = int(mesh.points.size());
  for (const int i : {2, count, 1, 1000}) size(std::size_t(i));
  for (const auto& [begin, end] : {std::pair(0, 4), std::pair(4, count)}) {
    for (const int i : {2, 1, begin > 0 ? 1 : 0}) number(i);
    size(std::size_t(end - begin));
    for (int i = begin; i < end; ++i) size(std::size_t(tag(i)));
    for (int i = begin; i < end; ++i) {
      for (const double x : mesh.points[i]) put(bytes, x, order);
      for (int k = 0; begin > 0 && k < 2; ++k) put(bytes, 0.5, order);
    }
  }
  bytes += "\n$EndNodes\n$Elements\n";
  for (const std::size_t i : {std::size_t(1), mesh.tets.size(), std::size_t(1), mesh.tets.size()})
    size(i);
  for (const int i : {3, 1, 4}) number(i);
  size(mesh.tets.size());
  for (std::size_t t = 0; t < mesh.tets.size(); ++t) {
    size(t + 1);
    for (const int i : mesh.tets[t]) size(std::size_t(tag(i)));
  }
  return bytes + "\n$EndElements\n";
}

static const std::string head2 = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n";
static const std::string nodes2 = "$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n9 0 0 1\n$EndNodes\n";

static std::string elements2(const std::string& rows) {
  return "$Elements\n" + rows + "$EndElements\n";
}
static std::string refused(const std::string& text) {
  return refusal([&] { parse_gmsh(text, "a"); });
}

TEST_CASE("Gmsh files of both versions, text and binary, give the same tets") {
  for (const bool ten : {false, true}) {
    check_is_block(parse_gmsh, text2(block(), ten));
    check_is_block(parse_gmsh, binary2(block(), std::endian::little, ten));
    check_is_block(parse_gmsh, binary2(block(), std::endian::big, ten));
  }
  check_is_block(parse_gmsh, text4(block()));
  check_is_block(parse_gmsh, binary4<std::uint64_t>(block(), std::endian::little));
  check_is_block(parse_gmsh, binary4<std::uint64_t>(block(), std::endian::big));
  check_is_block(parse_gmsh, binary4<std::uint32_t>(block(), std::endian::little));
  std::string crlf;
  for (const char c : text4(block())) crlf += c == '\n' ? "\r\n" : std::string(1, c);
  check_is_block(parse_gmsh, crlf);
}

TEST_CASE("other Gmsh elements are left out with one warning, unknown ones in text, too") {
  std::vector<std::string> warnings;
  const std::string rows =
      "5\n1 15 2 0 1 1\n2 1 2 0 1 1 2\n3 2 2 0 1 1 2 3\n4 4 2 0 1 1 2 3 9\n5 137 0 1 2 3 9 9\n";
  const Solid solid = parse_gmsh(head2 + nodes2 + elements2(rows), "a", &warnings);
  CHECK(std::get<TetMesh>(solid).tets == std::vector<Tet>{{0, 1, 2, 3}});
  REQUIRE(warnings.size() == 1);
  CHECK(has(warnings[0],
            "3 cells are neither tets nor triangles and were left out, the first on "
            "line 13"));
}

TEST_CASE("Gmsh triangles, with six nodes too, are read when there are no tets") {
  const std::string rows = "2\n1 2 2 0 1 1 2 3\n2 9 2 0 1 1 9 2 1 1 1\n";
  const Solid solid = parse_gmsh(head2 + nodes2 + elements2(rows), "a");
  CHECK(std::get<TriangleMesh>(solid).triangles == std::vector<Triangle>{{0, 1, 2}, {0, 3, 1}});
}

TEST_CASE("what is wrong with a Gmsh file is said with its line") {
  const std::string tet = elements2("1\n1 4 2 0 1 1 2 3 9\n");
  CHECK(refused(head2 + nodes2 + tet).empty());
  CHECK(has(refused(""), "is an empty file"));
  CHECK(has(refused("$NOD\n"), "line 1 does not start with $MeshFormat"));
  for (const char* version : {"4.0", "4", "1.0", "3.0", "x"})
    CHECK(has(refused(fmt::format("$MeshFormat\n{} 0 8\n", version)), "line 2 says version"));
  CHECK(has(refused("$MeshFormat\n2.2 2 8\n"), "line 2 must give version"));
  CHECK(has(refused("$MeshFormat\n2.2 0 4\n"), "line 2 must give version"));
  CHECK(has(refused("$MeshFormat\n2.2 0 8\nx\n"), "line 3 has \"x\" where $EndMeshFormat"));
  CHECK(has(refused(head2 + "$Foo\nx\n"), "which has no end"));
  CHECK(has(refused(head2 + "x\n"), "line 4 has \"x\" where a section"));
  CHECK(has(refused(head2 + "$Nodes\n99999\n1 0 0 0\n"), "line 5 promises 99999 nodes"));
  CHECK(has(refused(head2 + "$Nodes\n1\n1 0 inf 0\n$EndNodes\n"),
            "line 6 gives point 1 the coordinate nan"));
  CHECK(has(refused(head2 + "$Nodes\n1\n1 0 y 0\n$EndNodes\n"), "line 6 has \"y\" where"));
  CHECK(has(refused(head2 + "$Nodes\n2\n1 0 0 0\n1 0 0 0\n$EndNodes\n" + tet),
            "line 9 comes after two nodes with the tag 1, the nodes in place 1 and 2"));
  CHECK(has(refused(head2 + nodes2), "has no tets and no triangles"));
  CHECK(has(refused(head2 + nodes2 + elements2("1\n1 4 2 0 1 1 2 3 4\n")),
            "line 13 gives element 1 the node 4, which does not exist"));
  CHECK(has(refused(head2 + tet), "gives element 1 the node 1, which does not exist"));
  CHECK(has(refused(head2 + nodes2 + elements2("1\n8 4 2 0 1 1 2 3 3\n")),
            "line 13 gives tet 8 no volume"));
  CHECK(has(refused(head2 + nodes2 + elements2("1\n1 4 2 0 1 1 2 3\n")),
            "line 13 ends before a node"));
  CHECK(has(refused(head2 + nodes2 + elements2("2\n1 4 2 0 1 1 2 3 9\n")), "line 14 has \"$EndEl"));
  CHECK(has(refused(head2 + nodes2 + elements2("900\n")), "line 12 promises 900 elements"));
  CHECK(has(refused(head2 + nodes2 + "$Elements\n1\n1 4 2 0 1 1 2 3 9\n"), "before $EndElements"));
}

TEST_CASE("what is wrong with a binary Gmsh file is said with its byte") {
  TetMesh mesh = block();
  mesh.points[3][1] = std::nan("");
  CHECK(has(refused(binary2(mesh, std::endian::little)), " gives point 979 the coordinate nan"));
  CHECK(has(refused(binary2(mesh, std::endian::little)), "a: byte "));
  CHECK(has(refused("$MeshFormat\n2.2 1 8\n\2\2\2\2\n$EndMeshFormat\n"), "mark of the byte order"));
  std::string bytes = binary2(block(), std::endian::little);
  bytes[bytes.find("$Elements\n48\n") + 13] = char(137);
  CHECK(has(refused(bytes), "starts an element of the unknown type 137"));
  bytes = binary4<std::uint64_t>(block(), std::endian::little);
  bytes[bytes.find("$Nodes\n") + 7 + 14] = 1;  // 2^48 nodes more
  CHECK(has(refused(bytes), "promises 281474976710683 nodes"));
}

TEST_CASE("a broken Gmsh file never does harm") {
  for (const std::string& bytes :
       {text2(block()), binary2(block(), std::endian::little), text4(block()),
        binary4<std::uint64_t>(block(), std::endian::little)})
    check_survives(parse_gmsh, bytes);
}
