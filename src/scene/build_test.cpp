#include "scene/build.h"

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <numbers>
#include <numeric>

#include "scene/read.h"
#include "scene/test_folder.h"
#include "scene/write.h"

using namespace pliant;

namespace {

struct Fixture {
  TestFolder folder;
  Fixture() { folder.add("cube.obj", cube_obj); }

  BuiltScene build(const std::string& text) const {
    return build_scene(read_scene_text(text, folder.source()), folder.source());
  }
  std::vector<Problem> problems(const std::string& text) const {
    try {
      build(text);
      return {};
    } catch (const InputError& error) {
      return error.problems();
    }
  }
};

bool has(const std::vector<std::string>& lines, const std::string& words) {
  for (const std::string& line : lines)
    if (line.find(words) != std::string::npos) return true;
  return false;
}

bool has(const Problem& problem, const std::string& words) {
  return to_string(problem).find(words) != std::string::npos;
}

const char* const few_cells = R"("method": {"tets": {"cells": 64}})";

std::string cube_with(const std::string& members) {
  return R"({"bodies": [{"file": "cube.obj", )" + std::string(few_cells) + ", " + members + "}]}";
}

}  // namespace

TEST_CASE_FIXTURE(Fixture,
                  "the smallest scene becomes a world that falls, and every choice is told") {
  BuiltScene built = build(R"({"bodies": ["cube.obj"]})");
  REQUIRE(built.world.bodies.size() == 1);
  REQUIRE(built.world.colliders.size() == 1);
  CHECK(built.world.colliders[0].placement.position.y() == doctest::Approx(-0.5));
  CHECK(has(built.notes, "material of cube: E = 1.96e+05 Pa"));
  CHECK(has(built.notes, "substeps: "));
  CHECK(has(built.notes, "floor: "));
  CHECK(built.world.substeps == *built.resolved.substeps);
  CHECK(built.warnings.empty());
  const double before = centre_of_mass(built.world.bodies[0].nodes).y();
  built.world.step(1.0 / 60);
  CHECK(centre_of_mass(built.world.bodies[0].nodes).y() < before);
}

TEST_CASE_FIXTURE(Fixture,
                  "a resolved scene builds the same world again and leaves nothing to choose") {
  BuiltScene first = build(R"({
    "bodies": [{"file": "cube.obj", "method": {"tets": {"cells": 64}}, "rotate": [10, 20, 30], "velocity": [1, 2, 3], "spin": [0, 90, 0],
                "handles": [{"region": {"half_space": {"point": [0, 0.5, 0]}}, "spin": {"degrees_per_second": 90}}]},
               {"box": {"size": [0.2, 0.3, 0.4]}, "method": {"tets": {"cells": 64}}, "place": [0, 3, 0], "material": "rubber",
                "probes": [{"point": [0, 3, 0]}]}]})");
  const std::string text = write_scene(first.resolved);
  BuiltScene second = build(text);
  CHECK(state_hash(first.world) == state_hash(second.world));
  CHECK(write_scene(second.resolved) == text);
  CHECK(!has(second.notes, "chosen"));
  for (BuiltScene* built : {&first, &second}) built->world.step(1.0 / 60);
  CHECK(state_hash(first.world) == state_hash(second.world));
}

TEST_CASE_FIXTURE(Fixture, "scale, unit, rotate and place act in this order") {
  const BuiltScene built =
      build(cube_with(R"("unit": "cm", "scale": 200, "rotate": [0, 0, 90], "place": [0, 5, 0])"));
  const Box box = bounds(built.world.bodies[0].skin.rest);
  CHECK((box.low - Vec3(-2, 5, 0)).norm() < 1e-9);
  CHECK((box.high - Vec3(0, 7, 2)).norm() < 1e-9);
}

TEST_CASE_FIXTURE(Fixture, "a body may start scrambled; its rest shape is that of the model") {
  const BuiltScene built = build(cube_with(R"("start": {"scramble": "plane", "seed": 2})"));
  const Body& body = built.world.bodies[0];
  CHECK(bounds(body.nodes.position).extent().y() == 0);
  CHECK(bounds(body.nodes.position).extent().x() > 0.5);
  CHECK(bounds(body.skin.rest).extent().y() == doctest::Approx(1));
  CHECK(problems(R"({"bodies": [{"file": "cube.obj", "start": {"scramble": "sideways"}}]})")
            .at(0)
            .where == "/bodies/0/start/scramble");
}

