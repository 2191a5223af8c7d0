#include <doctest/doctest.h>

#include "core/files.h"
#include "formats/bytes.h"
#include "formats/formats.h"
#include "formats/point_cache.h"
#include "formats/testing.h"
#include "formats/usda.h"
#include "formats/vtu_write.h"

using namespace pliant;
using testing::has;
using testing::TemporaryFolder;

namespace {

using Vec3f = Eigen::Vector3f;

std::vector<Vec3f> at(int frame) {
  std::vector<Vec3f> points;
  for (int i = 0; i < 5; ++i) points.emplace_back(float(i), 0.25f * float(frame), -1.5f);
  return points;
}

}  // namespace

TEST_CASE("PC2 and MDD hold every frame where their headers say") {
  const TemporaryFolder folder;
  std::vector<Vec3f> points;
  const auto frame = [&](int f) -> std::span<const Vec3f> { return points = at(f); };
  write_pc2(folder / "a.pc2", 5, 7, frame);
  const std::string pc2 = read_text_file(folder / "a.pc2");
  CHECK(pc2.size() == 32 + 7 * 5 * 12);
  CHECK(pc2.substr(0, 12) == std::string("POINTCACHE2\0", 12));
  CHECK(get<std::int32_t>(std::string_view(pc2).substr(16), std::endian::little) == 5);
  CHECK(get<std::int32_t>(std::string_view(pc2).substr(28), std::endian::little) == 7);
  CHECK(get<float>(std::string_view(pc2).substr(32 + (4 * 5 + 3) * 12 + 4), std::endian::little) ==
        1.0f);

  const std::vector<double> times = {0, 0.5, 1};
  write_mdd(folder / "a.mdd", 5, times, frame);
  const std::string mdd = read_text_file(folder / "a.mdd");
  CHECK(mdd.size() == 8 + 3 * 4 + 3 * 5 * 12);
  CHECK(get<std::int32_t>(mdd, std::endian::big) == 3);
  CHECK(get<float>(std::string_view(mdd).substr(12), std::endian::big) == 0.5f);
  CHECK(get<float>(std::string_view(mdd).substr(20 + (2 * 5 + 4) * 12), std::endian::big) == 4.0f);
}

TEST_CASE("a cache with frames of differing size is refused, and nothing is left") {
  const TemporaryFolder folder;
  std::vector<Vec3f> points;
  const auto frame = [&](int f) -> std::span<const Vec3f> { return points = at(f); };
  CHECK(!testing::refusal([&] { write_pc2(folder / "b.pc2", 6, 2, frame); }).empty());
  CHECK(std::filesystem::is_empty(folder / ""));
}

TEST_CASE("VTU: our own reader finds the triangles again, the list names every file") {
  const TemporaryFolder folder;
  const std::vector<Vec3f> points = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const std::vector<Triangle> triangles = {{0, 1, 2}, {1, 2, 3}};
  const std::vector<float> stress = {1, 2, 3, 4};
  const VtuField field{"von_mises", 1, stress};
  write_vtu(folder / "a.vtu", points, triangles, {&field, 1});
  const Model model = read_model(folder / "a.vtu");
  CHECK(model.surface.triangles == triangles);
  CHECK(model.surface.points[3] == Vec3(0, 0, 1));
  CHECK(has(read_text_file(folder / "a.vtu"), "Name=\"von_mises\""));
  const std::vector<PvdEntry> entries = {{0, 0, "a & b.vtu"}, {0.5, 0, "c.vtu"}};
  write_pvd(folder / "a.pvd", entries);
  CHECK(has(read_text_file(folder / "a.pvd"), "timestep=\"0.5\""));
  CHECK(has(read_text_file(folder / "a.pvd"), "a &amp; b.vtu"));
}

TEST_CASE("USDA: names become identifiers, every frame is a time sample, polygons stay") {
  const TemporaryFolder folder;
  UsdaMesh mesh{.name = "2 bears", .vertices = 5, .faces = {}};
  const Triangle cut[] = {{0, 1, 2}, {0, 2, 3}};
  mesh.faces.add(std::vector<int>{0, 1, 2, 3}, {}, cut);
  const std::vector<UsdaMesh> meshes = {mesh, mesh};
  std::vector<Vec3f> points;
  write_usda(folder / "a.usda", meshes, 3, 24,
             [&](int, int f) -> std::span<const Vec3f> { return points = at(f); });
  const std::string text = read_text_file(folder / "a.usda");
  for (const char* part :
       {"#usda 1.0", "def Mesh \"_2_bears\"", "def Mesh \"_2_bears_2\"", "faceVertexCounts = [4]",
        "endTimeCode = 2", "2: [(0, 0.5, -1.5)", "upAxis = \"Y\""})
    CHECK(has(text, part));
}

TEST_CASE("USDA: faces that change are time samples where they change, and nowhere else") {
  const TemporaryFolder folder;
  const std::vector<int> none;
  Faces one, two;
  const Triangle cut[] = {{0, 1, 2}};
  one.uv = two.uv = {{0, 0}, {1, 0}, {0, 1}};
  one.add(std::vector<int>{0, 1, 2}, std::vector<int>{0, 1, 2}, cut);
  two.add(std::vector<int>{0, 1, 2}, std::vector<int>{0, 1, 2}, cut);
  const Triangle bare[] = {{2, 1, 3}};
  two.add(std::vector<int>{2, 1, 3}, none, bare);
  two.groups = {{"inside", {1}}};
  UsdaMesh mesh{.name = "dough", .vertices = 5, .faces = one};
  mesh.changes = {2};
  mesh.faces_at = [&](int frame) -> const Faces& { return frame < 2 ? one : two; };
  std::vector<Vec3f> points;
  write_usda(folder / "a.usda", std::vector{mesh}, 4, 24,
             [&](int, int f) -> std::span<const Vec3f> { return points = at(f); });
  const std::string text = read_text_file(folder / "a.usda");
  for (const char* part :
       {"faceVertexCounts.timeSamples = {\n            0: [3],\n            2: [3, 3],\n        }",
        "faceVertexIndices.timeSamples = {\n            0: [0, 1, 2],\n            2: [0, 1, 2, 2, "
        "1, 3],\n",
        "primvars:st:indices.timeSamples", "def GeomSubset \"inside\"",
        "int[] indices.timeSamples = {\n            0: [],\n            2: [1],\n"})
    CHECK(has(text, part));
  CHECK(!has(text, "faceVertexCounts = "));
}
