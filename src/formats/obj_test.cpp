#include "formats/obj.h"

#include <chrono>
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "core/files.h"
#include "formats/testing.h"

using namespace pliant;
using namespace pliant::testing;

using Triangles = std::vector<Triangle>;

static const std::string four_points = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n";

static std::string refused(const std::string& text) {
  return refusal([&] { parse_obj(text, "a.obj"); });
}

TEST_CASE("an OBJ file written and read again is the same, bit for bit") {
  const TemporaryFolder folder;
  for (int seed = 0; seed < 50; ++seed) {
    TriangleMesh mesh = random_mesh(seed);
    mesh.groups = {{"all", {}}, {"odd", {}}, {"first", {0}}};
    for (int t = 0; t < int(mesh.triangles.size()); ++t) {
      mesh.groups[0].triangles.push_back(t);
      if (t % 2) mesh.groups[1].triangles.push_back(t);
    }
    write_obj(folder / "a.obj", mesh);
    const TriangleMesh again = read_obj(folder / "a.obj");
    CHECK(same_bits(again.points, mesh.points));
    CHECK(again.triangles == mesh.triangles);
    for (const TriangleMesh::Group& group : again.groups) {
      const auto original = std::find_if(mesh.groups.begin(), mesh.groups.end(),
                                         [&](const auto& g) { return g.name == group.name; });
      REQUIRE(original != mesh.groups.end());
      CHECK(group.triangles == original->triangles);
    }
  }
}

TEST_CASE("corners may name textures and normals, and count backwards") {
  for (const char* face : {"f 1 2 3", "f 1/1 2/2 3/3", "f 1//9 2//9 3//9", "f 1/5/9 2/5/9 3/5/9",
                           "f -4 -3 -2", "  f\t1   2/  +3 ", "f 1 2 3 # comment 4"})
    CHECK_MESSAGE((parse_obj(four_points + face, "a").triangles == Triangles{{0, 1, 2}}), face);
}

TEST_CASE("negative indices count from the vertices above the face, not from all") {
  CHECK(parse_obj("v 0 0 0\nv 1 0 0\nv 0 1 0\nf -3 -2 -1\nv 9 9 9\n", "a").triangles ==
        Triangles{{0, 1, 2}});
}

TEST_CASE("faces may stand before the vertices they name") {
  CHECK(parse_obj("f 1 2 3\n" + four_points, "a").triangles == Triangles{{0, 1, 2}});
}

TEST_CASE("line ends, marks, continuations, weights, colors and unknown words do not matter") {
  const TriangleMesh plain = parse_obj(four_points + "f 1 2 3 4\n", "a");
  CHECK(plain.triangles == Triangles{{0, 1, 2}, {0, 2, 3}});
  const char* const variants[] = {
      "v 0 0 0\r\nv 1 0 0\r\nv 1 1 0\r\nv 0 1 0\r\nf 1 2 3 4\r\n",
      "v 0 0 0\rv 1 0 0\rv 1 1 0\rv 0 1 0\rf 1 2 3 4",
      "\xEF\xBB\xBF# head\nmtllib ../../etc/passwd\nv 0 0 0 1\nv 1 0 0 0.5 0.5 0.5\nv 1 1 0\nv 0 1 "
      "0\n"
      "vn 0 0 1\nvt 0 0\nusemtl x\ns off\nhorse 1 2\nf 1 2 3 4",
      "v 0 0 \\\n0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 \\\r\n3 \\\n4",
      "v +0e0 0. .0\nv 1e0 0 0\nv 10e-1 1.000 0\n\n\nv 0 1 0\nf 1 2 3 4"};
  for (const char* text : variants) {
    const TriangleMesh mesh = parse_obj(text, "a");
    CHECK(mesh.points == plain.points);
    CHECK(mesh.triangles == plain.triangles);
  }
}

TEST_CASE("a face belongs to all names of the last g line and to the last o") {
  const TriangleMesh mesh = parse_obj(four_points +
                                          "f 1 2 3\ng left hot # warm\no My Box\nf 1 2 3 4\n"
                                          "g unused\ng right hot\nf 2 3 4\ng\nf 1 3 4\n",
                                      "a");
  REQUIRE(mesh.groups.size() == 4);
  const auto members = [&](const std::string& name) {
    for (const auto& group : mesh.groups)
      if (group.name == name) return group.triangles;
    return std::vector<int>{-1};
  };
  CHECK(members("left") == std::vector{1, 2});
  CHECK(members("hot") == std::vector{1, 2, 3});
  CHECK(members("right") == std::vector{3});
  CHECK(members("My Box") == std::vector{1, 2, 3, 4});
}

TEST_CASE("group names and object names that agree name one group") {
  const TriangleMesh mesh = parse_obj(four_points + "g a a\no a\nf 1 2 3\n", "a");
  REQUIRE(mesh.groups.size() == 1);
  CHECK(mesh.groups[0].triangles == std::vector{0});
}

TEST_CASE("a thousand names over a thousand faces do not make a million entries") {
  std::string text = four_points + "g";
  for (int i = 0; i < 1000; ++i) text += fmt::format(" n{}", i);
  for (int i = 0; i < 1000; ++i) text += "\nf 1 2 3";
  std::vector<std::string> warnings;
  const TriangleMesh mesh = parse_obj(text, "a", &warnings);
  CHECK(mesh.groups.size() == 15);
  REQUIRE(warnings.size() == 1);
  CHECK(has(warnings[0], "985 group names"));
}

