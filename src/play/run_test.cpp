#include "play/run.h"

#include <doctest/doctest.h>
#include <limits>
#include <sstream>
#include <stdexcept>

#include "core/errors.h"
#include "play/film_length.h"
#include "play/recording.h"
#include "play/summary.h"
#include "play/test_scene.h"

using namespace pliant;
using namespace pliant::test;
namespace fs = std::filesystem;
using IfTaken = RunFolder::IfTaken;

namespace {

/// Ends the run after so many frames, politely or as a power cut would.
class Impatient : public RunWatcher {
 public:
  enum class Way { never, ask, crash };
  struct Crash : std::runtime_error {
    Crash() : std::runtime_error("crash") {}
  };

  explicit Impatient(Way way = Way::never, int frames = 0) : way_(way), left_(frames) {}
  void note(const std::string& line) override { notes += line + '\n'; }
  bool stop() override {
    if (way_ == Way::never || --left_ > 0) return false;
    if (way_ == Way::crash) throw Crash();
    return true;
  }
  std::string notes;

 private:
  Way way_;
  int left_;
};
using Way = Impatient::Way;

RunOptions into(const fs::path& folder, IfTaken if_taken = IfTaken::refuse) {
  RunOptions options;
  options.folder = folder;
  options.if_taken = if_taken;
  options.scene_name = "test";
  return options;
}

RunResult run_whole(const fs::path& folder, IfTaken if_taken = IfTaken::refuse,
                    const std::string& more = "") {
  BuiltScene scene = two_boxes(more);
  Impatient watcher;
  return run(scene, into(folder, if_taken), watcher);
}

/// metrics.csv without its wall times.
std::string timeless(const fs::path& metrics) {
  std::stringstream lines(read_text_file(metrics));
  std::string kept;
  int columns = -1;
  for (std::string line; std::getline(lines, line);) {
    std::stringstream cells(line);
    int index = 0;
    for (std::string cell; std::getline(cells, cell, ','); ++index) {
      if (columns < 0 && cell.ends_with("_ms")) columns = index;
      if (columns < 0 || index < columns) kept += cell + ',';
    }
    kept += '\n';
  }
  return kept;
}

/// What two equal runs have in common, to the byte.
void check_same(const fs::path& a, const fs::path& b) {
  CHECK(read_text_file(a / "recording.bin") == read_text_file(b / "recording.bin"));
  CHECK(read_text_file(a / "run.json") == read_text_file(b / "run.json"));
  CHECK(read_text_file(a / "checkpoint.bin") != "");
  CHECK(timeless(a / "metrics.csv") == timeless(b / "metrics.csv"));
}

}  // namespace

TEST_CASE("a run records its start and every frame") {
  const TestFolder folder;
  const RunResult result = run_whole(folder.path() / "run");
  CHECK(result.finished);
  CHECK(result.frames == 6);
  BuiltScene scene = two_boxes();
  for (int i = 0; i < 6; ++i) scene.world.step(1.0 / 60);
  CHECK(result.hash == state_hash(scene.world));
  RecordingReader reader(folder.path() / "run" / "recording.bin");
  CHECK(reader.frames() == 7);
  const std::string metrics = read_text_file(folder.path() / "run" / "metrics.csv");
  CHECK(std::count(metrics.begin(), metrics.end(), '\n') == 8);
  for (const fs::path& file : result.files) CHECK(fs::exists(file));
}

TEST_CASE("a run stopped or killed after any frame resumes to the same bytes") {
  const TestFolder folder;
  const RunResult whole = run_whole(folder.path() / "whole");
  for (const Way way : {Way::ask, Way::crash})
    for (int frames = 1; frames <= 5; ++frames) {
      CAPTURE(frames);
      CAPTURE(int(way));
      const fs::path path = folder.path() / "run";
      fs::remove_all(path);
      BuiltScene scene = two_boxes();
      Impatient watcher(way, frames);
      if (way == Way::ask) {
        const RunResult stopped = run(scene, into(path), watcher);
        CHECK(!stopped.finished);
        CHECK(stopped.frames == frames);
      } else {
        CHECK_THROWS_AS(run(scene, into(path), watcher), Impatient::Crash);
      }
      CHECK_THROWS_AS(run_whole(path), InputError);  // unfinished: not overwritten by accident
      const RunResult resumed = run_whole(path, IfTaken::resume);
      CHECK(resumed.finished);
      CHECK(resumed.hash == whole.hash);
      check_same(path, folder.path() / "whole");
    }
}

