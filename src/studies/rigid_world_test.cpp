#include <doctest/doctest.h>
#include <numbers>

#include "methods/rigid/test_bodies.h"
#include "studies/method_cubes.h"
#include "world/world.h"

// Rigid bodies in the world: what slides, rolls, bounces and stands.

using namespace pliant;
using namespace pliant::test;

namespace {

constexpr double frame = 1.0 / 60;
constexpr double g = 9.81;

Collider ground(const Quat& turn = Quat::Identity()) {
  Collider floor;
  floor.shape = PlaneShape{turn * Vec3::UnitY()};
  return floor;
}

Quat slope(double degrees) {
  return Quat(Eigen::AngleAxisd(degrees * std::numbers::pi / 180, Vec3::UnitZ()));
}

World world_with(Body body, int substeps) {
  World world;
  world.substeps = substeps;
  world.bodies.push_back(std::move(body));
  return world;
}

/// Lying on a slope: the way down after each frame, from where it started [m].
std::vector<double> slide(double degrees, int frames, double friction) {
  const Quat turn = slope(degrees);
  World world = world_with(
      rigid_body(box_mesh({0.4, 0.1, 0.4}, 0.1), {turn, turn * Vec3(0, 0.05 + 0.001, 0)}), 10);
  world.bodies[0].friction = friction;
  world.colliders.push_back(ground(turn));
  world.colliders[0].friction = friction;
  const Vec3 start = centre_of_mass(world.bodies[0].nodes);
  const Vec3 downhill = turn * -Vec3::UnitX();
  std::vector<double> way;
  for (int i = 0; i < frames; ++i) {
    world.step(frame);
    way.push_back((centre_of_mass(world.bodies[0].nodes) - start).dot(downhill));
  }
  return way;
}

}  // namespace

TEST_CASE("with friction 0.5 a rigid box stays at 26 degrees and slides at 27 and 30") {
  const std::vector<double> rests = slide(26, 120, 0.5);
  CHECK(std::abs(rests.back() - rests[10]) < 1e-4);
  for (const double degrees : {27.0, 30.0}) {
    const double angle = degrees * std::numbers::pi / 180;
    const double expected = g * (std::sin(angle) - 0.5 * std::cos(angle));
    const std::vector<double> way = slide(degrees, 120, 0.5);
    // Constant acceleration: second difference over 40 frames.
    const double time = 40 * frame;
    const double found = (way[119] - 2 * way[79] + way[39]) / (time * time);
    CHECK(std::abs(found / expected - 1) < 0.01);
  }
}

TEST_CASE("a ball rolls down a slope at 5/7 g sin, and a ball that slides comes to roll at 5/7 v") {
  SUBCASE("slope") {
    const double degrees = 10, angle = degrees * std::numbers::pi / 180, radius = 0.5;
    const Quat turn = slope(degrees);
    World world = world_with(
        rigid_body(sphere_mesh(radius, 0.02), {turn, turn * Vec3(0, radius + 0.0025, 0)}), 20);
    world.colliders.push_back(ground(turn));
    for (int i = 0; i < 12; ++i) world.step(frame);
    const Vec3 before = momentum(world.bodies[0].nodes);
    for (int i = 0; i < 42; ++i) world.step(frame);
    const Vec3 gained = momentum(world.bodies[0].nodes) - before;
    const double found =
        gained.dot(turn * -Vec3::UnitX()) / total_mass(world.bodies[0].nodes) / (42 * frame);
    // Its facets cost some: of the energy (5/7) of the square of the angle between two, at each.
    CHECK(std::abs(found / (5.0 / 7 * g * std::sin(angle)) - 1) < 0.02);
  }
  SUBCASE("plane") {
    World world =
        world_with(rigid_body(sphere_mesh(0.5, 0.02), {Quat::Identity(), {0, 0.5025, 0}}), 20);
    world.colliders.push_back(ground());
    set_spinning(world.bodies[0], {1, 0, 0}, Vec3::Zero());
    for (int i = 0; i < 12; ++i) world.step(frame);  // slides for 2 v / (7 mu g) = 0.06 s
    const double speed = momentum(world.bodies[0].nodes).x() / total_mass(world.bodies[0].nodes);
    CHECK(std::abs(speed / (5.0 / 7) - 1) < 0.02);
  }
}

