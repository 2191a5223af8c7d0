#include "formats/gltf_read.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "core/files.h"
#include "formats/bytes.h"
#include "formats/gltf.h"
#include "formats/testing.h"

using namespace pliant;
using testing::has;
using testing::refusal;
using testing::TemporaryFolder;

namespace {

// Three points and three indices of one triangle, in a data: URI.
constexpr const char* data =
    "data:application/octet-stream;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAAAAABAAIA";

/// A file with one triangle; `nodes` and `more` are put into it.
std::string document(const std::string& nodes, const std::string& scene = "[0]",
                     const std::string& primitive = "", const std::string& accessor = "",
                     const std::string& more = "", const std::string& uri = data) {
  return fmt::format(
      R"({{"asset":{{"version":"2.0"}},"scene":0,"scenes":[{{"nodes":{}}}],"nodes":{},
      "meshes":[{{"name":"tri","primitives":[{{"attributes":{{"POSITION":0}},"indices":1{}}}]}}],
      "accessors":[{{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"{}}},
                   {{"bufferView":1,"componentType":5123,"count":3,"type":"SCALAR"}}],
      "bufferViews":[{{"buffer":0,"byteLength":36}},{{"buffer":0,"byteOffset":36,"byteLength":6}}],
      "buffers":[{{"byteLength":42,"uri":"{}"}}]{}}})",
      scene, nodes, primitive, accessor, uri, more);
}

std::string told(const std::string& text) {
  return refusal([&] { parse_gltf(text, "folder/a.gltf"); });
}

}  // namespace

TEST_CASE(
    "nodes place their meshes: scale, turn, move, parents first; groups have the nodes' names") {
  const TriangleMesh mesh = parse_gltf(document(R"([{"translation":[10,0,0],"children":[1,2]},
                   {"name":"small","mesh":0,"scale":[2,2,2]},
                   {"mesh":0,"rotation":[0,0,0.7071067811865476,0.7071067811865476]}])"),
                                       "a.gltf");
  REQUIRE(mesh.points.size() == 6);
  CHECK((mesh.points[1] - Vec3(12, 0, 0)).norm() < 1e-9);
  CHECK((mesh.points[4] - Vec3(10, 1, 0)).norm() < 1e-9);
  REQUIRE(mesh.groups.size() == 2);
  CHECK(mesh.groups[0].name == "small");
  CHECK(mesh.groups[1].name == "tri");
}

TEST_CASE("a mirror turns triangles over, so that they still face outwards") {
  const TriangleMesh plain = parse_gltf(document(R"([{"mesh":0}])"), "a.gltf");
  const TriangleMesh mirrored = parse_gltf(document(R"([{"mesh":0,"scale":[-1,1,1]}])"), "a.gltf");
  CHECK(area_vector(plain, 0).z() > 0);
  CHECK(area_vector(mirrored, 0).z() > 0);
}

TEST_CASE("what we write as .glb is what we read, texture coordinates included") {
  const TemporaryFolder folder;
  GlbMesh mesh{.name = "quad",
               .triangles = {{0, 1, 2}, {0, 2, 3}},
               .vertices = 4,
               .uv = {},
               .place = {},
               .poses = {}};
  mesh.uv = {{0, 0}, {1, 0}, {1, 1}, {0, 0.25f}};
  const std::vector<Eigen::Vector3f> points = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
  write_glb(folder / "a.glb", {&mesh, 1}, 1, 30,
            [&](int, int) -> std::span<const Eigen::Vector3f> { return points; });
  Faces faces;
  const TriangleMesh read =
      parse_gltf(read_text_file(folder / "a.glb"), folder / "a.glb", nullptr, &faces);
  CHECK(read.triangles == mesh.triangles);
  REQUIRE(faces.uv.size() == 4);
  CHECK((faces.uv[3] - Eigen::Vector2f(0, 0.25f)).norm() < 1e-6f);
  for (int p = 0; p < 4; ++p) CHECK(read.points[p] == points[p].cast<double>());
}

TEST_CASE("of a film in pieces the first one is read: the others are hidden") {
  const TemporaryFolder folder;
  const GlbMesh mesh{
      .name = "t", .triangles = {{0, 1, 2}}, .vertices = 3, .uv = {}, .place = {}, .poses = {}};
  std::vector<Eigen::Vector3f> points;
  const auto at = [&](int, int frame) -> std::span<const Eigen::Vector3f> {
    return points = {{float(frame), 1, 0}, {1, 0, 0}, {0, 1, 0}};
  };
  write_glb(folder / "a.glb", {&mesh, 1}, 10, 30, at, {.most_targets = 3, .job = {}});
  const TriangleMesh read = parse_gltf(read_text_file(folder / "a.glb"), folder / "a.glb");
  CHECK(read.triangles.size() == 1);
  CHECK(read.points.size() == 3);
  CHECK(read.points[0] == Vec3(0, 1, 0));
}

