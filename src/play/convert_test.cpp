#include "play/convert.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "core/errors.h"
#include "core/files.h"
#include "formats/formats.h"
#include "formats/obj.h"
#include "formats/ply.h"
#include "play/recording.h"
#include "play/test_scene.h"

using namespace pliant;
namespace fs = std::filesystem;

namespace {

// A cube of six textured squares, each with corners of its own, and a point of no face.
std::string split_cube() {
  std::string text = "vt 0 0\nvt 1 0\nvt 1 1\nvt 0 1\n";
  int count = 0;
  for (int axis = 0; axis < 3; ++axis)
    for (const int side : {0, 1}) {
      text += fmt::format("g side_{}\n", 2 * axis + side);
      for (int k = 0; k < 4; ++k) {
        const int u = (k == 1 || k == 2), v = k >= 2;
        int p[3];
        p[axis] = side;
        p[(axis + 1) % 3] = side ? u : v;
        p[(axis + 2) % 3] = side ? v : u;
        text += fmt::format("v {} {} {}\n", 0.2 * p[0], 0.2 * p[1], 0.2 * p[2]);
      }
      text += fmt::format("f {}/1 {}/2 {}/3 {}/4\n", count + 1, count + 2, count + 3, count + 4);
      count += 4;
    }
  return text + "v 0.1 0.1 0.3\n";
}

struct Run {
  TestFolder folder;
  fs::path path = folder.path() / "run";
  explicit Run(const std::string& name = "cube") {
    folder.add("cube.obj", split_cube());
    const std::string text = R"({"frames": 6, "substeps": 5, "bodies": [{"name": ")" + name +
                             R"(", "file": "cube.obj", "method": {"tets": {"cells": 27}},
            "spin": [0, 0, 200], "material": "jelly"}],
            "outputs": {"film": false, "picture": false, "ply": false, "glb": false, "color_by": "speed",
                        "fields": ["von_mises", "J", "velocity_x", "velocity_y", "velocity_z"]}})";
    const SceneSource source = folder.source();
    BuiltScene scene = build_scene(read_scene_text(text, source), source);
    RunWatcher watcher;
    run(scene, {.folder = path, .scene_name = "cube"}, watcher);
  }
};

/// All but those that only bodies with control points have.
std::vector<std::string> surface_formats() {
  std::vector<std::string> formats = convert_formats();
  std::erase(formats, "step");
  std::erase(formats, "iges");
  return formats;
}

ConvertOptions to(const std::string& format, const fs::path& folder) {
  ConvertOptions options;
  options.formats = {format};
  options.folder = folder;
  return options;
}

}  // namespace

TEST_CASE("a run becomes files in every format, with the vertices and faces of the model file") {
  const Run run;
  RunWatcher watcher;
  const fs::path out = run.path / "convert";
  ConvertOptions options = to("obj", out);
  options.formats = surface_formats();
  CHECK(convert_run(run.path, options, watcher).finished);

  RecordingReader recording(run.path / "recording.bin");
  const std::vector<RecordedBody>& bodies = recording.frame(4);
  REQUIRE(bodies[0].has_original());
  std::vector<Eigen::Vector3f> expected;
  bodies[0].original.place(bodies[0].points, expected);
  REQUIRE(expected.size() == 25);

  Faces faces;
  const TriangleMesh obj =
      parse_obj(read_text_file(out / "obj/cube_0004.obj"), "cube", nullptr, &faces);
  CHECK(faces.size() == 6);
  CHECK(faces.has_textures());
  CHECK(faces.groups.size() == 6);
  REQUIRE(obj.points.size() == 25);
  for (int p = 0; p < 25; ++p) CHECK(obj.points[p].cast<float>() == expected[p]);
  CHECK(read_ply(out / "ply/cube_0004.ply").points.size() == 25);
  CHECK(read_model(out / "vtu/cube_0004.vtu").surface.triangles.size() == 12);
  CHECK(read_model(out / "stl/cube_0004.stl").surface.triangles.size() == 12);
  const std::string vtu = read_text_file(out / "vtu/cube_0004.vtu");
  for (const char* name : {"displacement_vector", "\"velocity\"", "von_mises", "\"J\"", "speed"})
    CHECK(vtu.find(name) != std::string::npos);
  const std::string pc2 = read_text_file(out / "cube.pc2");
  CHECK(pc2.size() == 32 + 7 * 25 * 12);
  CHECK(std::memcmp(pc2.data() + 32 + 4 * 25 * 12, expected.data(), 25 * 12) == 0);
  CHECK(read_model(out / "animation.glb").surface.triangles.size() == 12);
  CHECK(fs::exists(out / "animation.usda"));
  CHECK(fs::exists(out / "animation.pvd"));
  CHECK(fs::exists(out / "cube.mdd"));
  const std::string csv = read_text_file(out / "cube.csv");
  CHECK(std::count(csv.begin(), csv.end(), '\n') == 1 + 7 * 25);
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(out))
    CHECK(entry.path().extension() != ".part");
}

