#include <doctest/doctest.h>

#include "core/files.h"
#include "formats/beside.h"
#include "formats/formats.h"
#include "formats/gltf.h"
#include "formats/testing.h"

using namespace pliant;
using namespace pliant::testing;
namespace fs = std::filesystem;

namespace {

const std::string png = "\x89PNG\r\n\x1a\n and more";
const std::string square =
    "mtllib a b.mtl\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nvt 0 0\nvt 1 0\nvt 1 1\n"
    "f 1 2 3\nusemtl wood\nf 1/1 2/2 3/3\nusemtl deep red\nf 1 3 4\n";

}  // namespace

TEST_CASE("an OBJ has the colors and images of its MTL, face by face") {
  const TemporaryFolder folder;
  fs::create_directories(folder / "maps");
  write_file(folder / "maps/oak tree.png", png);
  write_file(
      folder / "a b.mtl",
      "# made by hand\nnewmtl wood\nKd 0.5 0.5 0.5\nmap_Kd -s 1 1 1 -clamp on maps/oak tree.png\n"
      "newmtl deep red\r\nKd 0.8 0 0.1\r\nnewmtl grey\nKd 0.3\n");
  write_file(folder / "a.obj", square);
  const Model model = read_model(folder / "a.obj");
  CHECK(model.warnings.empty());
  const Faces& faces = model.faces;
  REQUIRE(faces.paint.size() == 3);
  REQUIRE(faces.paints.size() == 3);
  CHECK(faces.paint[0] == -1);
  const Paint &wood = faces.paints[std::size_t(faces.paint[1])],
              &red = faces.paints[std::size_t(faces.paint[2])];
  CHECK(wood.name == "wood");
  CHECK(wood.color == Vec3::Ones());  // the image stands in its place
  REQUIRE(wood.image == 0);
  CHECK(*faces.images[0].bytes == png);
  CHECK(red.color == Vec3(0.8, 0, 0.1));
  CHECK(red.image == -1);
  CHECK(faces.paints[2].color == Vec3::Constant(0.3));
}

TEST_CASE("what an MTL names outside of the model's folder is never opened") {
  const TemporaryFolder folder;
  fs::create_directories(folder / "inner/sub");
  write_file(folder / "secret.png", png);
  write_file(folder / "secret.mtl", "newmtl wood\nKd 1 0 0\n");
  fs::create_symlink("../secret.png", folder / "inner/link.png");
  for (const char* name : {"../secret.png", "link.png", "/etc/passwd", "sub/../../secret.png",
                           "file:secret.png", "~/x.png", "sub", ""}) {
    INFO(name);
    write_file(folder / "inner/a b.mtl",
               std::string("newmtl wood\nKd 0 1 0\nmap_Kd ") + name + "\n");
    write_file(folder / "inner/a.obj", square);
    const Model model = read_model(folder / "inner/a.obj");
    CHECK(model.faces.images.empty());
    CHECK(model.faces.paints[0].color == Vec3(0, 1, 0));
    CHECK(model.warnings.size() == (*name ? 1 : 0));
  }
  // As programs write them: the file lies beside the model all the same.
  write_file(folder / "inner/wood.png", png);
  for (const char* name : {"C:\\maps\\wood.png", "/home/ann/wood.png", "../wood.png"}) {
    INFO(name);
    write_file(folder / "inner/a b.mtl", std::string("newmtl wood\nmap_Kd ") + name + "\n");
    CHECK(read_model(folder / "inner/a.obj").faces.images.size() == 1);
  }
  std::string outside = square;
  outside.replace(0, std::string("mtllib a b.mtl").size(), "mtllib ../secret.mtl");
  write_file(folder / "inner/b.obj", outside);
  const Model model = read_model(folder / "inner/b.obj");
  CHECK(model.faces.paints.empty());
  REQUIRE(model.warnings.size() == 1);
  CHECK(has(model.warnings[0], "secret.mtl"));
  CHECK(!file_beside(folder / "inner", "../secret.png"));
  CHECK(file_beside(folder / "inner", "wood.png"));
}

TEST_CASE("images that are none, or too many, leave the color and a warning") {
  const TemporaryFolder folder;
  write_file(folder / "wood.png", "GIF89a");
  write_file(folder / "a b.mtl", "newmtl wood\nKd 0 0 1\nmap_Kd wood.png\n");
  write_file(folder / "a.obj", square);
  const Model model = read_model(folder / "a.obj");
  CHECK(model.faces.paints[0].color == Vec3(0, 0, 1));
  CHECK(model.faces.paints[0].image == -1);
  REQUIRE(model.warnings.size() == 1);
  CHECK(has(model.warnings[0], "neither PNG nor JPEG"));
}

TEST_CASE("a PLY has the colors of its vertices") {
  const TemporaryFolder folder;
  write_file(folder / "a.ply",
             "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\n"
             "property float z\nproperty uchar red\nproperty uchar green\nproperty uchar blue\n"
             "element face 1\nproperty list uchar int vertex_indices\nend_header\n"
             "0 0 0 255 0 0\n1 0 0 0 128 0\n0 1 0 0 0 255\n3 0 1 2\n");
  const Model model = read_model(folder / "a.ply");
  REQUIRE(model.faces.colors.size() == 3);
  CHECK(model.faces.colors[0].isApprox(Eigen::Vector3f(1, 0, 0)));
  CHECK(model.faces.colors[1].y() == doctest::Approx(0.2158).epsilon(0.01));  // linear
}

TEST_CASE("paint and image of a .glb are those it was written with, one primitive for each") {
  const TemporaryFolder folder;
  GlbMesh mesh;
  mesh.name = "crate";
  mesh.color = {0.5, 0.25, 0.125};
  mesh.triangles = {{0, 1, 2}, {1, 2, 3}, {0, 2, 3}};
  mesh.vertices = 4;
  mesh.uv = {{0, 0}, {1, 0}, {0, 1}, {1, 1}};
  mesh.paint = {1, -1, 1};
  mesh.paints = {{"unused", {1, 0, 0}, -1}, {"planks", {1, 1, 0.5}, 0}};
  mesh.images = {{"planks.png", std::make_shared<const std::string>(png)}};
  const std::vector<Eigen::Vector3f> points = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const std::vector<Eigen::Vector3f> later = {{0, 0, 1}, {1, 0, 1}, {0, 1, 1}, {0, 0, 2}};
  write_glb(folder / "a.glb", {&mesh, 1}, 2, 30,
            [&](int, int frame) -> std::span<const Eigen::Vector3f> {
              return frame == 0 ? points : later;
            });
  const Model model = read_model(folder / "a.glb");
  CHECK(model.surface.triangles.size() == 3);
  REQUIRE(model.faces.paints.size() == 2);
  const auto paint_of = [&](int face) {
    return model.faces.paints[std::size_t(model.faces.paint[std::size_t(face)])];
  };
  CHECK(paint_of(0).color.isApprox(mesh.color, 1e-6));  // what has no paint comes first
  CHECK(paint_of(0).image == -1);
  for (const int face : {1, 2}) {
    CHECK(paint_of(face).color.isApprox(Vec3(1, 1, 0.5), 1e-6));
    REQUIRE(paint_of(face).image == 0);
  }
  REQUIRE(model.faces.images.size() == 1);
  CHECK(model.faces.images[0].bytes->starts_with(png));
  const std::string bytes = read_text_file(folder / "a.glb");
  CHECK(has(bytes, "\"targets\""));
}
