#include <algorithm>
#include <doctest/doctest.h>
#include <numbers>

#include "core/parallel.h"
#include "geometry/sample/tet_block.h"
#include "methods/tets/tets.h"
#include "world/world.h"

// Laws of the world that need a real method. What contact alone promises is tested in its own room.

using namespace pliant;

namespace {

constexpr double frame = 1.0 / 60;

Body block(const std::string& name, const Eigen::Vector3i& cells, const Vec3& size,
           const Pose& placement, double young = 5e4, double damping = 4,
           tets::Kernel kernel = tets::Kernel::automatic) {
  const Material material = elastic_material(young, 0.4, 1000, damping);
  TetMesh mesh = tet_block(cells, size);
  for (Vec3& p : mesh.points) p = placement.apply(p);
  tets::Settings settings;
  settings.kernel = kernel;
  Body body = tets::make_body(mesh, material, settings);
  body.name = name;
  return body;
}

Pose at(const Vec3& position) { return {Quat::Identity(), position}; }

Collider collider(const ColliderShape& shape, const Vec3& position) {
  Collider made;
  made.shape = shape;
  made.placement.position = position;
  return made;
}

/// One falls flat onto the middle of a box, the other onto its edge, and tips over.
World two_on_a_box() {
  World world;
  world.substeps = 15;
  world.bodies.push_back(block("flat", {3, 3, 3}, Vec3::Constant(0.3), at({-0.6, 0.05, -0.15})));
  world.bodies.push_back(block("edge", {3, 2, 4}, {0.3, 0.2, 0.4}, at({0.85, 0.08, -0.2})));
  world.colliders.push_back(collider(BoxShape{{1, 0.2, 1}}, {0, -0.2, 0}));
  return world;
}

void play(World& world, int frames) {
  for (int i = 0; i < frames; ++i) world.step(frame);
}

double total_energy(const World& world) {
  double sum = 0;
  for (const Body& body : world.bodies)
    sum += kinetic_energy(body.nodes) + potential_energy(body.nodes, world.gravity) +
           body.method->measure(body.nodes).elastic_energy;
  return sum;
}

/// A flat block lying on a slope of this angle [degrees], at rest.
World on_slope(double degrees) {
  const Quat turn(Eigen::AngleAxisd(degrees * std::numbers::pi / 180, Vec3::UnitZ()));
  World world;
  world.bodies.push_back(block("block", {4, 2, 4}, {0.4, 0.1, 0.4}, {turn, Vec3::Zero()}, 2e5, 10));
  world.substeps = 40;
  world.colliders.push_back(collider(PlaneShape{turn * Vec3::UnitY()}, Vec3::Zero()));
  return world;
}

/// Way down the slope [m], per node on average.
double slid(const World& world, const Vec3& start, double degrees) {
  const double angle = degrees * std::numbers::pi / 180;
  const Vec3 downhill(-std::cos(angle), -std::sin(angle), 0);
  return (centre_of_mass(world.bodies[0].nodes) - start).dot(downhill);
}

}  // namespace

TEST_CASE("30 frames of two bodies on a box have the same hash on 1, 2, 3 and 7 threads") {
  const auto hash_with = [](int count) {
    set_threads(count);
    World world = two_on_a_box();
    play(world, 30);
    return state_hash(world);
  };
  const std::uint64_t expected = hash_with(1);
  for (const int count : {2, 3, 7}) CHECK(hash_with(count) == expected);
  set_threads(0);
}

TEST_CASE("a world of tets saved and loaded at any frame goes on to the same bits") {
  World whole = two_on_a_box();
  std::vector<std::vector<std::byte>> saves;
  for (int i = 0; i < 20; ++i) {
    Archive archive = Archive::saving();
    whole.archive(archive);
    saves.push_back(archive.take_bytes());
    whole.step(frame);
  }
  for (const int at_frame : {0, 7, 13, 19}) {
    CAPTURE(at_frame);
    World resumed = two_on_a_box();
    Archive archive = Archive::loading(saves[at_frame]);
    resumed.archive(archive);
    play(resumed, 20 - at_frame);
    CHECK(state_hash(resumed) == state_hash(whole));
  }
}