TEST_CASE("a recording's names lead no file out of the folder of a conversion") {
  const Run run("escaping_body");
  const std::string recorded = read_text_file(run.path / "recording.bin");
  for (const std::string name :
       {"../../escaped", "/tmp/escaped/", "..\0\0 hidden", "..\xff/x/\xe2\x80\xae/.."}) {
    CAPTURE(name);
    std::string hostile = recorded;
    const std::size_t at = hostile.find("escaping_body");
    REQUIRE(at != std::string::npos);
    hostile.replace(at, 13, name + std::string(13 - name.size(), '.'));
    write_file(run.path / "recording.bin", hostile);
    const auto files_outside = [&] {
      std::vector<std::string> files;
      for (const fs::directory_entry& entry : fs::recursive_directory_iterator(run.folder.path()))
        if (entry.path().string().find("/a/b/c") == std::string::npos)
          files.push_back(entry.path().string());
      std::sort(files.begin(), files.end());
      return files;
    };
    fs::create_directories(run.path / "a/b");
    const std::vector<std::string> before = files_outside();
    RunWatcher watcher;
    ConvertOptions options = to("obj", run.path / "a/b/c");
    options.formats = surface_formats();
    CHECK(convert_run(run.path, options, watcher).finished);
    CHECK(files_outside() == before);
    fs::remove_all(run.path / "a");
  }
}

TEST_CASE("a second conversion into a folder is refused while the first one goes on") {
  const Run run;
  struct Second : RunWatcher {
    const Run& run;
    bool refused = false;
    explicit Second(const Run& first) : run(first) {}
    void progress(const char*, int, int) override {
      RunWatcher quiet;
      if (!refused) try {
          convert_run(run.path, to("ply", run.path / "convert"), quiet);
        } catch (const InputError& error) {
          refused = std::string(error.what()).find("is being written") != std::string::npos;
        }
    }
  } second(run);
  convert_run(run.path, to("obj", run.path / "convert"), second);
  CHECK(second.refused);
  RunWatcher quiet;
  CHECK(convert_run(run.path, to("ply", run.path / "convert"), quiet).finished);
}

TEST_CASE("seams stay closed: vertices at one place in the file are at one place in every frame") {
  const Run run;
  RecordingReader recording(run.path / "recording.bin");
  const Model given = read_model(run.folder.path() / "cube.obj");
  std::vector<Eigen::Vector3f> points;
  for (int frame = 0; frame < recording.frames(); ++frame) {
    const RecordedBody& body = recording.frame(frame)[0];
    body.original.place(body.points, points);
    for (std::size_t a = 0; a < points.size(); ++a)
      for (std::size_t b = 0; b < a; ++b)
        if (given.surface.points[a] == given.surface.points[b]) CHECK(points[a] == points[b]);
  }
}

TEST_CASE("the skin instead, a range of frames, and what is not there") {
  const Run run;
  RunWatcher watcher;
  ConvertOptions options = to("ply", run.path / "convert");
  options.original = false;
  options.first = 1, options.last = 5, options.step = 2;
  convert_run(run.path, options, watcher);
  const fs::path folder = run.path / "convert/ply";
  CHECK(std::distance(fs::directory_iterator(folder), fs::directory_iterator()) == 3);
  RecordingReader recording(run.path / "recording.bin");
  CHECK(read_ply(folder / "cube_0003.ply").points.size() == recording.frame(3)[0].points.size());

  options.last = 99;
  CHECK_THROWS_AS(convert_run(run.path, options, watcher), InputError);
  CHECK_THROWS_AS(convert_run(run.path, to("fbx", run.path / "convert"), watcher), InputError);
  CHECK_THROWS_AS(convert_run(run.folder.path(), to("obj", run.path), watcher), InputError);
}