TEST_CASE("everything wrong is told with its JSON path") {
  CHECK(has(told("{"), "JSON"));
  CHECK(has(told("[]"), "no object"));
  CHECK(has(told(R"({"asset":{"version":"1.0"}})"), "/asset/version"));
  CHECK(has(told(document(R"([{"mesh":7}])")), "there are 1 meshes"));
  CHECK(has(told(document(R"([{"mesh":0}])", "[3]")), "there are 1 nodes"));
  CHECK(has(told(document(R"([{"mesh":0,"children":[0]}])")), "cycle"));
  CHECK(has(told(document(R"([{"children":[1,1]},{"mesh":0}])")), "two parents"));
  CHECK(has(told(document(R"([{"mesh":0,"scale":[1,2]}])")), "/nodes/0/scale"));
  CHECK(has(told(document(R"([{"mesh":0,"translation":[1e308,0,0],"scale":[1.7e308,1,1]}])")),
            "not finite"));
  CHECK(has(told(document(R"([{"mesh":0}])", "[0]", "", R"(,"byteOffset":30)")), "/accessors/0"));
  CHECK(has(told(document(R"([{"mesh":0}])", "[0]", R"(,"mode":9)")), "/mode"));
  CHECK(has(told(document(R"([{"mesh":0}])", "[0]", R"(,"mode":1)")), "no triangles"));
  CHECK(has(told(document(R"([{"mesh":0}])", "[0]", "", "",
                          R"(,"extensionsRequired":["KHR_draco_mesh_compression"])")),
            "KHR_draco_mesh_compression"));
  CHECK(!told(std::string(100000, '[')).empty());
}

TEST_CASE("sparse accessors replace rows, in order and in range only") {
  const TriangleMesh mesh = parse_gltf(
      document(
          R"([{"mesh":0}])", "[0]", "",
          R"(,"sparse":{"count":1,"indices":{"bufferView":1,"componentType":5123,"byteOffset":4},)"
          R"("values":{"bufferView":0,"byteOffset":12}})"),
      "a.gltf");
  CHECK(mesh.points[2] == Vec3(1, 0, 0));
  CHECK(has(
      told(document(
          R"([{"mesh":0}])", "[0]", "",
          R"(,"sparse":{"count":2,"indices":{"bufferView":0,"componentType":5121},"values":{"bufferView":0}})")),
      "/sparse"));
}

TEST_CASE("buffers are files of the model's folder and nothing else") {
  const TemporaryFolder folder;
  std::string bytes;
  for (const float x : {0.f, 0.f, 0.f, 1.f, 0.f, 0.f, 0.f, 1.f, 0.f}) put(bytes, x);
  for (const std::uint16_t i : {0, 1, 2}) put(bytes, i);
  write_file(folder / "mesh data.bin", bytes);
  write_file(folder / "outside.bin", bytes);
  std::filesystem::create_directories(folder / "inner");
  std::filesystem::create_symlink("../outside.bin", folder / "inner/link.bin");
  const auto with = [&](const std::string& uri) {
    return document(R"([{"mesh":0}])", "[0]", "", "", "", uri);
  };
  CHECK(parse_gltf(with("mesh%20data.bin"), folder / "a.gltf").triangles.size() == 1);
  for (const char* uri :
       {"../outside.bin", "%2e%2e/outside.bin", "/etc/hostname", "file:///etc/hostname",
        "http://x/y", "~/x", "link.bin", "c:\\\\x", "a%00b", "", "sub/../../outside.bin",
        "data:application/octet-stream;base64,?!", "data:text/plain,abc"}) {
    INFO(uri);
    CHECK(!refusal([&] { parse_gltf(with(uri), folder / "inner/a.gltf"); }).empty());
  }
}

TEST_CASE("every prefix and many mutations of a .glb are refused or read, never worse") {
  const TemporaryFolder folder;
  const GlbMesh mesh{
      .name = "t", .triangles = {{0, 1, 2}}, .vertices = 3, .uv = {}, .place = {}, .poses = {}};
  const std::vector<Eigen::Vector3f> points = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  write_glb(folder / "a.glb", {&mesh, 1}, 2, 30,
            [&](int, int) -> std::span<const Eigen::Vector3f> { return points; });
  const std::string whole = read_text_file(folder / "a.glb");
  for (std::size_t size = 0; size < whole.size(); ++size)
    CHECK(!refusal([&] { parse_gltf(whole.substr(0, size), "a.glb"); }).empty());
  for (std::uint64_t i = 0; i < 3000; ++i) {
    std::string changed = whole;
    for (int k = 0; k < 3; ++k)
      changed[random_bits(9, 7 * i + std::uint64_t(k)) % changed.size()] =
          char(random_bits(10, 7 * i + std::uint64_t(k)));
    refusal([&] { parse_gltf(changed, "a.glb"); });
  }
}
