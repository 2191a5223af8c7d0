#include "play/checkpoint.h"

#include <doctest/doctest.h>

#include "core/errors.h"
#include "core/random.h"
#include "play/test_scene.h"

using namespace pliant;
using namespace pliant::test;
namespace fs = std::filesystem;

namespace {

constexpr double frame = 1.0 / 60;
constexpr std::uint64_t scene_id = 0x1234567890abcdef;

Checkpoint after(int frames) {
  return {scene_id, frames, 1000 + std::uint64_t(frames), 100 + std::uint64_t(frames)};
}

struct Loaded {
  std::optional<Checkpoint> checkpoint;
  std::vector<std::string> warnings;
  std::uint64_t hash = 0;
};

/// Into a world as built.
Loaded load(const fs::path& folder, std::uint64_t scene = scene_id) {
  BuiltScene fresh = two_boxes();
  Loaded loaded;
  loaded.checkpoint = load_checkpoint(folder, scene, fresh.world, loaded.warnings);
  loaded.hash = state_hash(fresh.world);
  return loaded;
}

/// A folder with the checkpoints of frames 1 and 2.
struct Fixture {
  TestFolder folder;
  BuiltScene scene = two_boxes();
  std::uint64_t hashes[3] = {};

  Fixture() {
    for (int i = 0; i <= 2; ++i) {
      if (i > 0) scene.world.step(frame);
      hashes[i] = state_hash(scene.world);
      if (i > 0) save_checkpoint(folder.path(), after(i), scene.world);
    }
  }
  fs::path newest() const { return folder.path() / "checkpoint.bin"; }
  fs::path old() const { return folder.path() / "checkpoint.old.bin"; }
};

}  // namespace

TEST_CASE_FIXTURE(Fixture,
                  "the newest checkpoint brings back the state and where the files stood") {
  const Loaded loaded = load(folder.path());
  REQUIRE(loaded.checkpoint);
  CHECK(loaded.checkpoint->frame == 2);
  CHECK(loaded.checkpoint->scene == scene_id);
  CHECK(loaded.checkpoint->recording_length == 1002);
  CHECK(loaded.checkpoint->metrics_length == 102);
  CHECK(loaded.hash == hashes[2]);
  CHECK(loaded.warnings.empty());
}

TEST_CASE_FIXTURE(Fixture, "a missing or cut checkpoint falls back to the one before") {
  const std::string good = read_text_file(newest());
  for (const std::size_t length :
       {std::size_t(0), std::size_t(7), std::size_t(15), good.size() / 2, good.size() - 1}) {
    CAPTURE(length);
    fs::resize_file(newest(), length);
    const Loaded loaded = load(folder.path());
    REQUIRE(loaded.checkpoint);
    CHECK(loaded.checkpoint->frame == 1);
    CHECK(loaded.hash == hashes[1]);
    CHECK(loaded.warnings.size() == 1);
    folder.add("checkpoint.bin", good);
  }
  fs::remove(newest());
  CHECK(has_checkpoint(folder.path()));
  const Loaded loaded = load(folder.path());
  REQUIRE(loaded.checkpoint);
  CHECK(loaded.checkpoint->frame == 1);
  CHECK(loaded.warnings.empty());
}

TEST_CASE_FIXTURE(Fixture, "without any checkpoint nothing is loaded and nothing is touched") {
  fs::remove(newest());
  fs::remove(old());
  CHECK(!has_checkpoint(folder.path()));
  const Loaded loaded = load(folder.path());
  CHECK(!loaded.checkpoint);
  CHECK(loaded.hash == hashes[0]);
}

TEST_CASE_FIXTURE(Fixture, "a checkpoint of another scene is refused, not skipped") {
  CHECK_THROWS_WITH_AS(load(folder.path(), scene_id + 1), doctest::Contains("another scene"),
                       InputError);
}

TEST_CASE_FIXTURE(Fixture, "one flipped bit anywhere is noticed, and then nothing is loaded") {
  fs::remove(old());
  const std::string good = read_text_file(newest());
  for (std::uint64_t i = 0; i < 200; ++i) {
    // The first 64 places are the head of the file, one bit of each byte; the others lie anywhere.
    const std::size_t place = i < 64 ? std::size_t(i) : random_bits(7, i) % good.size();
    CAPTURE(place);
    std::string bad = good;
    bad[place] = char(bad[place] ^ (1 << random_bits(8, i) % 8));
    folder.add("checkpoint.bin", bad);
    std::vector<std::string> warnings;
    REQUIRE(!load_checkpoint(folder.path(), scene_id, scene.world, warnings));
    REQUIRE(warnings.size() == 1);
    REQUIRE(state_hash(scene.world) == hashes[2]);
  }
}

TEST_CASE_FIXTURE(Fixture, "something appended to a checkpoint is noticed") {
  folder.add("checkpoint.bin", read_text_file(newest()) + '\0');
  const Loaded loaded = load(folder.path());
  REQUIRE(loaded.checkpoint);
  CHECK(loaded.checkpoint->frame == 1);
}