TEST_CASE_FIXTURE(Fixture, "velocity moves the centre of mass and spin turns about it") {
  const BuiltScene built =
      build(cube_with(R"("place": [3, 4, 5], "velocity": [1, 2, 3], "spin": [0, 0, 180])"));
  const Nodes& nodes = built.world.bodies[0].nodes;
  CHECK((momentum(nodes) / total_mass(nodes) - Vec3(1, 2, 3)).norm() < 1e-9);
  const Vec3 centre = centre_of_mass(nodes);
  for (int i = 0; i < nodes.size(); ++i) {
    const Vec3 expected =
        Vec3(1, 2, 3) + Vec3(0, 0, std::numbers::pi).cross(nodes.position[i] - centre);
    CHECK((nodes.velocity[i] - expected).norm() < 1e-12);
  }
}

TEST_CASE_FIXTURE(Fixture, "pins, handles and loads take hold of the chosen part") {
  const BuiltScene built = build(cube_with(R"(
    "pins": [{"region": {"half_space": {"point": [0, 0.6, 0], "normal": [0, 1, 0]}}, "release": 2}, {"region": {"group": "top"}}],
    "handles": [{"region": {"sphere": {"centre": [0, 0, 0], "radius": 0.4}}, "keyframes": [{"time": 0}, {"time": 1, "move": [0, -1, 0]}]}],
    "loads": [{"force": [0, 0, 7], "region": {"group": "top"}}, {"pressure": 50, "region": {"group": "top"}, "end": 1},
              {"acceleration": [1, 0, 0]}])"));
  const Body& body = built.world.bodies[0];
  REQUIRE(body.handles.size() == 3);
  for (const int node : body.handles[0].nodes) CHECK(body.nodes.position[node].y() >= 0.6);
  CHECK(body.handles[0].release == 2);
  CHECK(body.handles[1].nodes.size() > 3);
  for (const Vec3& p : body.handles[2].rest) CHECK(p.norm() <= 0.4);
  CHECK((body.handles[2].motion.at(1).apply(Vec3::Zero()) - Vec3(0, -1, 0)).norm() < 1e-12);

  REQUIRE(body.loads.size() == 3);
  const std::vector<double>& share = body.loads[0].share;
  CHECK(std::accumulate(share.begin(), share.end(), 0.0) == doctest::Approx(1));
  double area = 0;
  for (const int t : body.loads[1].triangles) {
    const Triangle& c = body.drawn_skin().triangles[t];
    area += 0.5 * (body.drawn_skin().rest[c[1]] - body.drawn_skin().rest[c[0]])
                      .cross(body.drawn_skin().rest[c[2]] - body.drawn_skin().rest[c[0]])
                      .norm();
  }
  CHECK(area == doctest::Approx(1));
  CHECK(int(body.loads[2].nodes.size()) == body.nodes.size());
}

TEST_CASE_FIXTURE(Fixture,
                  "materials come from the scene, a preset or the body, in this order of weight") {
  const BuiltScene built = build(R"({"materials": {"goo": {"preset": "jelly", "density": 500}},
    "bodies": [{"file": "cube.obj", "method": {"tets": {"cells": 64}}, "material": {"name": "goo", "friction": 0.1},
                "regions": [{"region": {"half_space": {"point": [0, 0.5, 0]}}, "material": {"young": 1e6}}]}]})");
  const BodyDescription& body = built.resolved.bodies[0];
  CHECK(*body.material.values.density == 500);
  CHECK(*body.material.values.young == find_material_preset("jelly")->young);
  CHECK(*body.material.values.friction == 0.1);
  CHECK(built.world.bodies[0].friction == 0.1);
  CHECK(*body.regions[0].material.values.young == 1e6);
  CHECK(*body.regions[0].material.values.density == 500);
}