TEST_CASE("a finished run may be made longer, and then equals one that was longer from the start") {
  const TestFolder folder;
  const auto longer = [](int frames) {
    BuiltScene scene = two_boxes();
    scene.resolved.frames = frames;
    return scene;
  };
  Impatient watcher;
  BuiltScene nine = longer(9);
  const RunResult whole = run(nine, into(folder.path() / "whole"), watcher);
  run_whole(folder.path() / "run");
  SUBCASE("in one go") {}
  SUBCASE("killed on the way, which makes it an unfinished run again") {
    BuiltScene scene = longer(9);
    Impatient killer(Way::crash, 2);
    CHECK_THROWS_AS(run(scene, into(folder.path() / "run", IfTaken::resume), killer),
                    Impatient::Crash);
    CHECK_THROWS_AS(run_whole(folder.path() / "run"), InputError);
  }
  BuiltScene again = longer(9);
  const RunResult resumed = run(again, into(folder.path() / "run", IfTaken::resume), watcher);
  CHECK(resumed.hash == whole.hash);
  check_same(folder.path() / "run", folder.path() / "whole");
}

TEST_CASE("a run of a changed scene is not resumed, and what is there stays") {
  const TestFolder folder;
  run_whole(folder.path() / "run");
  const std::string before = read_text_file(folder.path() / "run" / "recording.bin");
  const std::string summary = read_text_file(folder.path() / "run" / "run.json");
  CHECK_THROWS_WITH_AS(
      run_whole(folder.path() / "run", IfTaken::resume, R"("gravity": [0, -1, 0],)"),
      doctest::Contains("another scene"), InputError);
  CHECK(read_text_file(folder.path() / "run" / "recording.bin") == before);
  CHECK(read_text_file(folder.path() / "run" / "run.json") == summary);
}

TEST_CASE("the fingerprint follows what moves bodies, not what is said about them") {
  const auto fingerprint = [](const std::string& more) {
    BuiltScene scene = two_boxes(more);
    return scene_fingerprint(scene);
  };
  const std::uint64_t plain = fingerprint("");
  CHECK(fingerprint(R"("title": "boxes",)") == plain);
  CHECK(fingerprint(R"("camera": {"fov": 40},)") == plain);
  CHECK(fingerprint(R"("gravity": [0, -9.8, 0],)") != plain);
  CHECK(fingerprint(R"("fps": 61,)") != plain);
  CHECK(fingerprint(R"("colliders": [],)") != plain);
}

TEST_CASE("a run that stops being finite says where and keeps the frames before") {
  const TestFolder folder;
  BuiltScene scene = two_boxes();
  scene.world.bodies[1].nodes.velocity[0].x() = std::numeric_limits<double>::quiet_NaN();
  Impatient watcher;
  CHECK_THROWS_WITH_AS(run(scene, into(folder.path() / "run"), watcher),
                       doctest::Contains("frame 1: body \"two\""), NumericalError);
  RecordingReader reader(folder.path() / "run" / "recording.bin");
  CHECK(reader.frames() == 1);
}

TEST_CASE("resuming where nothing is starts at the beginning and says so") {
  const TestFolder folder;
  BuiltScene scene = two_boxes();
  Impatient watcher;
  const RunResult result = run(scene, into(folder.path() / "run", IfTaken::resume), watcher);
  CHECK(result.frames == 6);
  CHECK(watcher.notes.find("nothing to resume") != std::string::npos);
}

TEST_CASE("a film takes the time of the motion times slow_motion, at about film_fps at most") {
  SceneDescription scene;
  for (const double fps : {1.0, 24.0, 60.0, 1000.0, 1e5})
    for (const double slow : {1e-3, 1.0, 7.5, 58.0, 1e4}) {
      CAPTURE(fps);
      CAPTURE(slow);
      scene.fps = fps;
      scene.outputs.slow_motion = slow;
      CHECK(shown_every(scene) / fps * slow == doctest::Approx(1 / shown_fps(scene)));
      CHECK(shown_fps(scene) <= 1.5 * scene.outputs.film_fps);
      if (shown_every(scene) > 1) CHECK(shown_fps(scene) >= 0.75 * scene.outputs.film_fps);
    }
  scene.fps = 60;
  scene.outputs.slow_motion = 1;
  CHECK(shown_every(scene) == 2);
}
