#include "formats/ply.h"

#include <chrono>
#include <doctest/doctest.h>

#include "core/files.h"
#include "formats/bytes.h"
#include "formats/testing.h"

using namespace pliant;
using namespace pliant::testing;

static std::string refused(const std::string& bytes) {
  return refusal([&] { parse_ply(bytes, "a.ply"); });
}

static const std::string header =
    "ply\nformat ascii 1.0\ncomment x\nelement vertex 4\nproperty float x\nproperty float y\n"
    "property float z\nproperty uchar red\nelement face 2\nproperty list uchar int "
    "vertex_indices\nend_header\n";
static const std::string text =
    header + "0 0 0 255\n1 0 0 255\n1 1 0 9\n0 1 0 9\n4 0 1 2 3\n3 0 1 2\n";
static const std::vector<Vec3> square = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
static const std::vector<Triangle> triangles = {{0, 1, 2}, {0, 2, 3}, {0, 1, 2}};

// The same file in binary, with elements and properties nobody asked for.
template <class T>
static void put_ordered(std::string& to, T value, bool big) {
  std::string raw;
  put(raw, value);
  if (big) std::reverse(raw.begin(), raw.end());
  to += raw;
}
static std::string binary(bool big) {
  std::string b =
      std::string("ply\r\nformat binary_") + (big ? "big" : "little") +
      "_endian 1.0\r\nobj_info y\r\nelement thing 2\r\nproperty list ushort short bits\r\n"
      "property double q\r\nelement face 2\r\nproperty uchar flag\r\n"
      "property list uint ushort vertex_index\r\nelement vertex 4\r\nproperty short z\r\n"
      "property double x\r\nproperty list char float w\r\nproperty float y\r\n"
      "element tail 3\r\nproperty int n\r\nend_header\r\n";
  for (int i = 0; i < 2; ++i) {
    put_ordered(b, std::uint16_t(i), big);
    for (int k = 0; k < i; ++k) put_ordered(b, std::int16_t(-1), big);
    put_ordered(b, 0.5, big);
  }
  for (const std::vector<int>& face : {std::vector{0, 1, 2, 3}, std::vector{0, 1, 2}}) {
    b += '\7';
    put_ordered(b, std::uint32_t(face.size()), big);
    for (const int corner : face) put_ordered(b, std::uint16_t(corner), big);
  }
  for (const Vec3& p : square) {
    put_ordered(b, std::int16_t(p.z()), big);
    put_ordered(b, p.x(), big);
    b += '\1';
    put_ordered(b, 9.0f, big);
    put_ordered(b, float(p.y()), big);
  }
  for (int i = 0; i < 3; ++i) put_ordered(b, std::int32_t(i), big);
  return b;
}

TEST_CASE(
    "text and binary of both byte orders give the same surface, whatever else is in the file") {
  for (const std::string& bytes : {text, binary(false), binary(true)}) {
    const TriangleMesh mesh = parse_ply(bytes, "a");
    CHECK(mesh.points == square);
    CHECK(mesh.triangles == triangles);
  }
}

TEST_CASE("a PLY file written and read again is the same, bit for bit, in float and double") {
  const TemporaryFolder folder;
  for (int seed = 0; seed < 50; ++seed) {
    TriangleMesh mesh = random_mesh(seed);
    write_ply(folder / "a.ply", mesh.points, mesh.triangles);
    TriangleMesh again = read_ply(folder / "a.ply");
    CHECK(same_bits(again.points, mesh.points));
    CHECK(again.triangles == mesh.triangles);

    std::vector<Eigen::Vector3f> points;
    for (Vec3& p : mesh.points) {
      p = p.cwiseMax(-1e30).cwiseMin(1e30);
      points.push_back(p.cast<float>());
      p = points.back().cast<double>();
    }
    const std::vector<float> heat(points.size(), 0.5f);
    const PlyProperty properties[] = {{"heat", heat}, {"more", heat}};
    write_ply(folder / "a.ply", points, mesh.triangles, properties);
    again = read_ply(folder / "a.ply");
    CHECK(same_bits(again.points, mesh.points));
    CHECK(again.triangles == mesh.triangles);
  }
}

TEST_CASE("properties stand in the file under their names, beside each vertex") {
  const TemporaryFolder folder;
  const std::vector<Eigen::Vector3f> points = {{1, 2, 3}, {4, 5, 6}, {7, 8, 10}};
  const std::vector<float> heat = {0.25f, 0.5f, 0.75f};
  const PlyProperty properties[] = {{"heat", heat}};
  write_ply(folder / "a.ply", points, std::vector<Triangle>{{0, 1, 2}}, properties);
  const std::string bytes = read_text_file(folder / "a.ply");
  CHECK(has(bytes, "property float z\nproperty float heat\nelement face 1\n"));
  const std::string_view body = std::string_view(bytes).substr(bytes.find("end_header\n") + 11);
  REQUIRE(body.size() == 3 * 16 + 13);
  CHECK(get<float>(body.substr(16 + 12), std::endian::little) == 0.5f);
}

