#include "play/recording.h"

#include <cstring>
#include <doctest/doctest.h>

#include "core/errors.h"
#include "play/record_bytes.h"
#include "play/test_scene.h"

using namespace pliant;
using namespace pliant::test;
namespace fs = std::filesystem;

namespace {

constexpr double frame = 1.0 / 60;

/// What a reader should find in one frame.
struct Seen {
  double time;
  std::vector<std::vector<Vec3>> points;
  std::vector<std::vector<double>> values;
};

Seen see(const World& world, const std::string& name) {
  Seen seen{world.time, {}, {}};
  for (const Body& body : world.bodies) {
    seen.points.push_back(body.drawn_skin().position);
    seen.values.emplace_back();
    if (!name.empty()) field(body, name, seen.values.back());
  }
  return seen;
}

void check(const std::vector<RecordedBody>& bodies, double time, const Seen& seen) {
  REQUIRE(time == seen.time);
  REQUIRE(bodies.size() == seen.points.size());
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    std::vector<Eigen::Vector3f> points;
    for (const Vec3& p : seen.points[b]) points.push_back(p.cast<float>());
    REQUIRE(bodies[b].points == points);
    REQUIRE(bodies[b].values == std::vector<float>(seen.values[b].begin(), seen.values[b].end()));
  }
}

/// Records `frames` steps and the start; the length of the file after each.
std::vector<std::size_t> record(const fs::path& path, World& world, const std::string& name,
                                int frames, std::vector<Seen>& seen) {
  RecordingWriter writer(path, 0, world, name);
  std::vector<std::size_t> lengths = {writer.length()};
  for (int i = 0; i <= frames; ++i) {
    if (i > 0) world.step(frame);
    writer.add(world);
    seen.push_back(see(world, name));
    lengths.push_back(writer.length());
  }
  return lengths;
}

void write(const fs::path& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

/// In place: a file written anew would be waited for.
void flip(const fs::path& path, std::size_t bit) {
  std::fstream file(path, std::ios::binary | std::ios::in | std::ios::out);
  file.seekg(std::streamoff(bit / 8));
  const int byte = file.get();
  file.seekp(std::streamoff(bit / 8));
  file.put(char(byte ^ (1 << bit % 8)));
  REQUIRE(file.good());
}

}  // namespace

TEST_CASE("a recording gives back every frame, with and without a field, in any order") {
  for (const std::string name : {"", "speed", "von_mises"}) {
    CAPTURE(name);
    const TestFolder folder;
    BuiltScene scene = two_boxes();
    std::vector<Seen> seen;
    record(folder.path() / "r.bin", scene.world, name, 4, seen);
    RecordingReader reader(folder.path() / "r.bin");
    REQUIRE(reader.frames() == 5);
    CHECK(reader.field() == name);
    for (const int i : {0, 1, 2, 3, 4, 4, 1, 3, 0}) {
      const std::vector<RecordedBody>& bodies = reader.frame(i);
      check(bodies, reader.time(), seen[i]);
      for (std::size_t b = 0; b < bodies.size(); ++b) {
        CHECK(bodies[b].name == scene.world.bodies[b].name);
        CHECK(bodies[b].color == scene.world.bodies[b].color);
        CHECK(bodies[b].triangles == scene.world.bodies[b].drawn_skin().triangles);
        CHECK(bodies[b].topology == 1);
      }
    }
  }
}

TEST_CASE("a field that the bodies do not have leaves the values empty") {
  const TestFolder folder;
  BuiltScene scene = two_boxes();
  {
    RecordingWriter writer(folder.path() / "r.bin", 0, scene.world, "body");
    writer.add(scene.world);
  }
  RecordingReader reader(folder.path() / "r.bin");
  for (const RecordedBody& body : reader.frame(0)) CHECK(body.values.empty());
}

TEST_CASE("a recording cut back and continued has the bytes of one that was never cut") {
  const TestFolder folder;
  const fs::path whole = folder.path() / "whole.bin", cut = folder.path() / "cut.bin";
  BuiltScene scene = two_boxes();
  std::vector<Seen> seen;
  const std::vector<std::size_t> lengths = record(whole, scene.world, "speed", 5, seen);

  for (int kept = 1; kept <= 5; ++kept) {
    CAPTURE(kept);
    BuiltScene again = two_boxes();
    std::vector<Seen> ignored;
    record(cut, again.world, "speed", kept + 1, ignored);  // one frame too many
    BuiltScene resumed = two_boxes();
    for (int i = 0; i < kept; ++i) resumed.world.step(frame);
    RecordingWriter writer(cut, lengths[std::size_t(kept) + 1], resumed.world, "speed");
    for (int i = kept; i < 5; ++i) {
      resumed.world.step(frame);
      writer.add(resumed.world);
    }
    CHECK(read_text_file(cut) == read_text_file(whole));
  }
}

