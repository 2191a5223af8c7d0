#include "formats/faces.h"

#include <doctest/doctest.h>

#include "core/files.h"
#include "formats/obj.h"
#include "formats/ply.h"
#include "formats/stl.h"
#include "formats/testing.h"

using namespace pliant;
using testing::TemporaryFolder;

namespace {

// A square and a triangle, a seam between them: vertex 2 has two texture coordinates.
const char* const textured =
    "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 2 0 0\n"
    "vt 0 0\nvt 0.5 0\nvt 0.5 1\nvt 0 1\nvt 0.75 0.25\n"
    "g left\nf 1/1 2/2 3/3 4/4\ng right\nf 2/5/9 5/-5 3//1\n";

}  // namespace

TEST_CASE("OBJ: polygons, texture coordinates and groups come back as they were") {
  Faces faces;
  const TriangleMesh mesh = parse_obj(textured, "a.obj", nullptr, &faces);
  CHECK(faces.size() == 2);
  CHECK(faces.vertex == std::vector<int>{0, 1, 2, 3, 1, 4, 2});
  CHECK(faces.texture == std::vector<int>{0, 1, 2, 3, 4, 0, -1});
  CHECK(faces.groups.size() == 2);
  CHECK(faces.groups[1].triangles == std::vector<int>{1});
  CHECK(faces.triangles() == mesh.triangles);

  const TemporaryFolder folder;
  write_obj(folder / "b.obj", std::span<const Vec3>(mesh.points), faces);
  Faces again;
  const TriangleMesh second = parse_obj(read_text_file(folder / "b.obj"), "b.obj", nullptr, &again);
  CHECK(testing::same_bits(second.points, mesh.points));
  CHECK(again.vertex == faces.vertex);
  CHECK(again.texture == faces.texture);
  CHECK(again.uv == faces.uv);
  CHECK(again.groups[0].name == "left");
}

TEST_CASE("OBJ: texture indices that name nothing are no reason to refuse a shape") {
  Faces faces;
  parse_obj("v 0 0 0\nv 1 0 0\nv 0 1 0\nvt nan 7\nf 1/9 2/0 3/x\n", "a.obj", nullptr, &faces);
  CHECK(faces.texture.empty());
}

TEST_CASE(
    "vertices are split only where they have two texture coordinates; the given ones come first") {
  Faces faces;
  const TriangleMesh mesh = parse_obj(textured, "a.obj", nullptr, &faces);
  const SplitVertices split = split_by_texture(faces, int(mesh.points.size()));
  REQUIRE(split.vertex.size() == 7);
  for (int v = 0; v < 5; ++v) CHECK(split.vertex[v] == v);
  CHECK(split.vertex[5] == 1);
  CHECK(split.vertex[6] == 2);
  CHECK(split.uv[5] == Eigen::Vector2f(0.75f, 0.25f));
  for (std::size_t t = 0; t < split.triangles.size(); ++t)
    for (int k = 0; k < 3; ++k) CHECK(split.vertex[split.triangles[t][k]] == mesh.triangles[t][k]);
}

TEST_CASE("an original finds its points on a skin") {
  Original original;
  original.vertex = {2, 0, 2};
  original.offset = {Eigen::Vector3f::Zero(), Eigen::Vector3f::Zero(), Eigen::Vector3f(0, 1, 0)};
  const std::vector<Eigen::Vector3f> skin = {{1, 0, 0}, {2, 0, 0}, {3, 0, 0}};
  std::vector<Eigen::Vector3f> points;
  original.place(skin, points);
  CHECK(points == std::vector<Eigen::Vector3f>{{3, 0, 0}, {1, 0, 0}, {3, 1, 0}});
}

TEST_CASE("PLY: texture coordinates of vertices, and clouds") {
  Faces faces;
  parse_ply(
      "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float "
      "z\n"
      "property float s\nproperty float t\nelement face 1\nproperty list uchar int vertex_indices\n"
      "end_header\n0 0 0 0 0\n1 0 0 1 0\n0 1 0 0 0.5\n3 0 1 2\n",
      "a.ply", nullptr, &faces);
  CHECK(faces.texture == std::vector<int>{0, 1, 2});
  CHECK(faces.uv[2] == Eigen::Vector2f(0, 0.5f));
  const char* const cloud =
      "ply\nformat ascii 1.0\nelement vertex 2\nproperty float x\nproperty float y\n"
      "property float z\nend_header\n0 0 0\n1 0 0\n";
  const TriangleMesh points = parse_ply(cloud, "a.ply", nullptr, &faces);
  CHECK(points.points.size() == 2);
  CHECK(points.triangles.empty());
  CHECK(!testing::refusal([&] { parse_ply(cloud, "a.ply"); }).empty());
}

TEST_CASE("STL: what is written is read") {
  const TemporaryFolder folder;
  const std::vector<Eigen::Vector3f> points = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const std::vector<Triangle> triangles = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}};
  write_stl(folder / "a.stl", points, triangles);
  const TriangleMesh mesh = read_stl(folder / "a.stl");
  CHECK(mesh.points.size() == 4);
  CHECK(volume(mesh) == doctest::Approx(1.0 / 6));
}
