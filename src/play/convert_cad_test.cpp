#include <doctest/doctest.h>
#include <fmt/format.h>

#include "core/errors.h"
#include "core/files.h"
#include "formats/cad.h"
#include "formats/formats.h"
#include "geometry/nurbs/primitives.h"
#include "play/convert.h"
#include "play/recording.h"
#include "play/test_scene.h"

// Frames of bodies with control points as CAD files.

using namespace pliant;
namespace fs = std::filesystem;

namespace {

constexpr int frames = 3;

/// A beam from a CAD file, scaled and turned, a box made here, and a box without control points.
struct Run {
  TestFolder folder;
  fs::path path = folder.path() / "run", beam = folder.path() / "beam.step";
  Run() {
    write_cad(beam, nurbs_beam({1, 0.2, 0.2}, 2));
    BuiltScene scene = built();
    RunWatcher watcher;
    run(scene, {.folder = path, .scene_name = "beam"}, watcher);
  }
  BuiltScene built() const {
    const SceneSource source = folder.source();
    return build_scene(read_scene_text(text(), source), source);
  }
  static std::string text() {
    return fmt::format(
        R"({{"frames": {}, "substeps": 2, "bodies": [
            {{"file": "beam.step", "unit": "cm", "scale": 0.03, "up": "z", "rotate": [0, 0, 30],
              "place": [0, 1, 0], "method": {{"nurbs": {{"voxels": 500}}}}, "material": "jelly",
              "spin": [0, 90, 200]}},
            {{"name": "block", "box": {{"size": [0.2, 0.2, 0.2]}}, "place": [2, 1, 0],
              "method": {{"nurbs": {{"voxels": 500}}}}, "material": "jelly", "spin": [300, 0, 0]}},
            {{"name": "plain", "box": {{"size": [0.2, 0.2, 0.2]}}, "place": [4, 1, 0], "edge": 0.2,
              "method": {{"tets": {{"cells": 8}}}}, "material": "jelly"}}],
            "outputs": {{"film": false, "picture": false, "ply": false, "glb": false}}}})",
        frames);
  }
};

struct Listener : RunWatcher {
  std::vector<std::string> warnings;
  void warning(const std::string& text) override { warnings.push_back(text); }
};

ConvertOptions to(const char* format, const fs::path& folder) {
  ConvertOptions options;
  options.formats = {format};
  options.folder = folder;
  return options;
}

std::string refusal(const fs::path& run, const ConvertOptions& options) {
  RunWatcher watcher;
  try {
    convert_run(run, options, watcher);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// [m] between poles that should be the same.
double distance(const std::vector<NurbsPatch>& a, const std::vector<NurbsPatch>& b) {
  if (a.size() != b.size()) return INFINITY;
  double worst = 0;
  for (std::size_t p = 0; p < a.size(); ++p) {
    if (a[p].pole.size() != b[p].pole.size()) return INFINITY;
    for (std::size_t i = 0; i < a[p].pole.size(); ++i)
      worst = std::max(worst, (a[p].pole[i] - b[p].pole[i]).norm());
  }
  return worst;
}

}  // namespace

TEST_CASE("CAD files of a frame are the simulated surface, to 1e-9 of its size") {
  if (!has_cad()) return;
  const Run run;
  BuiltScene again = run.built();
  for (int i = 0; i < frames; ++i) again.world.step(1.0 / 60);
  const Body &beam = again.world.bodies[0], &block = again.world.bodies[1];
  REQUIRE(beam.control_net);
  const Model given = read_model(run.beam);
  const std::vector<int>& vertex = again.originals[0].vertex;
  REQUIRE(vertex.size() == given.on_patch.size());
  for (const char* format : {"step", "iges"}) {
    CAPTURE(format);
    Listener listener;
    const fs::path out = run.path / "convert";
    CHECK(convert_run(run.path, to(format, out), listener).finished);
    REQUIRE(listener.warnings.size() == 1);
    CHECK(has(listener.warnings[0], "plain has no control points"));
    const auto file = [&](const char* name, int frame) {
      return out / format / fmt::format("{}_{:04}.{}", name, frame, format);
    };
    CHECK(!fs::exists(file("plain", frames)));

    const std::vector<NurbsPatch> faces = read_cad(file("beam", frames)).patches;
    CHECK(distance(faces, beam.control_net->moved(beam.nodes.position)) < 1e-12);
    double worst = 0, moved = 0;
    for (std::size_t v = 0; v < vertex.size(); ++v) {
      const auto& [patch, uv] = given.on_patch[v];
      const Vec3& seen = beam.drawn_skin().position[std::size_t(vertex[v])];
      worst = std::max(worst, (faces[std::size_t(patch)].point(uv.x(), uv.y()) - seen).norm());
      moved = std::max(moved, (beam.drawn_skin().rest[std::size_t(vertex[v])] - seen).norm());
    }
    CHECK(worst < 1e-9 * beam.extent);
    CHECK(moved > 0.1 * beam.extent);

    const CadModel box = read_cad(file("block", frames));
    CHECK(box.patches.size() == 6);
    CHECK(distance(box.patches, block.control_net->moved(block.nodes.position)) < 1e-12);
    CHECK(distance(read_cad(file("block", 0)).patches, block.control_net->patches) < 1e-12);
  }
}

TEST_CASE("a recording with control points goes on, and is converted on, to the same bytes") {
  if (!has_cad()) return;
  const Run run;
  const std::string whole = read_text_file(run.path / "recording.bin");
  BuiltScene again = run.built();
  const fs::path cut = run.folder.path() / "cut.bin";
  std::size_t length = 0;
  const std::string color = again.resolved.outputs.color_by;
  for (int i = 0; i <= frames; ++i) {
    if (i > 0) again.world.step(1.0 / 60);
    RecordingWriter writer(cut, length, again.world, color, {}, again.originals, again.cad_files);
    writer.add(again.world);
    length = writer.length();
  }
  CHECK(read_text_file(cut) == whole);

  const fs::path out = run.path / "convert", file = out / "iges/beam_0002.iges";
  RunWatcher watcher;
  convert_run(run.path, to("iges", out), watcher);
  const std::string first = read_text_file(file);
  fs::remove(file);
  ConvertOptions options = to("iges", out);
  options.resume = true;
  convert_run(run.path, options, watcher);
  CHECK(read_text_file(file) == first);
}

TEST_CASE("without control points, or the file of their trims, there is one sentence and no file") {
  if (!has_cad()) return;
  const Run run;
  const fs::path out = run.path / "convert";
  write_file(run.beam, read_text_file(run.beam) + "\n");
  CHECK(has(refusal(run.path, to("step", out)), "beam.step: is not the file any more"));
  fs::remove(run.beam);
  CHECK(has(refusal(run.path, to("step", out)), "beam.step: is there no more"));

  BuiltScene boxes = test::two_boxes();
  RunWatcher watcher;
  pliant::run(boxes, {.folder = run.folder.path() / "boxes", .scene_name = "boxes"}, watcher);
  CHECK(has(refusal(run.folder.path() / "boxes", to("iges", out)), "no body with control points"));
  CHECK(!fs::exists(out / "step"));
  CHECK(!fs::exists(out / "iges"));
}