TEST_CASE("a stopped conversion leaves whole files only, and goes on to the same bytes") {
  const Run run;
  struct Impatient : RunWatcher {
    int left = 0;
    bool makes = false;
    void progress(const char* what, int, int) override {
      makes = std::string_view(what) != "looking";
    }
    bool stop() override { return makes && left-- <= 0; }
  };
  struct Counting : RunWatcher {
    int frames = 0;
    void progress(const char* what, int, int) override {
      frames += std::string_view(what) != "looking";
    }
  };
  for (const std::string& format : surface_formats()) {
    CAPTURE(format);
    const fs::path whole = run.path / ("whole_" + format), out = run.path / ("out_" + format);
    Counting all, rest;
    convert_run(run.path, to(format, whole), all);
    ConvertOptions options = to(format, out);
    for (int tries = 0; tries < 2; ++tries) {  // the first without --resume, as people do
      Impatient watcher;
      watcher.left = tries == 0 ? 3 : 2;  // a .glb must see again what its changes start from
      options.resume = tries > 0;
      CHECK(!convert_run(run.path, options, watcher).finished);
      for (const fs::directory_entry& entry : fs::recursive_directory_iterator(out)) {
        const fs::path name = entry.path().lexically_relative(out);
        if (!entry.is_regular_file() || name == "convert.log" || name.extension() == ".part")
          continue;
        CHECK(read_text_file(out / name) == read_text_file(whole / name));
      }
    }
    const bool series = fs::is_directory(out / format);
    const fs::path first = out / format / ("cube_0000." + format);
    const fs::file_time_type made = series ? fs::last_write_time(first) : fs::file_time_type();
    CHECK(convert_run(run.path, options, rest).finished);
    if (series) CHECK(fs::last_write_time(first) == made);
    else CHECK(rest.frames < all.frames - 2);
    int files = 0;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(whole)) {
      if (!entry.is_regular_file()) continue;
      const fs::path name = entry.path().lexically_relative(whole);
      CHECK(read_text_file(out / name) == read_text_file(whole / name));
      ++files;
    }
    CHECK(files >= 2);
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(out))
      CHECK(entry.path().extension() != ".part");
  }
}

TEST_CASE("going on keeps nothing of another run, of other frames or of another surface") {
  const Run run;
  RunWatcher watcher;
  for (const char* format : {"obj", "csv"}) {
    CAPTURE(format);
    const fs::path out = run.path / "out", fresh = run.path / "fresh";
    const fs::path name = std::string(format) == "obj" ? "obj/cube_0004.obj" : "cube.csv";
    ConvertOptions options = to(format, out);
    convert_run(run.path, options, watcher);
    options.resume = true;
    options.original = false;
    options.step = 2;
    convert_run(run.path, options, watcher);
    options.folder = fresh;
    convert_run(run.path, options, watcher);
    CHECK(read_text_file(out / name) == read_text_file(fresh / name));
    // The last byte of the recording belongs to its last frame: another run.
    options.folder = out;
    std::string bytes = read_text_file(run.path / "recording.bin");
    const fs::path other = run.path / "other";
    fs::create_directories(other);
    bytes[bytes.size() - 2] = char(bytes[bytes.size() - 2] ^ 1);
    write_file(other / "recording.bin", bytes);
    convert_run(other, options, watcher);
    options.folder = fresh;
    options.resume = false;
    convert_run(other, options, watcher);
    const fs::path last = std::string(format) == "obj" ? "obj/cube_0006.obj" : "cube.csv";
    CHECK(read_text_file(out / last) == read_text_file(fresh / last));
  }
}

TEST_CASE("frames that are not there leave nothing behind") {
  const Run run;
  RunWatcher watcher;
  ConvertOptions options = to("obj", run.path / "nowhere");
  options.first = 50;
  CHECK_THROWS_AS(convert_run(run.path, options, watcher), InputError);
  CHECK(!fs::exists(run.path / "nowhere"));
}

namespace {

// A textured cube that is moved by hand and loses its triangles: every second frame one of them is
// divided at its middle, and in the end one shows what was inside.
struct Changing {
  TestFolder folder;
  fs::path path = folder.path() / "run";
  BuiltScene scene;
  static constexpr int frames = 7;

