#include "scene/write.h"

#include <doctest/doctest.h>

#include "body/scramble.h"
#include "scene/json.h"
#include "scene/read.h"
#include "scene/test_folder.h"

using namespace pliant;

// Every field of the format, none at its default.
static const char* const full_scene = R"({
  "version": 1, "title": "all \"fields\" \u00e9\n", "gravity": [0.1, -3.7, 1e-9], "frames": 7, "fps": 23.976, "substeps": 31, "seed": 5,
  "materials": {"goo": {"preset": "jelly", "young": 1234.5678901234567, "poisson": 0.3, "density": 900, "damping": 0.1, "friction": 0.2}},
  "bodies": [
    {"file": "cube.obj", "name": "first", "unit": "cm", "scale": 3, "rotate": [10, 20, 30], "place": [1, 2, 3],
     "method": {"tets": {"iterations": 3}}, "material": {"name": "goo", "friction": 0.9},
     "regions": [{"region": {"box": {"low": [0, 0, 0], "high": [1, 1, 1]}}, "material": "rubber"}],
     "velocity": [1, 0, 0], "spin": [0, 90, 0], "color": [0.1, 0.2, 0.3],
     "pins": [{"region": {"half_space": {"point": [0, 1, 0], "normal": [0, 1, 0]}}, "release": 2}],
     "handles": [{"region": {"nearest": {"point": [0, 0, 0], "count": 3}}, "release": 4, "pivot": [0, 1, 0],
       "keyframes": [{"time": 0}, {"time": 1, "move": [0, 1, 0], "rotate": [0, 0, 45]}],
       "spin": {"axis": [0, 0, 2], "degrees_per_second": 90, "start": 1, "end": 3}}],
     "loads": [{"force": [1, 2, 3], "region": {"group": "top"}, "start": 0.5, "end": 1}, {"pressure": 100}, {"acceleration": [0, 1, 0]}],
     "probes": [{"name": "tip", "point": [1, 1, 1]}]},
    {"box": {"size": [1, 2, 3]}, "edge": 0.2}, {"sphere": {"radius": 2}, "start": {"scramble": "line", "seed": 4}}, {"cylinder": {"radius": 1, "height": 2}},
    {"capsule": {"radius": 1, "length": 2}}, {"torus": {"ring": 2, "tube": 1}}],
  "colliders": [{"plane": {"point": [0, -1, 0], "normal": [0, 1, 1]}, "friction": 0.1, "color": [1, 1, 1], "name": "ramp"},
    {"sphere": {"radius": 3}, "place": [1, 1, 1]}, {"box": {"size": [4, 4, 4]}, "rotate": [0, 45, 0], "pivot": [0, 0, 0]},
    {"capsule": {"radius": 1, "length": 3}, "keyframes": [{"time": 2}]}, {"mesh": "cube.obj", "scale": 2, "unit": "in"}],
  "outputs": {"film": false, "picture": false, "glb": false, "ply": false, "color_by": "speed", "color_range": [0.5, 2], "width": 320, "height": 180, "checkpoint_every": 3},
  "camera": {"eye": [5, 5, 5], "target": [0, 1, 0], "fov": 30, "follow": "always"}
})";

TEST_CASE("reading what was written gives the same scene again") {
  TestFolder folder;
  folder.add("cube.obj", cube_obj);
  for (const char* text : {full_scene, R"({"bodies": ["cube.obj"]})",
                           R"({"bodies": ["cube.obj"], "colliders": []})"}) {
    const std::string once = write_scene(read_scene_text(text, folder.source()));
    CHECK(write_scene(read_scene_text(once, folder.source())) == once);
  }
}

TEST_CASE("what is written holds every value that was given") {
  TestFolder folder;
  folder.add("cube.obj", cube_obj);
  const SceneDescription scene = read_scene_text(full_scene, folder.source());
  const SceneDescription again = read_scene_text(write_scene(scene), folder.source());
  CHECK(again.title == "all \"fields\" \xc3\xa9\n");
  CHECK(again.gravity == scene.gravity);
  CHECK(again.outputs.color_range == Vec2(0.5, 2));
  CHECK(again.camera.follow == CameraDescription::always);
  CHECK(again.fps == 23.976);
  CHECK(*again.materials.at(0).second.young == 1234.5678901234567);
  CHECK(again.bodies[0].unit == scene.bodies[0].unit);
  CHECK(again.bodies[0].material.name == "goo");
  CHECK(again.bodies[0].handles[0].motion.keyframes[1].rotate == Vec3(0, 0, 45));
  CHECK(*again.bodies[0].loads[0].region.group == "top");
  CHECK(again.bodies[0].loads[0].force == Vec3(1, 2, 3));
  CHECK(again.bodies[2].start->scramble == int(Scramble::line));
  CHECK(again.bodies[2].start->seed == 4);
  CHECK(!again.bodies[1].start);
  CHECK(again.bodies[5].torus->tube == 1);
  CHECK(again.colliders->at(4).mesh->file == "cube.obj");
  CHECK(again.outputs.checkpoint_every == 3);
  CHECK(again.camera.fov == 30);
}

TEST_CASE("defaults are spelled out, and values still to be chosen are left out") {
  TestFolder folder;
  folder.add("cube.obj", cube_obj);
  const std::string text =
      write_scene(read_scene_text(R"({"bodies": ["cube.obj"]})", folder.source()));
  const std::string fov = "\"fov\": " + shown(CameraDescription().fov);
  for (const std::string& word :
       {std::string("\"gravity\": [0, -9.81, 0]"), std::string("\"fps\": 60"),
        std::string("\"tets\": {"), std::string("\"checkpoint_every\": 10"), fov}) {
    CAPTURE(word);
    CHECK(text.find(word) != std::string::npos);
  }
  for (const char* word : {"substeps", "colliders", "\"young\""})
    CHECK(text.find(word) == std::string::npos);
}
