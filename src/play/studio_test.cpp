#include "play/studio.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "play/test_scene.h"

using namespace pliant;
using namespace pliant::test;

namespace {

/// A box on its way up, faster from frame to frame, except that one frame is a thousand times as
/// fast as the others where `jump` says so.
struct Recorded {
  explicit Recorded(const std::string& outputs, int jump = -1, int frames = 20)
      : scene(built(R"({"colliders": [], "gravity": [0, 0, 0], "outputs": {)" + outputs +
                    R"(}, "bodies": [{"box": {}, "edge": 0.5, "method": "rigid"}]})")) {
    const std::filesystem::path file = folder.path() / "recording.bin";
    RecordingWriter writer(file, 0, scene.world, scene.resolved.outputs.color_by);
    for (int frame = 0; frame < frames; ++frame) {
      for (Vec3& velocity : scene.world.bodies[0].nodes.velocity)
        velocity = (frame == jump ? 1000.0 : 1.0) * frame * Vec3::UnitY();
      writer.add(scene.world);
    }
    writer.flush();
    reader.emplace(file);
  }

  ValueRange range() { return Studio(scene, *reader, "test").legend().range; }

  TestFolder folder;
  BuiltScene scene;
  std::optional<RecordingReader> reader;
};

}  // namespace

TEST_CASE("colors reach from the least to the most of a film, or as far as the scene says") {
  const ValueRange found = Recorded(R"("color_by": "speed")").range();
  CHECK(found.low == 0);
  CHECK(found.high == doctest::Approx(19));
  const ValueRange asked = Recorded(R"("color_by": "speed", "color_range": [-2, 5])").range();
  CHECK(asked.low == -2);
  CHECK(asked.high == 5);
}

TEST_CASE("fields with a sign have zero in the middle") {
  const ValueRange found = Recorded(R"("color_by": "velocity_y")").range();
  CHECK(found.low == doctest::Approx(-19));
  CHECK(found.high == doctest::Approx(19));
}

TEST_CASE("a jump of one frame does not take the colors from all others") {
  CHECK(Recorded(R"("color_by": "speed")", 10).range().high < 60);
}

TEST_CASE("the one frame of an answer counts, whatever is before it") {
  for (int frames = 2; frames < 6; ++frames)
    CHECK(Recorded(R"("color_by": "speed")", frames - 1, frames).range().high ==
          doctest::Approx(1000 * (frames - 1)));
}
