#include "scene/read.h"

#include <algorithm>
#include <doctest/doctest.h>

#include "scene/test_folder.h"
#include "scene/write.h"

using namespace pliant;

namespace {

struct Fixture {
  TestFolder folder;
  Fixture() { folder.add("cube.obj", cube_obj); }

  SceneDescription read(const std::string& text) const {
    return read_scene_text(text, folder.source());
  }
  std::vector<Problem> problems(const std::string& text) const {
    try {
      read(text);
      return {};
    } catch (const InputError& error) {
      return error.problems();
    }
  }
};

/// A scene with one cube whose body has this member besides.
std::string body_with(const std::string& member) {
  return R"({"bodies": [{"file": "cube.obj", )" + member + "}]}";
}
std::string collider_with(const std::string& members) {
  return R"({"bodies": ["cube.obj"], "colliders": [{)" + members + "}]}";
}
std::string scene_with(const std::string& member) {
  return R"({"bodies": ["cube.obj"], )" + member + "}";
}

struct Bad {
  std::string text;
  std::string where;               // JSON path or place
  std::vector<std::string> words;  // that the message must have
};

std::string nested(int depth) { return std::string(depth, '[') + std::string(depth, ']'); }

}  // namespace

TEST_CASE_FIXTURE(Fixture, "the smallest scene has every default") {
  const SceneDescription scene = read(R"({"bodies": ["cube.obj"]})");
  REQUIRE(scene.bodies.size() == 1);
  CHECK(*scene.bodies[0].file == "cube.obj");
  CHECK(scene.bodies[0].method.name == "tets");
  CHECK(!scene.frames);
  CHECK(scene.fps == 60);
  CHECK(scene.gravity == Vec3(0, -9.81, 0));
  CHECK(!scene.substeps);
  CHECK(!scene.colliders);
  CHECK(!scene.outputs.ply);
  CHECK(read(R"({"bodies": ["cube.obj"], "colliders": []})").colliders->empty());
}