TEST_CASE_FIXTURE(
    Fixture, "problems of all models come at once, with the scene's place and the model's own") {
  folder.add("nan.obj", "v 0 0 0\nv 1 nan 0\nv 0 1 0\nf 1 2 3\n");
  folder.add("empty.obj", "");
  folder.add("noise.obj", std::string("\0\1\2\xff garbage", 12));
  folder.add("far.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 9\n");
  folder.add("model.fbx", "1 2 3\n");
  const std::vector<Problem> found =
      problems(R"({"bodies": ["nan.obj", "cube.obj", {"file": "empty.obj"}, "noise.obj",
    "far.obj", "model.fbx"], "colliders": [{"mesh": "nan.obj"}]})");
  std::vector<std::string> places;
  for (const Problem& problem : found) {
    CAPTURE(to_string(problem));
    CHECK(problem.file == "scene.json");
    if (places.empty() || places.back() != problem.where) places.push_back(problem.where);
  }
  CHECK(places == std::vector<std::string>{"/bodies/0/file", "/bodies/2/file", "/bodies/3/file",
                                           "/bodies/4/file", "/bodies/5/file",
                                           "/colliders/0/mesh/file"});
  CHECK(has(found[0], "nan.obj line 2"));
}

TEST_CASE_FIXTURE(Fixture, "a region that holds nothing says how far the nearest node is") {
  const std::vector<Problem> found = problems(cube_with(
      R"("pins": [{"region": {"box": {"low": [0, 5, 0], "high": [1, 6, 1]}}}], "loads": [{"pressure": 1, "region": {"group": "nose"}}])"));
  REQUIRE(found.size() == 2);
  CHECK(found[0].where == "/bodies/0/pins/0/region");
  CHECK(has(found[0], "m away"));
  CHECK(found[1].where == "/bodies/0/loads/0/region/group");
  CHECK(has(found[1], "top"));
}

TEST_CASE_FIXTURE(Fixture,
                  "sides, faces and coordinates of the file choose what people mean by them") {
  const auto loaded = [&](const std::string& region) {
    const BuiltScene built = build(cube_with(
        R"("unit": "cm", "scale": 100, "rotate": [0, 0, 90], "place": [0, 5, 0], "loads": [{"force": [0, 1, 0], "region": )" +
        region + "}]"));
    const Body& body = built.world.bodies[0];
    std::vector<Vec3> places;
    for (const int v : body.loads.at(0).vertices) places.push_back(body.drawn_skin().rest[v]);
    return bounds(places);
  };
  // The cube lies from x = -1 to 0, y = 5 to 6, z = 0 to 1; the top of its file is its left.
  for (const char* left :
       {R"("left")", R"({"side": "left"})", R"({"face": {"near": [-1, 5.4, 0.3]}})",
        R"({"face": {"near": [0.4, 1, 0.3]}, "in": "file"})",
        R"({"normal": {"direction": [-3, 0, 0]}})",
        R"({"normal": {"direction": [0, 1, 0]}, "in": "file"})",
        R"({"half_space": {"point": [0, 0.99, 0]}, "in": "file"})",
        R"({"cylinder": {"from": [-1.1, 5.5, 0.5], "to": [-0.9, 5.5, 0.5], "radius": 1}})"}) {
    CAPTURE(left);
    const Box box = loaded(left);
    CHECK((box.low - Vec3(-1, 5, 0)).norm() < 1e-9);
    CHECK((box.high - Vec3(-1, 6, 1)).norm() < 1e-9);
  }
  CHECK(problems(cube_with(R"("pins": [{"region": "upside"}])")).at(0).what.find("no side") !=
        std::string::npos);
  CHECK(problems(cube_with(R"("pins": [{"region": {"side": "top", "in": "file"}}])")).size() == 1);
}

TEST_CASE_FIXTURE(Fixture, "problems of regions, attachments and fields are told at once") {
  const std::vector<Problem> found = problems(
      R"({"bodies": [{"file": "cube.obj", "pins": [{"region": {"sphere": {"centre": [9, 9, 9]}}}]},
                     {"file": "cube.obj", "name": "other", "place": [5, 0, 0]}],
          "attachments": [{"body": "other", "to": "cube"}, {"body": "nobody", "to": "cube"}],
          "outputs": {"color_by": "stress"}})");
  REQUIRE(found.size() == 4);
  CHECK(found[0].where == "/bodies/0/pins/0/region");
  CHECK(found[1].what.find("the nearest is 4 m away") != std::string::npos);
  CHECK(found[2].where == "/attachments/1/body");
  CHECK(found[3].what.find("did you mean \"von_mises\"?") != std::string::npos);
}

