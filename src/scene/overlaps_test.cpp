#include "scene/overlaps.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "scene/build.h"
#include "scene/read.h"

using namespace pliant;

namespace {

std::string scene_of(const std::string& bodies, const std::string& more) {
  return fmt::format(R"({{"bodies": [{}], {}}})", bodies, more);
}
std::string cube(const std::string& name, const std::string& place, const std::string& more = "") {
  return fmt::format(
      R"({{"box": {{"size": [0.2, 0.2, 0.2]}}, "edge": 0.05, "name": "{}", "place": {}, "method": {{"tets": {{"cells": 27}}}}{}}})",
      name, place, more);
}

BuiltScene build(const std::string& text) {
  const SceneSource source;
  return build_scene(read_scene_text(text, source), source);
}

std::vector<Problem> problems(const std::string& text) {
  try {
    build(text);
  } catch (const InputError& error) {
    return error.problems();
  }
  return {};
}

double gap_in_x(const Body& left, const Body& right) {
  return bounds(right.skin.position).low.x() - bounds(left.skin.position).high.x();
}

const std::string nothing_else = R"("colliders": [])";

}  // namespace

TEST_CASE("bodies that start inside each other are refused, with the depth") {
  for (const double share : {0.02, 0.1, 0.5, 0.9}) {
    const std::string two =
        cube("one", "[0, 0, 0]") + "," + cube("two", fmt::format("[{}, 0, 0]", 0.2 * (1 - share)));
    const auto found = problems(scene_of(two, nothing_else));
    REQUIRE(found.size() == 1);
    CHECK(found[0].where == "/bodies/1");
    CHECK(found[0].what.find("deep inside one") != std::string::npos);
  }
  SUBCASE("twins in one place too, with a depth near the way it takes to part them") {
    const auto found =
        problems(scene_of(cube("one", "[0, 0, 0]") + "," + cube("two", "[0, 0, 0]"), nothing_else));
    REQUIRE(found.size() == 1);
    // Six probes across a side: the inmost ones lie 5/6 of the half in.
    CHECK(found[0].what.find("starts 0.167 m deep inside one") == 0);
  }
  SUBCASE("and bodies in colliders") {
    const auto found = problems(
        scene_of(cube("one", "[0, 0, 0]"),
                 R"("colliders": [{"plane": {"point": [0, -0.05, 0]}, "name": "ground"}])"));
    REQUIRE(found.size() == 1);
    CHECK(found[0].what.find("0.05 m deep inside ground") != std::string::npos);
  }
}

TEST_CASE("bodies that only touch, or that touch colliders only, or are tied, are fine") {
  const std::string touching = cube("one", "[0, 0, 0]") + "," + cube("two", "[0.2, 0, 0]");
  CHECK(problems(scene_of(touching, nothing_else)).empty());
  const std::string overlapping = cube("one", "[0, 0, 0]") + "," + cube("two", "[0.15, 0, 0]");
  CHECK(problems(scene_of(overlapping, R"("colliders": [], "touch": "colliders")")).empty());
  CHECK(problems(scene_of(overlapping,
                          R"("colliders": [], "attachments": [{"body": "one", "to": "two"}])"))
            .empty());
}

TEST_CASE("a thin plate that lies near a block does not overlap it") {
  // What is looked for inside of a skin lies in the block: beyond the plate's other side. Turned,
  // so that the boxes round them overlap.
  const auto box = [](const char* name, double thickness, const char* place) {
    return fmt::format(
        R"({{"box": {{"size": [1, {}, 1]}}, "edge": 0.1, "name": "{}", "place": {}, "rotate": [0, 0, 30], "method": "rigid"}})",
        thickness, name, place);
  };
  const std::string two =
      box("block", 0.1, "[0, 0, 0]") + "," + box("plate", 0.002, "[-0.0265, 0.0459, 0]");
  CHECK(problems(scene_of(two, nothing_else)).empty());
}