TEST_CASE("apex heights of a bouncing ball are the square of its restitution") {
  for (const double restitution : {0.0, 0.5, 1.0}) {
    rigid::Settings settings;
    settings.restitution = restitution;
    World world = world_with(
        rigid_body(sphere_mesh(0.1, 0.03), {Quat::Identity(), {0, 1.1, 0}}, settings), 20);
    world.colliders.push_back(ground());
    world.bodies[0].friction = 0;
    const double rest = 0.1 + world.bodies[0].thickness;
    const double drop = 1.1 - rest;
    const auto energy = [&] {
      const Nodes& nodes = world.bodies[0].nodes;
      return kinetic_energy(nodes) + potential_energy(nodes, world.gravity) -
             total_mass(nodes) * g * rest;
    };
    const double start = energy();
    double most = 0;
    double apex = 0, last = 1.1;
    bool fallen = false;
    std::vector<double> apexes;
    for (int i = 0; i < 150; ++i) {
      world.step(frame);
      most = std::max(most, energy());
      const double y = centre_of_mass(world.bodies[0].nodes).y();
      if (y > last && !fallen) fallen = true, apex = 0;
      if (fallen) apex = std::max(apex, y);
      if (fallen && y < last) apexes.push_back(apex - rest), fallen = false;
      last = y;
    }
    CAPTURE(restitution);
    CHECK(most <= 1.001 * start);
    if (restitution == 0) {
      // It ends on a facet, without friction to hold it there: of the energy of the fall hardly
      // anything is left.
      CHECK(kinetic_energy(world.bodies[0].nodes) <
            1e-4 * g * drop * total_mass(world.bodies[0].nodes));
      CHECK(last == doctest::Approx(rest).epsilon(2e-3));
      continue;
    }
    REQUIRE(apexes.size() >= 1);
    CHECK(std::abs(apexes[0] / (drop * restitution * restitution) - 1) < 0.01);
    if (restitution == 1) CHECK(std::abs(apexes.back() / drop - 1) < 0.002);
  }
}

TEST_CASE(
    "two cubes that meet face to face swap their speeds with restitution one, share them with "
    "none") {
  for (const double restitution : {0.0, 0.5, 1.0}) {
    CAPTURE(restitution);
    rigid::Settings settings;
    settings.restitution = restitution;
    World world;
    world.gravity = Vec3::Zero();
    world.substeps = 10;
    world.bodies.push_back(rigid_body(box_mesh(Vec3::Constant(0.2), 0.1), {}, settings));
    world.bodies.push_back(rigid_body(box_mesh(Vec3::Constant(0.2), 0.1),
                                      {Quat::Identity(), {0.3, 0.013, 0.007}}, settings));
    set_spinning(world.bodies[0], {2, 0, 0}, Vec3::Zero());
    for (int i = 0; i < 12; ++i) world.step(frame);
    const double mass = total_mass(world.bodies[0].nodes);
    const double left = momentum(world.bodies[0].nodes).x() / mass;
    const double right = momentum(world.bodies[1].nodes).x() / mass;
    CHECK(std::abs(left + right - 2) < 1e-9);
    // They meet a little off their centres: some of it goes into turning.
    CHECK(std::abs(right - left - 2 * restitution) < 0.015);
  }
}

