#include "play/body_paint.h"

#include <doctest/doctest.h>

#include "picture/color.h"
#include "picture/image.h"
#include "play/test_scene.h"

using namespace pliant;
using namespace pliant::test;

namespace {

/// A textured plate of two triangles, refined for physics: its image is red left and blue right.
struct Plate {
  TestFolder folder;
  BuiltScene scene;

  explicit Plate(const std::string& more = "") {
    Image image(32, 1, {0, 0, 255});
    for (int x = 0; x < 16; ++x) image.at(x, 0) = {255, 0, 0};
    write_png(folder.path() / "flag.png", image);
    folder.add("flag.mtl", "newmtl flag\nmap_Kd flag.png\nnewmtl back\nKd 0 1 0\n");
    folder.add("flag.obj",
               "mtllib flag.mtl\nv -1 0 0\nv 1 0 0\nv 1 1 0\nv -1 1 0\nv -1 0 -0.3\nv 1 0 -0.3\n"
               "v 1 1 -0.3\nv -1 1 -0.3\nvt 0 0\nvt 1 0\nvt 1 1\nvt 0 1\n"
               "usemtl flag\nf 1/1 2/2 3/3 4/4\nusemtl back\nf 6 5 8 7\nf 1 4 8 5\nf 2 6 7 3\n"
               "f 4 3 7 8\nf 1 5 6 2\n");
    const SceneSource source = folder.source();
    scene = build_scene(
        read_scene_text(R"({"frames": 1, "bodies": [{"file": "flag.obj")" + more + "}]}", source),
        source);
  }

  /// Color of the film at a point of the front, by the paint alone.
  Eigen::Vector3f color_at(const ShotPaint& paint, const RecordedBody& body, float x) const {
    for (std::size_t t = 0; t < body.triangles.size(); ++t) {
      Eigen::Vector3f middle = Eigen::Vector3f::Zero();
      Eigen::Vector2f uv = Eigen::Vector2f::Zero();
      for (std::size_t k = 0; k < 3; ++k) {
        middle += body.rest[std::size_t(body.triangles[t][k])] / 3;
        uv += paint.uv[3 * t + k] / 3;
      }
      if (std::abs(middle.z()) > 1e-3f || std::abs(middle.x() - x) > 0.3f) continue;
      const ShotPaint::Kind& kind = paint.kinds[std::size_t(paint.kind[t])];
      return kind.texture ? kind.texture->at(uv, 0) : kind.color;
    }
    return Eigen::Vector3f::Constant(-1);
  }
};

}  // namespace

TEST_CASE("a model's image lies on the refined body where it lies on the model") {
  Plate plate(R"(, "method": {"tets": {"cells": 300}})");
  {
    RecordingWriter writer(plate.folder.path() / "r.bin", 0, plate.scene.world, "", {},
                           plate.scene.originals);
    writer.add(plate.scene.world);
  }
  RecordingReader reader(plate.folder.path() / "r.bin");
  const RecordedBody& body = reader.frame(0)[0];
  BodyPaint painter;
  const ShotPaint* const paint = painter.show(body);
  REQUIRE(paint != nullptr);
  CHECK(painter.take_warnings().empty());
  CHECK(body.triangles.size() > 12);
  const Eigen::Vector3f left = plate.color_at(*paint, body, -0.7f),
                        right = plate.color_at(*paint, body, 0.7f);
  CHECK(left.x() > 0.9f);
  CHECK(left.z() < 0.1f);
  CHECK(right.z() > 0.9f);
  CHECK(right.x() < 0.1f);
  int green = 0;
  for (const int kind : paint->kind)
    green += paint->kinds[std::size_t(kind)].color == Eigen::Vector3f(0, 1, 0);
  CHECK(green > int(paint->kind.size()) / 3);
  const int revision = paint->revision;
  CHECK(painter.show(reader.frame(0)[0])->revision == revision);
}

TEST_CASE("a color in the scene is shown instead of the model's own") {
  const Plate own, given(R"(, "color": [1, 0, 0])");
  CHECK(own.scene.originals[0].faces.has_paint());
  CHECK(!own.scene.resolved.bodies[0].color);
  CHECK(!given.scene.originals[0].faces.has_paint());
}