TEST_CASE_FIXTURE(Fixture,
                  "a bad value is answered with its path, what was found and what is allowed") {
  const std::vector<Bad> table = {
      // Ranges and types.
      {body_with(R"("material": {"poisson": 0.62})"),
       "/bodies/0/material/poisson",
       {"0.62", "above -1 and at most 0.5"}},
      {body_with(R"("material": {"poisson": -1})"),
       "/bodies/0/material/poisson",
       {"-1", "above -1"}},
      {body_with(R"("material": {"density": -5})"),
       "/bodies/0/material/density",
       {"-5 kg/m^3", "above 0"}},
      {body_with(R"("material": {"young": 0})"), "/bodies/0/material/young", {"0 Pa", "above 0"}},
      {body_with(R"("material": {"young": 1e300})"),
       "/bodies/0/material/young",
       {"1e+300", "between"}},
      {body_with(R"("material": {"young": "soft"})"),
       "/bodies/0/material/young",
       {"the text \"soft\"", "a number in Pa"}},
      {body_with(R"("material": {"young": null})"),
       "/bodies/0/material/young",
       {"null", "a number"}},
      {body_with(R"("material": {"young": true})"),
       "/bodies/0/material/young",
       {"true", "a number"}},
      {body_with(R"("place": [0, 1])"), "/bodies/0/place", {"a list of 2", "3 numbers in m"}},
      {body_with(R"("place": 1)"), "/bodies/0/place", {"1", "3 numbers"}},
      {body_with(R"("place": [0, "up", 0])"), "/bodies/0/place/1", {"the text \"up\"", "a number"}},
      {body_with(R"("place": [0, 1e300, 0])"), "/bodies/0/place/1", {"at most"}},
      {body_with(R"("scale": -1)"), "/bodies/0/scale", {"-1", "at least"}},
      {body_with(R"("unit": "yard")"), "/bodies/0/unit", {"\"yard\"", "\"mm\"", "\"ft\""}},
      {body_with(R"("color": [0, 2, 0])"), "/bodies/0/color/1", {"2", "at most 1"}},
      {body_with(R"("name": "a/../b")"), "/bodies/0/name", {"a/../b", "letters"}},
      {body_with(R"("name": 7)"), "/bodies/0/name", {"7", "a text"}},
      {scene_with(R"("frames": -1)"), "/frames", {"-1", "at least 0"}},
      {scene_with(R"("frames": 1e12)"), "/frames", {"at most 1000000"}},
      {scene_with(R"("frames": 2.5)"), "/frames", {"2.5", "whole number"}},
      {scene_with(R"("seed": 99999999999999999999)"), "/seed", {"at most"}},
      {scene_with(R"("fps": 0)"), "/fps", {"0", "at least"}},
      {scene_with(R"("substeps": 0)"), "/substeps", {"0", "at least 1"}},
      {scene_with(R"("substeps": 1e9)"), "/substeps", {"at most"}},
      {scene_with(R"("gravity": "down")"), "/gravity", {"down", "3 numbers"}},
      {scene_with(R"("outputs": {"film": 1})"), "/outputs/film", {"1", "true or false"}},
      {scene_with(R"("outputs": {"width": 641})"), "/outputs/width", {"641", "even"}},
      {scene_with(R"("outputs": [])"), "/outputs", {"empty list", "an object"}},
      {scene_with(R"("version": 2)"), "/version", {"2", "version 1"}},
      {scene_with(R"("camera": {"eye": [1, 1, 1], "target": [1, 1, 1]})"),
       "/camera/target",
       {"eye"}},
      // Names of fields, methods and materials.
      {body_with(R"("metod": "tets")"),
       "/bodies/0/metod",
       {"not a field of a body", "did you mean \"method\"?"}},
      {body_with(R"("material": {"youngs_modulous": 1})"),
       "/bodies/0/material/youngs_modulous",
       {"did you mean \"young\"?"}},
      {scene_with(R"("gravitiy": [0, 0, 0])"),
       "/gravitiy",
       {"a scene", "did you mean \"gravity\"?"}},
      {scene_with(R"("a/b~": 1)"), "/a~1b~0", {"not a field"}},
      {body_with(R"("pin": [])"), "/bodies/0/pin", {"did you mean \"pins\"?"}},
      {body_with(R"("material": {"E": 2e5})"), "/bodies/0/material/E", {"did you mean \"young\"?"}},
      {body_with(R"("material": {"nu": 0.3})"), "/bodies/0/material/nu", {"mean \"poisson\"?"}},
      {body_with(R"("method": "tet")"), "/bodies/0/method", {"\"tet\"", "did you mean \"tets\"?"}},
      {body_with(R"("method": {"tets": {"cels": 5}})"), "/bodies/0/method/tets/cels", {"cells"}},
      {body_with(R"("method": {})"), "/bodies/0/method", {"tets"}},
      {body_with(R"("material": "ruber")"),
       "/bodies/0/material",
       {"ruber", "did you mean \"rubber\"?", "steel"}},
      {scene_with(R"("materials": {"goo": {"preset": "nope"}})"),
       "/materials/goo/preset",
       {"nope", "rubber"}},
      {body_with(R"("regions": [{"region": {"sphere": {}}, "material": "gold"}])"),
       "/bodies/0/regions/0/material",
       {"gold"}},
      // Required, exclusive.
      {"{}", "/bodies", {"missing"}},
      {R"({"bodies": []})", "/bodies", {"empty", "at least one"}},
      {R"({"bodies": "cube.obj"})", "/bodies", {"the text", "a list"}},
      {R"({"bodies": [{}]})", "/bodies/0", {"file", "torus", "exactly one"}},
      {R"({"bodies": [7]})", "/bodies/0", {"7", "a text or an object"}},
      {body_with(R"("box": {})"), "/bodies/0", {"file and box", "only one"}},
      {body_with(R"("loads": [{}])"), "/bodies/0/loads/0", {"force", "pressure", "acceleration"}},
      {body_with(R"("loads": [{"pressure": 1, "start": 2, "end": 1}])"),
       "/bodies/0/loads/0/end",
       {"1", "later than the start, 2"}},
      {body_with(R"("pins": [{}])"), "/bodies/0/pins/0/region", {"missing"}},
      {body_with(R"("pins": [{"region": {"box": {}, "sphere": {}}}])"),
       "/bodies/0/pins/0/region",
       {"box and sphere"}},
      {body_with(R"("probes": [{"name": "tip"}])"), "/bodies/0/probes/0/point", {"missing"}},
      {R"({"bodies": [{"box": {}, "unit": "mm"}]})", "/bodies/0/unit", {"without a file"}},
      {R"({"bodies": [{"box": {"size": [1, -1, 1]}}]})",
       "/bodies/0/box/size/1",
       {"-1 m", "at least"}},
      {R"({"bodies": [{"torus": {"ring": 0.1, "tube": 0.2}}]})",
       "/bodies/0/torus/tube",
       {"0.2", "below ring, 0.1"}},
      // Names that clash.
      {R"({"bodies": [{"file": "cube.obj", "name": "a"}, {"box": {}, "name": "a"}]})",
       "/bodies/1/name",
       {"\"a\"", "taken"}},
      // Colliders and motion.
      {collider_with(R"("plane": {"normal": [0, 0, 0]})"), "/colliders/0/plane/normal", {"zero"}},
      {collider_with(R"("sphere": {"radius": 0})"),
       "/colliders/0/sphere/radius",
       {"0 m", "at least"}},
      {collider_with(R"("sphere": {}, "friction": -1)"),
       "/colliders/0/friction",
       {"-1", "at least 0"}},
      {collider_with(R"("sphere": {}, "spin": {"axis": [0, 0, 0], "degrees_per_second": 5})"),
       "/colliders/0/spin/axis",
       {"zero"}},
      {collider_with(R"("sphere": {}, "spin": {})"),
       "/colliders/0/spin/degrees_per_second",
       {"missing"}},
      {collider_with(R"("box": {}, "keyframes": [{"time": 1}, {"time": 0.5}])"),
       "/colliders/0/keyframes/1/time",
       {"0.5", "earlier", "rise"}},
      {collider_with(R"("box": {}, "keyframes": [{"time": 1}, {"time": 1}])"),
       "/colliders/0/keyframes/1/time",
       {"1", "must rise"}},
      {collider_with(R"("box": {}, "keyframes": [{}])"),
       "/colliders/0/keyframes/0/time",
       {"missing"}},
      {collider_with(R"("name": "x")"), "/colliders/0", {"plane", "mesh", "exactly one"}},
      // Files.
      {R"({"bodies": ["cubes.obj"]})", "/bodies/0", {"no such file", "did you mean \"cube.obj\"?"}},
      {R"({"bodies": [{"file": "../cube.obj"}]})", "/bodies/0/file", {"out of the scene's folder"}},
      {collider_with(R"("mesh": {"file": "/etc/passwd"})"),
       "/colliders/0/mesh/file",
       {"out of the scene's folder"}},
      // Not JSON.
      {"", "", {"is empty"}},
      {"{\"bodies\": [\n  \"cube.obj\",\n]}", "line 3, column 1", {"unexpected ']'"}},
      {"{\"bodies\": }", "line 1, column 12", {"not JSON"}},
      {"{\"bodies\": [\"cube.obj\"", "line 1", {"end of input"}},
      {scene_with(R"("fps": NaN)"), "line 1", {"not JSON"}},
      {scene_with(R"("fps": Infinity)"), "line 1", {"not JSON"}},
      {scene_with(R"("fps": 1e999)"), "line 1", {"1e999", "overflow"}},
      {scene_with("\"fps\": " + std::string(400, '9')), "line 1", {"overflow"}},
      {scene_with(R"("title": "\ud800")"), "line 1", {"surrogate"}},
      {scene_with("\"title\": \"\xff\""), "line 1", {"UTF-8"}},
      {scene_with(R"("fps": 30, "fps": 60)"), "/fps", {"twice", "line 1"}},
      {body_with(R"("scale": 1, "scale": 2)"), "/bodies/0/scale", {"twice"}},
      {nested(101), "line 1, column 101", {"100 levels"}},
      {nested(1000000), "line 1", {"100 levels"}},
      {"[]", "", {"empty list", "an object"}},
  };
  for (const Bad& bad : table) {
    CAPTURE(bad.text.substr(0, 200));
    const std::vector<Problem> found = problems(bad.text);
    REQUIRE(found.size() >= 1);
    if (found.size() > 1) MESSAGE(to_string(found[1]));
    CHECK(found.size() == 1);
    const std::string message = to_string(found[0]);
    CAPTURE(message);
    CHECK(found[0].file == "scene.json");
    CHECK(found[0].where.starts_with(bad.where));
    if (bad.where.starts_with("/")) CHECK(found[0].where == bad.where);
    for (const std::string& word : bad.words) CHECK(message.find(word) != std::string::npos);
  }
}