TEST_CASE("a stack of eight rigid boxes stands") {
  World world;
  world.substeps = 20;
  world.colliders.push_back(ground());
  for (int i = 0; i < 8; ++i)
    world.bodies.push_back(rigid_body(box_mesh(Vec3::Constant(0.2), 0.2),
                                      {Quat::Identity(), {0.001 * (i % 3), 0.101 + 0.202 * i, 0}}));
  int unconverged = 0;
  double penetration = 0;
  for (int i = 0; i < 180; ++i) {
    const StepReport report = world.step(frame);
    unconverged += report.unconverged_substeps;
    penetration = std::max(penetration, report.max_penetration);
  }
  const Vec3 top = centre_of_mass(world.bodies[7].nodes);
  CHECK(penetration == 0);
  CHECK(top.y() == doctest::Approx(0.1 + 0.2 * 7 + 0.0005 * 15).epsilon(2e-3));
  CHECK(std::hypot(top.x(), top.z()) < 5e-3);
  double energy = 0;
  for (const Body& body : world.bodies) energy += kinetic_energy(body.nodes);
  // 64 kg. Nothing damps what the solver leaves over in the slow modes of a tower: it trembles at a
  // centimetre a second, that is by ten micrometres.
  CHECK(energy < 2e-4 * 64);
  CHECK(unconverged < 0.1 * 180 * 20);
}

TEST_CASE("boxes that start a little inside each other come apart without a jump") {
  World world;
  world.substeps = 20;
  world.colliders.push_back(ground());
  for (int i = 0; i < 3; ++i)
    world.bodies.push_back(rigid_body(box_mesh(Vec3::Constant(0.2), 0.2),
                                      {Quat::Identity(), {0.004 * i, 0.1 + 0.199 * i, 0}}));
  double highest = 0;
  for (int i = 0; i < 60; ++i) {
    world.step(frame);
    highest = std::max(highest, centre_of_mass(world.bodies[2].nodes).y());
  }
  CHECK(highest < 0.5 + 0.0005 * 5 + 1e-3);  // where it rests, and a millimetre
  CHECK(centre_of_mass(world.bodies[2].nodes).y() > 0.5);
}

TEST_CASE("fast rigid bodies stay in front of thin mesh walls that come towards them or turn") {
  for (const double speed : {5.0, 30.0, 100.0})
    for (const bool turning : {false, true}) {
      CAPTURE(speed);
      CAPTURE(turning);
      World world = world_with(
          rigid_body(sphere_mesh(0.05, 0.02), {Quat::Identity(), {0.01, 0.5, 0.02}}), 10);
      world.gravity = Vec3::Zero();
      set_spinning(world.bodies[0], {0, -speed, 0}, {3, 1, 2});
      Collider wall;
      wall.shape = mesh_shape(box_mesh({1, 0.002, 1}, 0.25));
      if (turning) wall.motion.spin = Motion::Spin{Vec3::UnitZ(), 2, 0, 10};
      else
        wall.motion.keys = {{0, Vec3::Zero(), Quat::Identity()}, {1, {0, 20, 0}, Quat::Identity()}};
      world.colliders.push_back(wall);
      for (int i = 0; i < 8; ++i) world.step(frame);
      const Pose pose = world.colliders[0].at(world.time);
      const Vec3 centre = pose.apply_inverse(centre_of_mass(world.bodies[0].nodes));
      CHECK(centre.y() > 0.04);
      // It goes with the wall, or flies ahead of it.
      if (!turning) CHECK(momentum(world.bodies[0].nodes).y() > 0);
    }
}

TEST_CASE("a rigid body saved in mid-contact goes on to the same bits") {
  const auto make = [] {
    rigid::Settings settings;
    settings.restitution = 0.4;
    World world = world_with(
        rigid_body(box_mesh({0.3, 0.2, 0.1}, 0.1),
                   {Quat(Eigen::AngleAxisd(0.5, Vec3(1, 1, 0).normalized())), {0, 0.3, 0}},
                   settings),
        10);
    world.colliders.push_back(ground());
    return world;
  };
  World whole = make();
  for (int i = 0; i < 20; ++i) whole.step(frame);
  Archive saving = Archive::saving();
  whole.archive(saving);
  const std::vector<std::byte> bytes = saving.take_bytes();
  for (int i = 0; i < 20; ++i) whole.step(frame);
  World resumed = make();
  Archive loading = Archive::loading(bytes);
  resumed.archive(loading);
  for (int i = 0; i < 20; ++i) resumed.step(frame);
  CHECK(state_hash(resumed) == state_hash(whole));
}