  Changing() {
    folder.add("cube.obj", split_cube());
    const std::string text = R"({"bodies": [{"file": "cube.obj", "name": "cube",
        "method": {"tets": {"cells": 8}}, "material": "jelly", "contact_detail": 100}]})";
    const SceneSource source = folder.source();
    scene = build_scene(read_scene_text(text, source), source);
    Skin& skin = scene.world.bodies[0].skin;
    TriangleMesh given;
    given.points = skin.rest;
    given.triangles = skin.triangles;
    Provenance& from = skin.provenance;
    from.given = std::make_shared<const TriangleMesh>(given);
    from.origin.resize(skin.rest.size());
    from.piece.assign(skin.rest.size(), 0);
    for (int t = 0; t < int(skin.triangles.size()); ++t) {
      from.source.push_back(t);
      for (int k = 0; k < 3; ++k)
        from.origin[skin.triangles[t][k]] = {t, k == 1 ? 1.0 : 0, k == 2 ? 1.0 : 0};
    }
    fs::create_directories(path);
    RecordingWriter writer(path / "recording.bin", 0, scene.world, "", {}, scene.originals);
    for (int frame = 0; frame < frames; ++frame) {
      if (frame > 0)
        for (Vec3& p : skin.position) p.x() += 0.125;
      if (frame % 2 == 1) split(skin, frame);
      if (frame == frames - 1) from.source.back() = -1, ++skin.revision;
      writer.add(scene.world);
    }
    writer.flush();
  }

  static void split(Skin& skin, int t) {
    const Triangle corners = skin.triangles[t];
    const int middle = int(skin.position.size());
    skin.position.push_back(
        (skin.position[corners[0]] + skin.position[corners[1]] + skin.position[corners[2]]) / 3);
    const int source = skin.provenance.source[t];
    skin.provenance.origin.push_back({source, 1.0 / 3, 1.0 / 3});
    skin.provenance.piece.push_back(0);
    skin.triangles[t] = {corners[0], corners[1], middle};
    skin.triangles.push_back({corners[1], corners[2], middle});
    skin.triangles.push_back({corners[2], corners[0], middle});
    skin.provenance.source.insert(skin.provenance.source.end(), 2, source);
    ++skin.revision;
  }
};

// Where a point of the cube at rest lies on the texture of a side: see split_cube().
Eigen::Vector2f uv_on(int group, const Vec3& at_rest) {
  const int axis = group / 2, side = group % 2;
  const float p = float(at_rest[(axis + 1) % 3] / 0.2), q = float(at_rest[(axis + 2) % 3] / 0.2);
  return side ? Eigen::Vector2f(p, q) : Eigen::Vector2f(q, p);
}

}  // namespace

TEST_CASE("a surface that changes its triangles keeps its texture and groups in every frame") {
  const Changing run;
  RunWatcher watcher;
  const fs::path out = run.path / "convert";
  ConvertOptions options = to("obj", out);
  options.formats = {"obj", "glb", "usda", "ply", "stl", "vtu", "csv"};
  CHECK(convert_run(run.path, options, watcher).finished);
  RecordingReader reader(run.path / "recording.bin");
  REQUIRE(reader.frames() == Changing::frames);
  const std::size_t before = reader.frame(0)[0].triangles.size();
  for (int frame = 0; frame < Changing::frames; ++frame) {
    CAPTURE(frame);
    const RecordedBody& body = reader.frame(frame)[0];
    CHECK(body.topology == 1 + (frame + 1) / 2 + (frame == Changing::frames - 1));
    CHECK(body.triangles.size() == before + std::size_t((frame + 1) / 2 * 2));
    Faces faces;
    const TriangleMesh mesh = parse_obj(
        read_text_file(out / "obj" / fmt::format("cube_{:04}.obj", frame)), "", nullptr, &faces);
    REQUIRE(faces.size() == int(body.triangles.size()));
    REQUIRE(faces.has_textures());
    int grouped = 0;
    for (const TriangleMesh::Group& group : faces.groups) {
      grouped += int(group.triangles.size());
      if (group.name == "inside") {
        CHECK(group.triangles == std::vector<int>{faces.size() - 1});
        continue;
      }
      for (const int f : group.triangles)
        for (int c = faces.start[f]; c < faces.start[f + 1]; ++c) {
          const Vec3 at_rest = mesh.points[faces.vertex[c]] - Vec3(0.125 * frame, 0, 0);
          REQUIRE(faces.texture[c] >= 0);
          const Eigen::Vector2f uv = faces.uv[faces.texture[c]];
          CHECK((uv - uv_on(group.name.back() - '0', at_rest)).norm() < 1e-5);
        }
    }
    CHECK(grouped == faces.size());
    CHECK(faces.groups.size() == (frame == Changing::frames - 1 ? 7 : 6));
    for (const char* format : {"ply", "stl", "vtu"})
      CHECK(read_model(out / format / fmt::format("cube_{:04}.{}", frame, format))
                .surface.triangles.size() == body.triangles.size());
  }
  const std::string usda = read_text_file(out / "animation.usda");
  CHECK(usda.find("faceVertexCounts.timeSamples") != std::string::npos);
  CHECK(usda.find("def GeomSubset \"inside\"") != std::string::npos);
  const std::string glb = read_text_file(out / "animation.glb");
  CHECK(glb.find("\"cube_5\"") != std::string::npos);
}