TEST_CASE_FIXTURE(Fixture, "all problems come at once, in the order of the reference page") {
  const std::vector<Problem> found = problems(R"({
    "bodies": [{"file": "no.obj", "metod": "tets", "material": {"poisson": 0.62}}, {"sphere": {"radius": -1}}],
    "frames": "many", "frames": 1 })");
  REQUIRE(found.size() == 6);
  std::vector<std::string> places;
  for (const Problem& problem : found) places.push_back(problem.where);
  CHECK(places == std::vector<std::string>{"/frames", "/frames", "/bodies/0/file",
                                           "/bodies/0/material/poisson", "/bodies/0/metod",
                                           "/bodies/1/sphere/radius"});
}

TEST_CASE_FIXTURE(Fixture, "a message reads as the style guide shows it") {
  const std::vector<Problem> found =
      problems(body_with(R"("material": {"poisson": 0.62}, "metod": 1)"));
  REQUIRE(found.size() == 2);
  CHECK(
      to_string(found[0]).starts_with("scene.json: /bodies/0/material/poisson is 0.62; it must be "
                                      "above -1 and at most 0.5\n    sideways thinning"));
  CHECK(to_string(found[1]) ==
        "scene.json: /bodies/0/metod is not a field of a body; did you mean \"method\"?");
}