TEST_CASE("separate: whole bodies are moved apart, the shortest way, and stay as they are") {
  const std::string separate = R"("colliders": [], "overlap": "separate")";
  SUBCASE("two, however deep") {
    for (const double share : {0.01, 0.1, 0.5, 1.0}) {
      const double x = 0.2 * (1 - share);
      const BuiltScene built = build(scene_of(
          cube("one", "[0, 0, 0]") + "," + cube("two", fmt::format("[{}, 0.01, 0]", x)), separate));
      const Body &one = built.world.bodies[0], &two = built.world.bodies[1];
      CHECK(bounds(one.skin.position).centre().norm() < 1e-12);
      const Vec3 moved = bounds(two.skin.position).centre() - Vec3(x, 0.01, 0);
      CHECK(moved.norm() < 0.2 * share + 0.01);
      CHECK(volume(two.skin) == doctest::Approx(0.008));
      if (share > 0 && share < 0.9) CHECK(gap_in_x(one, two) > -0.01 * 0.2);
      CHECK((built.resolved.bodies[1].place - Vec3(x, 0.01, 0) - moved).norm() < 1e-12);
    }
  }
  SUBCASE("a heap in one place comes apart") {
    std::string heap = cube("b0", "[0, 0.3, 0]");
    for (int b = 1; b < 6; ++b) heap += "," + cube(fmt::format("b{}", b), "[0, 0.3, 0]");
    const BuiltScene built =
        build(scene_of(heap, R"("colliders": [{"plane": {}}], "overlap": "separate")"));
    for (int a = 0; a < 6; ++a)
      for (int b = 0; b < a; ++b) {
        const Vec3 apart = bounds(built.world.bodies[a].skin.position).centre() -
                           bounds(built.world.bodies[b].skin.position).centre();
        CHECK(apart.cwiseAbs().maxCoeff() > 0.198);  // cubes, none turned
      }
    CHECK(problems(scene_of(heap, R"("colliders": [{"plane": {}}])")).size() == 5);
  }
  SUBCASE("what is held stays, and is refused") {
    const auto found = problems(scene_of(
        cube("one", "[0, 0, 0]") + "," +
            cube(
                "two", "[0.1, 0, 0]",
                R"(, "pins": [{"region": {"half_space": {"point": [0.19, 0, 0], "normal": [1, 0, 0]}}}])"),
        separate));
    REQUIRE(found.size() == 1);
    CHECK(found[0].what.find("cannot be moved") != std::string::npos);
  }
}

TEST_CASE("push: a warning, and contact takes them apart without a bang") {
  BuiltScene built =
      build(scene_of(cube("one", "[0, 0, 0]") + "," + cube("two", "[0.196, 0.02, 0]"),
                     R"("colliders": [], "overlap": "push", "gravity": [0, 0, 0])"));
  REQUIRE(built.warnings.size() == 1);
  CHECK(built.warnings[0].find("two starts 0.004 m deep inside one") == 0);
  for (int frame = 0; frame < 30; ++frame) built.world.step(1.0 / 60);
  CHECK(gap_in_x(built.world.bodies[0], built.world.bodies[1]) > -1e-3);
}

TEST_CASE("push: the warning says when it may not work") {
  const auto warning = [](double x) {
    return build(scene_of(
                     cube("one", "[0, 0, 0]") + "," + cube("two", fmt::format("[{}, 0.02, 0]", x)),
                     R"("colliders": [], "overlap": "push", "gravity": [0, 0, 0])"))
        .warnings.at(0);
  };
  CHECK(warning(0.196).find("interlocked") == std::string::npos);
  CHECK(warning(0.19).find("interlocked") != std::string::npos);
}

TEST_CASE("however deep the overlap, separated bodies stay where they were put, without a jump") {
  struct Case {
    double size, x;  // of the second cube
  };
  // A hundredth to all of it, twins in one place, and one inside the other.
  for (const auto& [size, x] :
       {Case{0.2, 0.197}, {0.2, 0.18}, {0.2, 0.1}, {0.2, 0.0}, {0.08, 0.03}}) {
    CAPTURE(size);
    CAPTURE(x);
    const std::string second = fmt::format(
        R"({{"box": {{"size": [{0}, {0}, {0}]}}, "name": "two", "place": [{1}, 0, 0], "edge": 0.05,
            "method": {{"tets": {{"cells": 27}}}}}})",
        size, x);
    const std::string both = cube("one", "[0, 0, 0]") + "," + second;
    const std::string rest = R"("colliders": [], "gravity": [0, 0, 0])";
    CHECK(problems(scene_of(both, rest)).size() == 1);
    BuiltScene built = build(scene_of(both, rest + R"(, "overlap": "separate")"));
    double most = 0;
    for (int frame = 0; frame < 20; ++frame) {
      built.world.step(1.0 / 60);
      double now = 0;
      for (const Body& body : built.world.bodies)
        now += kinetic_energy(body.nodes) + body.method->measure(body.nodes).elastic_energy;
      most = std::max(most, now);
    }
    const double depth = 0.5 * (0.2 + size) - x;
    CHECK(most < 0.01 * 9.81 * total_mass(built.world.bodies[1].nodes) * depth);
  }
}
