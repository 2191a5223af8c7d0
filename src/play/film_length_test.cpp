#include "play/film_length.h"

#include <doctest/doctest.h>

#include "play/test_scene.h"

namespace pliant {
namespace {

using namespace test;

/// Of two seconds in which a box moves for half of one.
int length(const std::string& outputs, const std::string& colliders = "[]") {
  const BuiltScene scene = built(R"({"outputs": {)" + outputs + R"(}, "colliders": )" + colliders +
                                 R"(, "bodies": [{"box": {}, "edge": 1, "method": "rigid"}]})");
  BuiltScene moving =
      built(R"({"colliders": [], "bodies": [{"box": {}, "edge": 1, "method": "rigid"}]})");
  const TestFolder folder;
  const std::filesystem::path file = folder.path() / "recording.bin";
  RecordingWriter writer(file, 0, moving.world, "");
  for (int frame = 0; frame <= 120; ++frame) {
    writer.add(moving.world);
    moving.world.time += 1.0 / 60;
    if (frame < 30)
      for (Vec3& p : moving.world.bodies[0].skin.position) p.y() -= 0.05;
  }
  writer.flush();
  RecordingReader reader(file);
  return film_length(scene, reader);
}

}  // namespace

TEST_CASE("a film ends a second after all has come to rest, unless it is wanted whole") {
  CHECK(length("") == 15 + 30 + 1);
  CHECK(length(R"("trim": false)") == 61);
}

TEST_CASE("a collider that moves keeps a film going") {
  CHECK(length("", R"([{"box": {"size": [1, 1, 1]}, "place": [5, 0, 0],
                        "spin": {"axis": [0, 1, 0], "degrees_per_second": 90}}])") == 61);
}

}  // namespace pliant
