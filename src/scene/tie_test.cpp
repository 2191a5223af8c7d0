#include "scene/tie.h"

#include <doctest/doctest.h>

#include "scene/build.h"
#include "scene/read.h"
#include "scene/test_folder.h"
#include "scene/write.h"

using namespace pliant;

// Rigid bodies, attachments and heightfields as scenes say them.

namespace {

struct Fixture {
  TestFolder folder;
  Fixture() {
    folder.add("cube.obj", cube_obj);
    folder.add("hill.txt", "# a ridge along z\n0 0 0\n1, 2; 1\n0 0 0\n");
    folder.add("ragged.txt", "0 0 0\n1 2\n");
    folder.add("words.txt", "0 0 0\n1 high 2\n");
  }
  BuiltScene build(const std::string& text) const {
    return build_scene(read_scene_text(text, folder.source()), folder.source());
  }
  std::string problems(const std::string& text) const {
    try {
      build(text);
      return "";
    } catch (const InputError& error) {
      std::string all;
      for (const Problem& problem : error.problems()) all += to_string(problem) + "\n";
      return all;
    }
  }
};

bool has(const std::string& text, const char* words) {
  return text.find(words) != std::string::npos;
}

/// Two boxes that touch at x = 0, and these attachments.
std::string two(const std::string& attachments) {
  return R"({"bodies": [
    {"box": {"size": [1, 1, 1]}, "name": "left", "place": [-0.5, 0, 0], "edge": 0.5, "method": "rigid"},
    {"box": {"size": [1, 1, 1]}, "name": "right", "place": [0.5, 0, 0], "edge": 0.5, "method": "rigid"}],
    "colliders": [{"plane": {"point": [0, -5, 0]}, "name": "floor"}],
    "attachments": [)" +
         attachments + "]}";
}

}  // namespace

TEST_CASE_FIXTURE(Fixture, "without a region a body is tied where it is near the other") {
  const BuiltScene built = build(two(R"({"body": "left", "to": "right"})"));
  CHECK(built.world.contact.bonds.count() == 9);
  CHECK(*built.resolved.attachments[0].within == doctest::Approx(0.02));
  // Written with every default and read again, it is the same scene.
  const BuiltScene again = build(write_scene(built.resolved));
  CHECK(again.world.contact.bonds.count() == 9);
}

TEST_CASE_FIXTURE(Fixture, "regions choose what is tied to the world, to a collider, to a body") {
  const BuiltScene built = build(two(R"(
    {"body": "left", "to": "world", "region": {"nearest": {"point": [-1, 0.5, 0.5]}}},
    {"body": "left", "to": "floor", "region": {"box": {"low": [-2, -1, -1], "high": [-0.9, 0, 1]}}, "stiffness": 100},
    {"body": "right", "to": "left", "region": {"half_space": {"point": [0.9, 0, 0], "normal": [1, 0, 0]}}, "strength": 5})"));
  CHECK(built.world.contact.bonds.count() == 1 + 6 + 9);
}

TEST_CASE_FIXTURE(Fixture, "what cannot be tied is said with its place") {
  CHECK(has(problems(two(R"({"body": "middle", "to": "right"})")),
            "/attachments/0/body is \"middle\"; it must be one of left, right"));
  CHECK(has(problems(two(R"({"body": "left", "to": "wall"})")),
            "it must be one of left, right, floor, world"));
  CHECK(has(problems(two(R"({"body": "left", "to": "left"})")), "is the body itself"));
  CHECK(has(problems(two(R"({"body": "left", "to": "world"})")), "/attachments/0/region"));
  CHECK(has(problems(two(R"({"body": "left", "to": "right",
                             "region": {"sphere": {"centre": [9, 9, 9], "radius": 1}}})")),
            "holds no vertex"));
  CHECK(has(problems(two(R"({"body": "left", "to": "right", "within": 0.1,
                             "region": {"half_space": {"point": [-0.9, 0, 0], "normal": [-1, 0, 0]}}})")),
            "ties nothing"));
}

TEST_CASE_FIXTURE(Fixture, "rigid bodies: pins hold the skin, static scenes refuse them") {
  const BuiltScene built = build(R"({"bodies": [{"file": "cube.obj",
    "method": {"rigid": {"mass": 3, "restitution": 0.25}},
    "pins": [{"region": {"nearest": {"point": [0, 0, 0]}}}]}]})");
  const Body& body = built.world.bodies[0];
  CHECK(total_mass(body.nodes) == doctest::Approx(3));
  CHECK(body.restitution == 0.25);
  REQUIRE(body.handles.size() == 1);
  CHECK(body.handles[0].vertices.size() == 1);
  CHECK(body.handles[0].nodes.empty());
  bool tells_stiffness = false;
  for (const std::string& note : built.notes)
    tells_stiffness = tells_stiffness || has(note, "squeezes");
  CHECK(!tells_stiffness);
  CHECK(has(problems(R"({"static": true, "bodies": [{"file": "cube.obj", "method": "rigid"}]})"),
            "/bodies/0/method is rigid, which cannot find the equilibrium"));
  CHECK(has(problems(R"({"static": true, "bodies": ["cube.obj"], "attachments": [
                        {"body": "cube", "to": "world"}]})"),
            "/attachments"));
}

TEST_CASE_FIXTURE(Fixture, "heightfields come from tables and from waves") {
  const auto ground = [](const std::string& field) {
    return R"({"bodies": [{"file": "cube.obj", "place": [0, 5, 0], "method": "rigid"}],
               "colliders": [{"heightfield": )" +
           field + "}]}";
  };
  const BuiltScene table = build(ground(R"({"file": "hill.txt", "size": [4, 2], "scale": 0.5})"));
  const auto& shape = std::get<HeightfieldShape>(table.world.colliders[0].shape);
  CHECK(shape.field->columns() == 3);
  CHECK(shape.field->below({0, 0, 0}).point.y() == doctest::Approx(1));
  CHECK(shape.field->below({-2, 0, 0}).point.y() == doctest::Approx(0.5));
  CHECK(shape.field->below({0, 0, 0.5}).point.y() == doctest::Approx(0.5));
  const BuiltScene waves =
      build(ground(R"({"size": [4, 4], "waves": [{"height": 0.2, "length": 2}]})"));
  const auto& wavy = std::get<HeightfieldShape>(waves.world.colliders[0].shape);
  CHECK(wavy.field->below({0, 0, 1}).point.y() == doctest::Approx(0.2).epsilon(1e-3));
  CHECK(wavy.field->below({1, 0, 0}).point.y() == doctest::Approx(-0.2).epsilon(1e-3));
  CHECK(*waves.resolved.colliders->front().heightfield->edge == doctest::Approx(0.125));
  CHECK(has(problems(ground(R"({"file": "ragged.txt"})")), "line 2 has 2 numbers"));
  CHECK(has(problems(ground(R"({"file": "words.txt"})")), "something else than numbers"));
  CHECK(has(problems(ground(R"({"file": "none.txt"})")), "none.txt"));
  CHECK(has(problems(ground(R"({"waves": [{"length": 0.001}]})")), "/heightfield/edge"));
}