TEST_CASE("a dropped block stays above the floor, only loses energy, and comes to rest") {
  World world;
  world.bodies.push_back(block("block", {3, 3, 3}, Vec3::Constant(0.3), at({0, 0.2, 0})));
  world.colliders.push_back(collider(PlaneShape{}, Vec3::Zero()));
  world.substeps = advise_substeps(world, frame).substeps;
  const double start = total_energy(world);
  double before = start, lowest = 0, worst_gain = 0;
  for (int i = 0; i < 360; ++i) {  // ringing loses 15/16 of its energy in a second
    world.step(frame);
    const double now = total_energy(world);
    worst_gain = std::max(worst_gain, (now - before) / start);
    before = std::min(before, now);  // against the least so far: small gains must not add up
    lowest = std::min(lowest, bounds(world.bodies[0].nodes.position).low.y());
  }
  CHECK(lowest > -world.contact.settings.tolerance * world.bodies[0].contact_scale);
  CHECK(worst_gain < 1e-3);
  const double mass = total_mass(world.bodies[0].nodes);
  CHECK(kinetic_energy(world.bodies[0].nodes) < 1e-6 * mass);  // slower than 1.5 mm/s
  CHECK(centre_of_mass(world.bodies[0].nodes).y() == doctest::Approx(0.15).epsilon(0.05));
}

TEST_CASE("free fall of an elastic block is that of a stone, to the digits of its kernel") {
  // Wide kernels work in floats measured from near the body: a change is known to 1e-7 of its size.
  for (const auto& [kernel, digits] :
       {std::pair(tets::Kernel::plain, 1e-10), std::pair(tets::Kernel::automatic, 1e-6)}) {
    World world;
    world.substeps = 10;
    world.bodies.push_back(
        block("block", {2, 2, 2}, Vec3::Constant(0.3), at({0, 5, 0}), 5e4, 4, kernel));
    const Vec3 start = centre_of_mass(world.bodies[0].nodes);
    play(world, 30);
    const double h = frame / 10, n = 300;
    const Vec3 fallen = start - centre_of_mass(world.bodies[0].nodes);
    CHECK((fallen - Vec3(0, 9.81 * h * h * n * (n + 1) / 2, 0)).norm() < digits);
    CHECK(world.bodies[0].method->measure(world.bodies[0].nodes).elastic_energy < digits);
  }
}

TEST_CASE("held nodes are where their motion says after every step, and fall once released") {
  for (const auto& [kernel, digits] :
       {std::pair(tets::Kernel::plain, 1e-10), std::pair(tets::Kernel::automatic, 1e-4)}) {
    World world;
    world.bodies.push_back(
        block("block", {2, 2, 2}, Vec3::Constant(0.3), at({0, 5, 0}), 5e4, 4, kernel));
    Body& body = world.bodies[0];
    Handle handle;
    handle.nodes = {0, 1, 2};
    for (const int node : handle.nodes) handle.rest.push_back(body.nodes.position[node]);
    handle.motion.keys = {{0, Vec3::Zero(), Quat::Identity()},
                          {0.2, Vec3(0.1, 0, 0), Quat::Identity()}};
    handle.release = 20.5 * frame;
    body.handles.push_back(handle);
    for (int i = 1; i <= 20; ++i) {
      world.step(frame);
      const Pose pose = handle.motion.at(world.time);
      for (int k = 0; k < 3; ++k)
        CHECK((body.nodes.position[handle.nodes[k]] - pose.apply(handle.rest[k])).norm() < 1e-12);
    }
    play(world, 2);
    const Vec3 before = momentum(body.nodes);
    play(world, 10);
    const Vec3 gained = momentum(body.nodes) - before;  // nothing but gravity acts now
    const Vec3 expected = total_mass(body.nodes) * world.gravity * 10 * frame;
    CHECK((gained - expected).norm() < digits * expected.norm());
  }
}

TEST_CASE("with friction 0.5 a block stays on a slope of 20 degrees") {
  World world = on_slope(20);
  play(world, 30);  // settles under its weight
  const Vec3 start = centre_of_mass(world.bodies[0].nodes);
  play(world, 60);
  CHECK(std::abs(slid(world, start, 20)) < 1e-4);
}

TEST_CASE("with friction 0.5 a block slides down 35 degrees with g (sin - mu cos)") {
  World world = on_slope(35);
  play(world, 15);
  const auto speed = [&] {
    const double angle = 35 * std::numbers::pi / 180;
    return momentum(world.bodies[0].nodes).dot(Vec3(-std::cos(angle), -std::sin(angle), 0)) /
           total_mass(world.bodies[0].nodes);
  };
  const double before = speed();
  play(world, 45);
  const double angle = 35 * std::numbers::pi / 180;
  const double expected = 9.81 * (std::sin(angle) - 0.5 * std::cos(angle));
  CHECK((speed() - before) / (45 * frame) == doctest::Approx(expected).epsilon(0.03));
}
