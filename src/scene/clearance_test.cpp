#include "scene/clearance.h"

#include <doctest/doctest.h>

#include "scene/read.h"

using namespace pliant;

namespace {

BuiltScene build(const std::string& text) {
  SceneSource nowhere;
  nowhere.file = "scene.json";
  return build_scene(read_scene_text(text, nowhere), nowhere);
}

const std::string on_floor = R"(], "colliders": [{"plane": {}, "name": "floor"})";

double lowest(const Body& body) { return bounds(body.skin.position).low.y(); }

double energy(const World& world) {
  double sum = 0;
  for (const Body& body : world.bodies)
    sum += kinetic_energy(body.nodes) + potential_energy(body.nodes, world.gravity);
  return sum;
}

bool says_moved(const BuiltScene& scene) {
  for (const std::string& note : scene.notes)
    if (note.find("the small distance that contact keeps from") != std::string::npos) return true;
  return false;
}

}  // namespace

TEST_CASE("a plank laid exactly on the floor stays there, whatever computes it") {
  for (const char* method : {"tets", "groups", "meshless", "rigid"}) {
    CAPTURE(method);
    BuiltScene scene =
        build(R"({"bodies": [{"box": {"size": [4, 0.1, 0.2]}, "edge": 0.2, "place": [0, 0.05, 0],
        "method": ")" +
              std::string(method) + "\"}" + on_floor + "]}");
    const Body& plank = scene.world.bodies[0];
    CHECK(says_moved(scene));
    CHECK(lowest(plank) == doctest::Approx(plank.thickness).epsilon(1e-3));
    const double before = energy(scene.world);
    scene.world.step(1.0 / 60);
    CHECK(energy(scene.world) <= before * 1.001);
    CHECK(kinetic_energy(plank.nodes) < 0.01 * before);
  }
}

TEST_CASE(
    "a stack of touching boxes and a box in a corner are given room, one that has it is left") {
  const auto box = [](const char* place) {
    return R"({"box": {"size": [0.2, 0.2, 0.2]}, "edge": 0.1, "method": "rigid", "place": )" +
           std::string(place) + "}";
  };
  const BuiltScene stack = build(R"({"bodies": [)" + box("[0, 0.1, 0]") + "," + box("[0, 0.3, 0]") +
                                 "," + box("[0, 0.5, 0]") + on_floor + "]}");
  for (int b = 0; b < 3; ++b) {
    const double kept = stack.world.bodies[0].thickness;
    CHECK(lowest(stack.world.bodies[b]) ==
          doctest::Approx(0.2 * b + (1 + 2 * b) * kept).epsilon(1e-3));
    CHECK(bounds(stack.world.bodies[b].skin.position).centre().x() ==
          doctest::Approx(0).scale(0.1 * kept));
  }
  const BuiltScene corner = build(R"({"bodies": [)" + box("[0.1, 0.1, 0]") + on_floor +
                                  R"(, {"plane": {"normal": [1, 0, 0]}, "name": "wall"}]})");
  const Box held = bounds(corner.world.bodies[0].skin.position);
  const double kept = corner.world.bodies[0].thickness;
  CHECK(held.low.x() == doctest::Approx(kept).epsilon(1e-3));
  CHECK(held.low.y() == doctest::Approx(kept).epsilon(1e-3));
  CHECK(corner.resolved.bodies[0].place.x() == doctest::Approx(0.1 + kept));

  const BuiltScene free = build(R"({"bodies": [)" + box("[0, 0.2, 0]") + on_floor + "]}");
  CHECK_FALSE(says_moved(free));
  CHECK(free.resolved.bodies[0].place == Vec3(0, 0.2, 0));
}