TEST_CASE("triangles that change are recorded anew, and the reader tells") {
  const TestFolder folder;
  BuiltScene scene = two_boxes();
  Skin& skin = scene.world.bodies[1].drawn_skin();
  const std::vector<Triangle> before = skin.triangles;
  {
    RecordingWriter writer(folder.path() / "r.bin", 0, scene.world, "");
    writer.add(scene.world);
    skin.triangles.pop_back();
    ++skin.revision;
    writer.add(scene.world);
    writer.add(scene.world);
  }
  RecordingReader reader(folder.path() / "r.bin");
  const int first = reader.frame(0)[1].topology;
  CHECK(reader.frame(0)[1].triangles == before);
  CHECK(reader.frame(1)[1].triangles == skin.triangles);
  CHECK(reader.frame(1)[1].topology == first + 1);
  CHECK(reader.frame(2)[1].topology == first + 1);
  CHECK(reader.frame(2)[0].topology == 1);
  CHECK(reader.frame(0)[1].triangles == before);
}

TEST_CASE("a recording cut anywhere is refused or holds the frames that are whole") {
  const TestFolder folder;
  const fs::path path = folder.path() / "r.bin";
  BuiltScene scene = two_boxes();
  std::vector<Seen> seen;
  const std::vector<std::size_t> lengths = record(path, scene.world, "speed", 2, seen);
  for (std::size_t length = lengths.back(); length-- > 0;) {
    fs::resize_file(path, length);
    if (length < lengths[0]) {
      REQUIRE_THROWS_AS(RecordingReader{path}, IoError);
      continue;
    }
    RecordingReader reader(path);
    int whole = 0;
    while (lengths[std::size_t(whole) + 1] <= length) ++whole;
    REQUIRE(reader.frames() == whole);
    if (whole == 0) continue;
    const std::vector<RecordedBody>& bodies = reader.frame(whole - 1);
    check(bodies, reader.time(), seen[std::size_t(whole) - 1]);
  }
}

TEST_CASE("no single flipped bit makes a reader hand out a triangle without its points") {
  const TestFolder folder;
  const fs::path path = folder.path() / "r.bin";
  BuiltScene scene = two_boxes();
  std::vector<Seen> seen;
  record(path, scene.world, "speed", 1, seen);
  const std::size_t bits = 8 * fs::file_size(path);
  int refused = 0;
  for (std::size_t bit = 0; bit < bits; bit += 13) {
    flip(path, bit);
    try {
      RecordingReader reader(path);
      for (int i = 0; i < reader.frames(); ++i)
        for (const RecordedBody& body : reader.frame(i)) {
          if (!body.values.empty()) REQUIRE(body.values.size() == body.points.size());
          bool fits = true;
          for (const Triangle& t : body.triangles)
            for (const int v : t) fits = fits && v >= 0 && v < int(body.points.size());
          REQUIRE(fits);
        }
    } catch (const IoError&) {
      ++refused;
    }
    flip(path, bit);
  }
  CHECK(refused > 0);
}

TEST_CASE("what is missing, empty, a folder or something else is refused with its name") {
  const TestFolder folder;
  write(folder.path() / "empty.bin", "");
  write(folder.path() / "other.bin", "this is not what you are looking for");
  for (const char* name : {"missing.bin", "empty.bin", "other.bin", "."}) {
    CAPTURE(name);
    CHECK_THROWS_WITH_AS(RecordingReader{folder.path() / name}, doctest::Contains(name), IoError);
  }
  CHECK_THROWS_WITH_AS(RecordingReader{folder.path() / "empty.bin"},
                       doctest::Contains("not a pliant recording"), IoError);
}

TEST_CASE("recordings of the version before are read, with nothing inside and no colliders") {
  const std::vector<Eigen::Vector3f> points = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  const std::vector<Triangle> triangles = {{0, 1, 2}};
  std::vector<std::byte> head, one;
  put(head, std::string("speed"));
  for (const int count : {0, 1}) put(head, std::int32_t(count));  // fields, bodies
  put(head, std::string("old"));
  for (const double color : {1.0, 0.5, 0.25}) put(head, color);
  for (int empty = 0; empty < 8; ++empty) put(head, std::int32_t(0));  // no original
  put(one, 0.25);
  put(one, std::int32_t(1));
  put_array(one, triangles);
  put_array(one, points);
  put_array(one, std::vector<float>{1, 2, 3});
  std::vector<std::byte> file;
  put(file, "pliantR2", 8);
  for (const std::vector<std::byte>* record : {&head, &one}) {
    put(file, std::uint64_t(record->size()));
    put(file, record->data(), record->size());
  }
  const TestFolder folder;
  write(folder.path() / "r.bin", {reinterpret_cast<const char*>(file.data()), file.size()});
  RecordingReader reader(folder.path() / "r.bin");
  REQUIRE(reader.frames() == 1);
  const RecordedBody& body = reader.frame(0)[0];
  CHECK(reader.time() == 0.25);
  CHECK(body.name == "old");
  CHECK(body.points == points);
  CHECK(body.triangles == triangles);
  CHECK(body.values == std::vector<float>{1, 2, 3});
  CHECK(body.bulk.empty());
  CHECK(reader.colliders().empty());
}