TEST_CASE("faces without three different corners are skipped and counted") {
  std::vector<std::string> warnings;
  const TriangleMesh mesh =
      parse_obj(four_points + "f 1 2\nf 1 2 3\nf 1 1 2\nf\nf 4 4 4 4\n", "a.obj", &warnings);
  CHECK(mesh.triangles == Triangles{{0, 1, 2}});
  REQUIRE(warnings.size() == 1);
  CHECK(has(warnings[0], "a.obj: 4 faces"));
  CHECK(has(warnings[0], "line 5"));
}

TEST_CASE("bad indices are refused with file and line") {
  CHECK(has(refused(four_points + "f 0 1 2"), "a.obj: line 5 names vertex 0"));
  CHECK(has(refused(four_points + "\nf 1 2 5"), "a.obj: line 6 names vertex 5; the file has 4"));
  CHECK(has(refused(four_points + "f -5 1 2"), "a.obj: line 5 names vertex -5"));
  CHECK(has(refused("v 0 0 0\nf -1 -2 1"), "line 2 names vertex -2; only 1"));
  CHECK(has(refused(four_points + "f /1 /2 /3"),
            "line 5 has the corner \"/1\", which names no vertex"));
  CHECK(has(refused(four_points + "f 1 2 x"), "\"x\" is not a vertex number"));
  CHECK(has(refused(four_points + "f 1 2 3.5"), "\"3.5\" is not a vertex number"));
  CHECK(has(refused(four_points + "f 1 2 99999999999999999999"), "is not a vertex number"));
  CHECK(has(refused(four_points + "f 1 2 4294967297"), "names vertex 4294967297"));
}

TEST_CASE("coordinates that are no finite numbers are refused with vertex and line") {
  for (const char* word : {"nan", "inf", "-inf", "1e400"})
    CHECK(has(refused(std::string("v 0 0 0\n\nv 1 ") + word + " 0\nf 1 2 1"),
              std::string("a.obj: line 3 gives vertex 2 the coordinate \"") + word +
                  "\"; it must be a finite number"));
  CHECK(has(refused("v 0 0 1,5"),
            "line 1 gives vertex 1 the coordinate \"1,5\"; it must be a number"));
  CHECK(has(refused("v 0 0"), "line 1 gives vertex 1 only 2 of 3 coordinates"));
}

TEST_CASE("all problems come at once, in order, 20 at most and the rest counted") {
  std::string text = "f 0 1 1\nv nan 0 0\nf 7 1 1\n";
  const std::string three = refused(text);
  CHECK(has(three, "line 1"));
  CHECK(has(three, "line 2"));
  CHECK(has(three, "line 3"));
  CHECK(three.find("line 2") < three.find("line 3"));
  for (int i = 0; i < 50; ++i) text += "f 0 1 1\n";
  CHECK(has(refused(text), "and 33 more problems"));
}

TEST_CASE("files without a surface are refused") {
  using namespace std::string_literals;
  CHECK(has(refused(""), "empty file"));
  CHECK(has(refused("v 0 0 0\nl 1 1\np 1\n"), "no surface"));
  CHECK(has(refused("\n \n"), "no surface"));
  CHECK(has(refused(four_points + "f 1 1 2\n"), "no surface"));
  CHECK(has(refused("\xFF\xFEv\0 \0"s), "UTF-16"));
  CHECK(has(refused("v 0 0 0\n\x01\x02\0\x7F"s + four_points), "not a text file"));
  std::string garbage;
  for (int i = 0; i < 3000; ++i) garbage += char(random_bits(5, i));
  CHECK(!refused(garbage).empty());
}

TEST_CASE("every prefix and every single changed byte of an OBJ file gives a mesh or a refusal") {
  const std::string text =
      "# x\n" + four_points + "g a b\no c\nf 1//1 2/2 3/3/3 -1\\\n 2\nf 1 3 4\n";
  for (std::size_t n = 0; n <= text.size(); ++n) refused(text.substr(0, n));
  for (std::size_t i = 0; i < text.size(); ++i)
    for (const char c : {'\0', '\n', '\\', '-', '/', '9', ' ', '\xFF', '#'}) {
      std::string changed = text;
      changed[i] = c;
      refused(changed);
    }
}

TEST_CASE("concave faces are cut inside their outline") {
  const TriangleMesh mesh = parse_obj("v 0.5 1 0\nv 0 0 0\nv 2 1 0\nv 0 2 0\nf 2 3 4 1\n", "a");
  REQUIRE(mesh.triangles.size() == 2);
  for (int t = 0; t < 2; ++t) CHECK(area_vector(mesh, t).z() > 0);
}

TEST_CASE("a face with 10000 corners is read at once") {
  std::string text, face = "f";
  for (int i = 0; i < 10000; ++i) {
    text += fmt::format("v {} {} 0\n", i, i % 2 * 5);
    face += fmt::format(" {}", i + 1);
  }
  text += "v 5000 -9 0\n" + face + " 10001\n";
  const auto start = std::chrono::steady_clock::now();
  CHECK(parse_obj(text, "a").triangles.size() == 9999);
  CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(2));
}