TEST_CASE("formats that move one mesh refuse a surface that changes, and leave nothing") {
  const Changing run;
  for (const char* format : {"pc2", "mdd"}) {
    RunWatcher watcher;
    const fs::path out = run.path / "convert";
    try {
      convert_run(run.path, to(format, out), watcher);
      FAIL("it was not refused");
    } catch (const InputError& error) {
      const std::string text = to_string(error.problems().front());
      for (const char* part : {"cube", "frame 1", format, "use glb, usda"})
        CHECK(text.find(part) != std::string::npos);
    }
    for (const auto& entry : fs::directory_iterator(out))
      CHECK(entry.path().filename() == "convert.log");
  }
}

TEST_CASE("origins survive any order of reading, and damage to them is refused") {
  const Changing run;
  RecordingReader reader(run.path / "recording.bin");
  for (const int frame : {6, 0, 3, 2, 5}) {
    const RecordedBody& body = reader.frame(frame)[0];
    CHECK(body.origins.place.size() == body.points.size());
    CHECK(body.origins.source.size() == body.triangles.size());
    CHECK(body.origins.given_triangles == reader.frame(0)[0].triangles);
  }
}

TEST_CASE("the insides of bodies are recorded when asked for, and become files that VTK reads") {
  TestFolder folder;
  const SceneSource source = folder.source();
  const auto simulate = [&](const char* name, bool volume) {
    const std::string text = fmt::format(
        R"({{"frames": 3, "substeps": 5, "bodies": [
            {{"name": "box", "box": {{"size": [0.2, 0.2, 0.2]}}, "place": [0, 1, 0],
              "method": {{"tets": {{"cells": 27}}}}}},
            {{"name": "pile", "box": {{"size": [0.2, 0.2, 0.2]}}, "place": [1, 1, 0],
              "method": {{"groups": {{"cells": 27}}}}}},
            {{"name": "stone", "box": {{"size": [0.2, 0.2, 0.2]}}, "place": [2, 1, 0],
              "method": "rigid"}}],
            "outputs": {{"film": false, "picture": false, "glb": false, "volume": {}}}}})",
        volume);
    BuiltScene scene = build_scene(read_scene_text(text, source), source);
    RunWatcher watcher;
    const RunResult result =
        run(scene, {.folder = folder.path() / name, .scene_name = name}, watcher);
    return result.hash;
  };
  CHECK(simulate("with", true) == simulate("without", false));
  RunWatcher watcher;
  for (const char* name : {"with", "without"})
    convert_run(folder.path() / name,
                {.formats = {"vtu"}, .folder = folder.path() / name / "convert"}, watcher);
  CHECK(!fs::exists(folder.path() / "without/convert/volume"));
  const fs::path made = folder.path() / "with/convert/volume";
  CHECK(!fs::exists(made / "stone_0000.vtu"));  // nothing deforms inside
  CHECK(fs::exists(folder.path() / "with/convert/volume.pvd"));
  const Model tets = read_model(made / "box_0003.vtu");
  REQUIRE(tets.tets);
  CHECK(tets.tets->tets.size() >= 27 * 5);
  const std::string cloud = read_text_file(made / "pile_0003.vtu");
  for (const char* field : {"displacement", "velocity", "\"J\"", "von_mises", "stress",
                            "principal_stress", "plastic_strain"})
    CHECK(cloud.find(field) != std::string::npos);
}