TEST_CASE_FIXTURE(Fixture, "a static scene in which nothing changes has one frame") {
  const auto frames = [&](const std::string& more) {
    return *build(cube_with(more).insert(1, R"("static": true, )")).resolved.frames;
  };
  CHECK(frames(R"("pins": [{"region": "bottom"}])") == 1);
  CHECK(frames(R"("pins": [{"region": "bottom"}], "loads": [{"force": [1, 0, 0], "start": 1}])") ==
        240);
  CHECK(frames(R"("handles": [{"region": "top", "spin": {"degrees_per_second": 9}}])") == 240);
}

TEST_CASE_FIXTURE(Fixture, "things that look wrong are warned of") {
  CHECK(has(build(cube_with(R"("scale": 2000)")).warnings, "set \"unit\": \"mm\""));
  CHECK(has(build(cube_with(R"("scale": 1e-5)")).warnings, "unit"));
  CHECK(has(build(cube_with(R"("probes": [{"name": "far", "point": [9, 9, 9]}])")).warnings,
            "probe far"));
  CHECK(problems(R"({"bodies": ["cube.obj"], "outputs": {"color_by": "taste"}})").at(0).where ==
        "/outputs/color_by");
  for (const char* outputs :
       {R"("color_by": "speed", "color_range": [2, 1])", R"("color_range": [1, 2])"})
    CHECK(problems(R"({"bodies": ["cube.obj"], "outputs": {)" + std::string(outputs) + "}}")
              .at(0)
              .where == "/outputs/color_range");
  CHECK(problems(cube_with(R"("probes": [{"point": [0, 0, 0], "fields": ["speed", "taste"]}])"))
            .at(0)
            .where == "/bodies/0/probes/0/fields/1");
  CHECK(problems(R"({"bodies": [{"box": {}, "edge": 1e-5}]})").at(0).where == "/bodies/0/edge");
}

TEST_CASE_FIXTURE(Fixture, "every primitive and every collider can be built") {
  const BuiltScene built = build(R"({"bodies": [
    {"box": {}, "method": {"tets": {"cells": 64}}}, {"sphere": {}, "place": [2, 0, 0], "method": {"tets": {"cells": 64}}},
    {"cylinder": {}, "place": [4, 0, 0], "method": {"tets": {"cells": 64}}}, {"capsule": {}, "place": [6, 0, 0], "method": {"tets": {"cells": 64}}},
    {"torus": {}, "place": [8, 0, 0], "method": {"tets": {"cells": 64}}}],
    "colliders": [{"plane": {"point": [0, -9, 0]}}, {"sphere": {}, "place": [0, -5, 0]}, {"box": {}, "place": [2, -5, 0]},
      {"capsule": {}, "place": [4, -5, 0]}, {"mesh": "cube.obj", "place": [6, -5, 0], "spin": {"degrees_per_second": 90}}]})");
  CHECK(built.world.bodies.size() == 5);
  REQUIRE(built.world.colliders.size() == 5);
  CHECK((built.world.colliders[4].motion.pivot - Vec3(6, -5, 0)).norm() == 0);
  CHECK(built.warnings.empty());
  CHECK(built.world.bodies[0].color != built.world.bodies[1].color);
}

TEST_CASE_FIXTURE(Fixture, "a model alone is a scene, and its problems are told without one") {
  const auto scene_of = [](const char* model) {
    SceneDescription scene;
    scene.bodies.emplace_back().file = model;
    return scene;
  };
  const BuiltScene built =
      build_scene(scene_of("cube.obj"), source_of_model(folder.path() / "cube.obj"));
  CHECK(built.world.bodies[0].name == "cube");
  folder.add("bad.obj", "v 0 0 0\nv 1 nan 0\nv 0 1 0\nf 1 2 3\n");
  for (const char* name : {"bad.obj", "missing.obj"}) {
    try {
      build_scene(scene_of(name), source_of_model(folder.path() / name));
      FAIL("should have thrown");
    } catch (const InputError& error) {
      const std::string message = error.what();
      CAPTURE(message);
      CHECK(message.find(name) != std::string::npos);
      CHECK(message.find("/bodies") == std::string::npos);
    }
  }
}

