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

  ValueRange range() { return Studio(scene, *reader, "test").legend()->range; }

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

namespace {

/// Two boxes, each with a velocity of its own, for two seconds.
struct Flight {
  Flight(const Vec3& one, const Vec3& two, const std::string& camera)
      : scene(built(R"({"colliders": [], "gravity": [0, 0, 0], "camera": {)" + camera +
                    R"(}, "bodies": [{"box": {}, "edge": 1, "method": "rigid"},
                       {"box": {}, "edge": 1, "place": [2, 0, 0], "method": "rigid"}]})")) {
    const std::filesystem::path file = folder.path() / "recording.bin";
    RecordingWriter writer(file, 0, scene.world, "");
    for (int frame = 0; frame <= 20; ++frame) {
      writer.add(scene.world);
      for (Vec3& p : scene.world.bodies[0].drawn_skin().position) p += 0.1 * one;
      for (Vec3& p : scene.world.bodies[1].drawn_skin().position) p += 0.1 * two;
    }
    writer.flush();
    reader.emplace(file);
    cameras = Studio(scene, *reader, "test").cameras();
  }

  /// Where the middle of a body is in the picture of a frame.
  Vec3 seen(int body, int frame) {
    const RecordedBody& recorded = reader->frame(frame)[std::size_t(body)];
    Box box;
    for (const Eigen::Vector3f& p : recorded.points) box.add(p.cast<double>());
    return project(cameras.at(frame), 640.0 / 360, box.centre());
  }
  bool is_seen(int body, int frame) {
    return seen(body, frame).head<2>().cwiseAbs().maxCoeff() < 1;
  }

  TestFolder folder;
  BuiltScene scene;
  std::optional<RecordingReader> reader;
  CameraPath cameras;
};

}  // namespace

TEST_CASE("the camera stands still and sees everything, as long as bodies are more than dots") {
  Flight flight({3, 0, 0}, {0, 4, 0}, "");
  CHECK(flight.cameras.shift.empty());
  for (const int frame : {0, 10, 20})
    for (const int body : {0, 1}) CHECK(flight.is_seen(body, frame));
}

namespace {

/// Shares of the picture that show a red box of this size which falls by half a metre and lies
/// there, at the start and at the end, among these colliders.
std::array<double, 2> shares_of_box(const std::string& size, const std::string& walls) {
  BuiltScene scene = built(R"({
    "outputs": {"width": 96, "height": 54, "samples": 1},
    "colliders": [{"plane": {"point": [0, -1, 0]}})" +
                           walls + R"(],
    "bodies": [{"box": {"size": )" +
                           size + R"(}, "edge": 1, "method": "rigid",
                "color": [0.9, 0.05, 0.05]}]})");
  const TestFolder folder;
  const std::filesystem::path file = folder.path() / "recording.bin";
  RecordingWriter writer(file, 0, scene.world, "");
  for (int frame = 0; frame <= 10; ++frame) {
    writer.add(scene.world);
    if (frame < 5)
      for (Vec3& p : scene.world.bodies[0].drawn_skin().position) p.y() -= 0.1;
  }
  writer.flush();
  RecordingReader reader(file);
  Studio studio(scene, reader, "test");
  std::array<double, 2> shares = {0, 0};
  for (const int end : {0, 1}) {
    const Image image = studio.picture(reader, 10 * end);
    for (const Image::Pixel& pixel : image.pixels)
      shares[std::size_t(end)] += pixel[0] > 2 * pixel[1] + 20;
    shares[std::size_t(end)] /= double(image.pixels.size());
  }
  return shares;
}

}  // namespace

namespace {

std::array<double, 2> shares_of_cube(const std::string& walls) {
  return shares_of_box("[1, 1, 1]", walls);
}

}  // namespace

TEST_CASE("what falls fills a sixth of the picture") {
  for (const double share : shares_of_cube("")) CHECK(share > 1.0 / 6);
}

TEST_CASE("long and flat bodies fill a sixth of the picture, whichever way they lie") {
  const std::vector<std::string> sizes = {"[2, 0.4, 0.5]", "[0.5, 0.4, 2]", "[1.5, 0.25, 1.5]",
                                          "[0.2, 1, 1.5]", "[1.5, 1, 0.2]"};
  for (const std::string& size : sizes) {
    CAPTURE(size);
    const std::array<double, 2> shares = shares_of_box(size, "");
    CHECK(shares[0] > 0);
    CHECK(shares[1] > 1.0 / 6);
  }
}

TEST_CASE("the camera does not stand behind a wall, whichever side the walls are on") {
  const std::string front = R"({"box": {"size": [6, 3, 0.1]}, "place": [0, 0.5, 1]})",
                    back = R"({"box": {"size": [6, 3, 0.1]}, "place": [0, 0.5, -1]})",
                    right = R"({"box": {"size": [0.1, 3, 6]}, "place": [1, 0.5, 0]})",
                    left = R"({"box": {"size": [0.1, 3, 6]}, "place": [-1, 0.5, 0]})",
                    roof = R"({"box": {"size": [2, 0.1, 2]}, "place": [0, 1.2, 0]})",
                    post = R"({"box": {"size": [0.3, 3, 0.3]}, "place": [0.9, 0.5, 1.2]})";
  const std::vector<std::vector<std::string>> rooms = {
      {front},       {right},       {back},        {left},        {front, right},
      {front, left}, {back, right}, {front, back}, {left, right}, {front, right, left},
      {roof, front}, {post, roof}};
  for (const std::vector<std::string>& walls : rooms) {
    std::string text;
    for (const std::string& wall : walls) text += ", " + wall;
    INFO(text);
    for (const double share : shares_of_cube(text)) CHECK(share > 0.04);  // hidden: none of it
  }
}

TEST_CASE("the camera goes with bodies that move far on together, unless it may not") {
  const Vec3 down(0, -50, 0);
  Flight flight(down, down, "");
  for (const int frame : {0, 10, 20})
    CHECK((flight.seen(0, frame) - flight.seen(0, 0)).norm() < 1e-4);
  CHECK(flight.seen(0, 0).z() < 20);  // [m] away
  for (const char* camera : {R"("follow": "never")", R"("eye": [9, 0, 0])"}) {
    Flight still(down, down, camera);
    CHECK(still.cameras.shift.empty());
  }
  Flight asked({1, 0, 0}, {1, 0, 0},
               R"("follow": "always", "eye": [0, 0, 9], "target": [1, 0, 0])");
  CHECK((asked.cameras.at(20).eye - Vec3(2, 0, 9)).norm() < 1e-5);
  CHECK((asked.cameras.at(20).target - Vec3(3, 0, 0)).norm() < 1e-5);
}

TEST_CASE("the camera stays with those that stay") {
  Flight flight({0, 0, 0.5}, {60, 0, 0}, "");
  CHECK(flight.cameras.shift.empty());
  for (const int frame : {0, 10, 20}) CHECK(flight.is_seen(0, frame));
  CHECK(flight.is_seen(1, 0));
  CHECK(!flight.is_seen(1, 20));
  CHECK(flight.seen(0, 0).z() < 25);
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
