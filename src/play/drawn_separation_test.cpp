#include "play/drawn_separation.h"

#include <doctest/doctest.h>

#include "geometry/query/penetration.h"
#include "play/test_scene.h"

using namespace pliant;
using namespace pliant::test;

namespace {

/// Two balls, drawn more finely than they are touched.
BuiltScene two_balls() {
  return built(R"({"colliders": [], "bodies": [
      {"sphere": {"radius": 0.2}, "edge": 0.03, "name": "one", "method": {"tets": {"cells": 60}}},
      {"sphere": {"radius": 0.2}, "edge": 0.03, "name": "two", "method": {"tets": {"cells": 60}},
       "place": [0.45, 0, 0]}]})");
}

double crossing(const Body& one, const Body& other) {
  const Skin& asked = other.drawn_skin();
  return deepest_inside(one.drawn_skin().position, {asked.position, asked.triangles, {}});
}

}  // namespace

TEST_CASE("what is seen of bodies that come to cross is put apart, and nothing else moves") {
  BuiltScene scene = two_balls();
  std::vector<Body>& bodies = scene.world.bodies;
  REQUIRE(bodies[0].drawn);
  DrawnSeparation separation;
  for (Vec3& p : bodies[1].drawn->skin.position) p.x() -= 0.07;
  REQUIRE(crossing(bodies[0], bodies[1]) > 0.01);
  const std::uint64_t before = state_hash(scene.world);
  const std::vector<Vec3> far = bodies[1].drawn->skin.position;
  separation.apply(scene.world);
  CHECK(crossing(bodies[0], bodies[1]) < 1e-9);
  CHECK(crossing(bodies[1], bodies[0]) < 1e-9);
  CHECK(state_hash(scene.world) == before);
  for (std::size_t v = 0; v < far.size(); ++v)
    if (far[v].x() > 0.25) CHECK(bodies[1].drawn->skin.position[v] == far[v]);
}

TEST_CASE("bodies that cross as they are built stay as they are") {
  BuiltScene scene = two_balls();
  std::vector<Body>& bodies = scene.world.bodies;
  Skin& skin = bodies[1].drawn->skin;
  for (std::vector<Vec3>* points : {&skin.rest, &skin.position})
    for (Vec3& p : *points) p.x() -= 0.07;
  REQUIRE(crossing(bodies[0], bodies[1]) > 0);
  const std::vector<Vec3> before = bodies[0].drawn->skin.position;
  DrawnSeparation separation;
  separation.apply(scene.world);
  CHECK(bodies[0].drawn->skin.position == before);
}
