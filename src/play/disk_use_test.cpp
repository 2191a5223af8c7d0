#include "play/disk_use.h"

#include <doctest/doctest.h>

#include "play/test_scene.h"

using namespace pliant;
using namespace pliant::test;
namespace fs = std::filesystem;

namespace {

struct Listener : RunWatcher {
  void note(const std::string& line) override { notes += line + '\n'; }
  void warning(const std::string& line) override { warnings += line + '\n'; }
  std::string notes, warnings;
};

double size_of(const fs::path& path) {
  if (!fs::is_directory(path)) return double(fs::file_size(path));
  double sum = 0;
  for (const fs::directory_entry& entry : fs::directory_iterator(path))
    sum += double(entry.file_size());
  return sum;
}

}  // namespace

TEST_CASE("the bytes told before a run are about those that it leaves") {
  BuiltScene scene = built(R"({"frames": 20, "substeps": 1, "gravity": [0, 0, 0],
      "bodies": [{"sphere": {}, "edge": 0.02, "method": {"tets": {"cells": 8}}, "material": "jelly"}],
      "outputs": {"film": false, "picture": false, "ply": true, "color_by": "speed", "fields": ["height"]}})");
  const TestFolder folder;
  RunOptions options;
  options.folder = folder.path() / "out";
  Listener listener;
  run(scene, options, listener);
  const DiskUse use = disk_use(scene);
  CHECK(double(use.recording) ==
        doctest::Approx(size_of(options.folder / "recording.bin")).epsilon(0.1));
  CHECK(double(use.surfaces) == doctest::Approx(size_of(options.folder / "ply")).epsilon(0.1));
  CHECK(double(use.animation) ==
        doctest::Approx(size_of(options.folder / "animation.glb")).epsilon(0.2));
  CHECK(listener.notes.empty());
  CHECK(listener.warnings.empty());
}

TEST_CASE("a gigabyte is told, more than the disk has is a warning") {
  Listener listener;
  tell_disk_use({.recording = 2'000'000'000, .surfaces = 500'000'000, .animation = 0}, "/",
                listener);
  CHECK((listener.notes + listener.warnings).find("2.5 GB: recording.bin 2.0 GB, ply/ 0.5 GB") !=
        std::string::npos);
  tell_disk_use({.recording = std::uint64_t(1) << 60}, "/", listener);
  CHECK(listener.warnings.find("are free in /") != std::string::npos);
}