TEST_CASE("headers that make no sense are refused with their line") {
  const std::string start = "ply\nformat ascii 1.0\n";
  CHECK(has(refused(""), "empty file"));
  CHECK(has(refused("plx\n"), "a.ply: line 1 is not \"ply\""));
  CHECK(has(refused("ply\nformat latin 1.0\n"), "a.ply: line 2 names the format \"latin\""));
  CHECK(has(refused("ply\nend_header\n"), "line 2 ends a header without a \"format\""));
  CHECK(has(refused(start), "line 2 is the last, but the header has no \"end_header\""));
  CHECK(has(refused(start + "element vertex -1\n"), "line 3 gives \"-1\" as the number"));
  CHECK(has(refused(start + "element vertex 99999999999999999999\n"), "line 3 gives"));
  CHECK(has(refused(start + "property float x\n"), "line 3 has a property before"));
  CHECK(has(refused(start + "element vertex 1\nproperty half x\n"),
            "line 4 has a property of the unknown type \"half\""));
  CHECK(has(refused(start + "element vertex 1\nproperty list float int x\n"),
            "line 4 has a list whose length"));
  CHECK(has(refused(start + "element vertex 1\nproperty float\n"),
            "line 4 has a property without a name"));
  CHECK(has(refused(start + "element face 0\nelement face 0\n"), "line 4 repeats"));
  CHECK(has(refused(start + "horse\n"), "line 3 starts with \"horse\""));
  CHECK(has(refused(start + "element vertex 1\nproperty float x\nend_header\n0\n"),
            "without the number \"y\""));
  CHECK(has(refused(start + "end_header\n"), "no surface"));
}

TEST_CASE("data that make no sense are refused with line or byte") {
  const auto with = [](const std::string& body) { return refused(header + body); };
  CHECK(has(with("0 0 0 0\n1 nan 0 0\n1 1 0 0\n0 1 0 0\n3 0 1 2\n3 0 1 2\n"),
            "a.ply: line 13 gives vertex 2"));
  CHECK(has(with("0 0 0 0\n1 1e999 0 0\n1 1 0 0\n0 1 0 0\n3 0 1 2\n3 0 1 2\n"),
            "a.ply: line 13 gives vertex 2"));
  CHECK(has(with("0 0 0 0\n1 0 x 0\n1 1 0 0\n0 1 0 0\n3 0 1 2\n3 0 1 2\n"),
            "line 13 has \"x\" instead of a number in vertex 2"));
  CHECK(has(with("0 0 0 0\n1 0 0 0\n1 1 0 0\n0 1 0 0\n3 0 1 4\n3 0 -1 2\n"),
            "line 16 makes face 1 name vertex 4; the file has 4"));
  CHECK(has(with("0 0 0 0\n1 0 0 0\n1 1 0 0\n0 1 0 0\n3 0 1 4\n3 0 -1 2\n"),
            "line 17 makes face 2 name vertex -1"));
  CHECK(has(with("0 0 0 0\n1 0 0 0\n1 1 0 0\n0 1 0 0\n-3 0 1 2\n3 0 1 2\n"),
            "line 16 follows a list of length -3"));
  CHECK(has(with("0 0 0 0\n1 0 0 0\n1 1 0 0\n0 1 0 0\n255 0 1 2\n3 0 1 2\n"),
            "list of 255 numbers, but only"));
  CHECK(has(with("0 0 0 0\n1 0 0 0\n1 1 0 0\n0 1 0 0\n3 0 1 2\n3 0 1\n"),
            "ends too early, in face 2"));
  std::string cut = binary(false);
  cut.resize(cut.size() - 20);
  CHECK(has(refused(cut), "a.ply: byte "));
}

TEST_CASE("faces without three different corners are skipped and counted") {
  std::vector<std::string> warnings;
  const std::string body = "0 0 0 0\n1 0 0 0\n1 1 0 0\n0 1 0 0\n2 0 1\n3 0 1 2\n";
  CHECK(parse_ply(header + body, "a", &warnings).triangles.size() == 1);
  REQUIRE(warnings.size() == 1);
  CHECK(has(warnings[0], "1 faces"));
}

TEST_CASE("counts that the file has no room for are refused before memory is taken or time spent") {
  const auto start = std::chrono::steady_clock::now();
  for (const char* format : {"ascii", "binary_little_endian", "binary_big_endian"})
    for (const char* count : {"4294967295", "4000000000", "9223372036854775807"}) {
      const std::string head = std::string("ply\nformat ") + format + " 1.0\n";
      const std::string vertex = std::string("element vertex ") + count +
                                 "\nproperty float x\nproperty float y\nproperty float z\n";
      const std::string face =
          std::string("element face ") + count + "\nproperty list int int vertex_indices\n";
      const std::string other =
          std::string("element cat ") + count + "\nproperty list uchar int a\n";
      CHECK(has(refused(head + vertex + "end_header\n" + std::string(200, '1')), "promises"));
      CHECK(has(refused(head + face + "end_header\n" + std::string(200, '1')), "promises"));
      CHECK(has(refused(head + other + "end_header\n" + std::string(200, '1')), "promises"));
      CHECK(has(refused(head + "element cat " + count + "\nend_header\n"), "no surface"));
    }
  CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(1));
}

TEST_CASE("every prefix and every changed byte of a PLY file gives a mesh or a refusal") {
  for (const std::string& bytes : {text, binary(false), binary(true)}) {
    for (std::size_t n = 0; n <= bytes.size(); ++n) refused(bytes.substr(0, n));
    for (std::size_t i = 0; i < bytes.size(); ++i)
      for (const char c : {'\0', '\n', '-', '9', ' ', '\xFF', '\x7F'}) {
        std::string changed = bytes;
        changed[i] = c;
        refused(changed);
      }
  }
}