TEST_CASE_FIXTURE(Fixture, "a static scene needs no floor, and a word where nothing holds a body") {
  CHECK(build(R"({"static": true, "bodies": ["cube.obj"]})").warnings.size() == 1);
  const BuiltScene built = build(R"({"static": true, "bodies": [{"file": "cube.obj",
      "method": {"meshless": {"particles": 27}},
      "pins": [{"region": {"half_space": {"point": [0, 0.01, 0], "normal": [0, -1, 0]}}}]}]})");
  CHECK(built.world.statics);
  CHECK(built.world.colliders.empty());
  CHECK(built.world.substeps == 1);
  CHECK(built.warnings.empty());
}

TEST_CASE_FIXTURE(Fixture, "a method that holds the skin gets vertices, others nodes") {
  const auto handle = [&](const char* hold) {
    const BuiltScene built = build(R"({"bodies": [{"file": "cube.obj",
        "method": {"meshless": {"particles": 27, "hold": ")" +
                                   std::string(hold) + R"("}},
        "pins": [{"region": {"half_space": {"point": [0, 0.01, 0], "normal": [0, -1, 0]}}}]}]})");
    return built.world.bodies[0].handles.at(0);
  };
  CHECK(handle("particles").vertices.empty());
  CHECK(!handle("particles").nodes.empty());
  CHECK(handle("skin").nodes.empty());
  const Handle skin = handle("skin");
  CHECK(!skin.vertices.empty());
  CHECK(skin.vertex_rest.size() == skin.vertices.size());
  for (const Vec3& p : skin.vertex_rest) CHECK(p.y() < 0.01);
}

TEST_CASE(
    "a body that falls through itself within a frame is warned of, with a frame rate that fits") {
  const Fixture scene;
  const auto warnings = [&](const std::string& more) {
    std::string all;
    for (const std::string& warning :
         scene.build(R"({"bodies": [{"sphere": {"radius": 1e-5}}])" + more + "}").warnings)
      all += warning;
    return all;
  };
  const std::string warning = warnings("");
  CHECK(warning.find("falls 68.1 times that in a frame") != std::string::npos);
  CHECK(warning.find("\"fps\": 3502, \"outputs\": {\"slow_motion\": 58}") != std::string::npos);
  CHECK(warnings(R"(, "fps": 3502)") == "");
  CHECK(warnings(R"(, "gravity": [0, 0, 0])") == "");
}

TEST_CASE("the default floor leaves room to fall, also below what is flat") {
  const Fixture scene;
  const auto height = [&](const char* size) {
    const BuiltScene built = scene.build(R"({"bodies": [{"method": "rigid", "box": {"size": )" +
                                         std::string(size) + "}}]}");
    return built.resolved.colliders->front().plane->point.y();
  };
  CHECK(height("[1, 1, 1]") == doctest::Approx(-1));
  CHECK(height("[1, 0.5, 1]") == doctest::Approx(-0.5));
  CHECK(height("[8, 0.02, 8]") == doctest::Approx(-1.01));
}

TEST_CASE_FIXTURE(Fixture, "what is the same for many bodies is said once, with their number") {
  std::string bodies;
  for (int i = 0; i < 5; ++i)
    bodies +=
        (i ? ", " : "") + fmt::format(R"({{"file": "cube.obj", "place": [0, {}, 0]}})", 2 * i);
  const BuiltScene many = build(R"({"bodies": [)" + bodies + "]}");
  CHECK(has(many.notes, "material of cube and 4 others: E = "));
  CHECK(has(many.notes, "cube and 4 others: "));
  CHECK(has(many.notes, "contact: 5 bodies are touched through "));
  CHECK(many.notes.size() == 5);
}

TEST_CASE_FIXTURE(Fixture, "what is far too stiff for substeps is shown another method") {
  CHECK(has(build(cube_with(R"("material": "steel")")).notes, "\"method\": \"rigid\""));
  CHECK(!has(build(cube_with(R"("material": "rubber")")).notes, "\"method\": \"rigid\""));
}