TEST_CASE_FIXTURE(Fixture, "a file of nothing but mistakes ends after a hundred") {
  std::string text = R"({"bodies": [)";
  for (int i = 0; i < 20000; ++i) text += "{},";
  CHECK(problems(text + "{}]}").size() <= 102);
  std::string keys = "{";
  for (int i = 0; i < 20000; ++i) keys += "\"k" + std::to_string(i) + "\": 0,";
  CHECK(problems(keys + "\"bodies\": []}").size() <= 102);
}

TEST_CASE_FIXTURE(Fixture,
                  "order of keys, line ends, byte-order mark, comments and ways to write a number "
                  "do not matter") {
  const std::string plain = write_scene(read(
      R"({"frames": 100, "fps": 30, "materials": {"b": {"young": 1000}, "a": {}}, "bodies": [{"file": "cube.obj", "scale": 2}]})"));
  const char* others[] = {
      R"({"bodies": [{"scale": 2.0, "file": "cube.obj"}], "materials": {"a": {}, "b": {"young": 1e3}}, "fps": 3e1, "frames": 1e2})",
      "\xEF\xBB\xBF{\r\n  // a comment\r\n  \"frames\": 100.0,\r\n  \"fps\": 30, /* another */\r\n "
      " \"materials\": {\"a\": "
      "{}, \"b\": {\"young\": 10e2}},\r\n  \"bodies\": [{\"file\": \"cube.obj\", \"scale\": "
      "0.2e1}]\r\n}\r\n",
  };
  for (const char* other : others) CHECK(write_scene(read(other)) == plain);
}

TEST_CASE_FIXTURE(Fixture, "names nobody gave come from the file or the shape and differ") {
  SceneDescription scene = read(
      R"({"bodies": ["cube.obj", "cube.obj", {"box": {}}, {"sphere": {}, "name": "cube_2", "probes": [{"point": [0,0,0]}]}]})");
  complete_names(scene);
  CHECK(*scene.bodies[0].name == "cube");
  CHECK(*scene.bodies[1].name == "cube_3");
  CHECK(*scene.bodies[2].name == "box");
  CHECK(*scene.bodies[3].probes[0].name == "probe");
}

TEST_CASE("rotate turns about x, then y, then z, the axes standing still") {
  CHECK((rotation({90, 90, 0}) * Vec3::UnitY()).isApprox(Vec3::UnitX(), 1e-12));  // y to z, z to x
  CHECK((rotation({0, 0, 90}) * Vec3::UnitX()).isApprox(Vec3::UnitY(), 1e-12));
  CHECK((rotation({90, 0, 90}) * Vec3::UnitY()).isApprox(Vec3::UnitZ(), 1e-12));
}
