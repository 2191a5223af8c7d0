#include <doctest/doctest.h>

#include "core/parallel.h"
#include "methods/rigid/test_bodies.h"
#include "studies/method_cubes.h"
#include "world/world.h"

// Bodies tied to each other, to colliders and to the world; over all pairs of registered methods.

using namespace pliant;
using namespace pliant::test;

namespace {

constexpr double frame = 1.0 / 60;
constexpr double h = frame / 20;

std::vector<int> vertices_where(const Body& body, const auto& chosen) {
  std::vector<int> found;
  for (int v = 0; v < body.skin.size(); ++v)
    if (chosen(body.skin.rest[v])) found.push_back(v);
  return found;
}

/// Two cubes side by side along x, the second tied to the first with the face between them.
World tied_pair(const std::string& first, const std::string& second, const Vec3& gravity,
                double apart = 0) {
  World world;
  world.gravity = gravity;
  world.substeps = 20;
  world.bodies.push_back(cube(first, 0.4, {-0.2, 0, 0}));
  world.bodies.push_back(cube(second, 0.3, {0.15 + apart, 0.02, 0.01}));
  Attachment attachment;
  attachment.a = 1;
  attachment.b = 0;
  attachment.vertices =
      vertices_where(world.bodies[1], [&](const Vec3& p) { return p.x() < apart + 1e-9; });
  REQUIRE(attachment.vertices.size() >= 25);
  REQUIRE(world.contact.bonds.tie(attachment, world.bodies, world.colliders));
  return world;
}

/// How far the second body's tied vertices are from where the first one carries their points [m].
double worst_gap(const World& world) {
  double worst = 0;
  for (const Contact& contact : world.contact.contacts())
    if (contact.is_bond()) worst = std::max(worst, -contact.gap);
  return worst;
}

Vec3 total_momentum(const World& world) {
  Vec3 sum = Vec3::Zero();
  for (const Body& body : world.bodies) sum += momentum(body.nodes);
  return sum;
}

Vec3 total_spin(const World& world) {
  Vec3 sum = Vec3::Zero();
  for (const Body& body : world.bodies) sum += angular_momentum(body.nodes);
  return sum;
}

}  // namespace

TEST_CASE("a tied pair keeps its momenta and stays together, whatever the methods") {
  for_each_pair([](const std::string& first, const std::string& second) {
    World world = tied_pair(first, second, Vec3::Zero());
    for (Vec3& v : world.bodies[0].nodes.velocity) v = {0.5, 0, 0};
    for (int i = 0; i < world.bodies[1].nodes.size(); ++i)
      world.bodies[1].nodes.velocity[i] = {0, 0.3, 0.2};
    const Vec3 before = total_momentum(world), spin = total_spin(world);
    double apart = 0;
    int unconverged = 0;
    for (int i = 0; i < 30; ++i) {
      unconverged += world.step(frame).unconverged_substeps;
      apart = std::max(apart, worst_gap(world));
    }
    CHECK(unconverged == 0);
    CHECK(apart < 5e-4 * 0.3);  // bonds give way a little, see slack in contact_iteration.cpp
    // Implicit solves keep it to their tolerance, 4e-6 here; all others to 1e-8.
    CHECK((total_momentum(world) - before).norm() < 1e-5 * before.norm());
    // Bonds pull at one point of both, to their tolerance.
    CHECK((total_spin(world) - spin).norm() < 0.01 * before.norm() * 0.4);
    const Vec3 relative = momentum(world.bodies[1].nodes) / total_mass(world.bodies[1].nodes) -
                          momentum(world.bodies[0].nodes) / total_mass(world.bodies[0].nodes);
    CHECK(relative.norm() < 1);  // they go on together
  });
}

TEST_CASE("tied at a distance, a body is carried along as if by a rod") {
  World world = tied_pair("rigid", "rigid", Vec3::Zero(), 0.05);
  set_spinning(world.bodies[0], Vec3::Zero(), {0, 0, 3});
  const double before =
      (centre_of_mass(world.bodies[1].nodes) - centre_of_mass(world.bodies[0].nodes)).norm();
  const Vec3 spin = total_spin(world);
  for (int i = 0; i < 60; ++i) world.step(frame);
  const double after =
      (centre_of_mass(world.bodies[1].nodes) - centre_of_mass(world.bodies[0].nodes)).norm();
  CHECK(std::abs(after / before - 1) < 1e-3);
  CHECK((total_spin(world) - spin).norm() < 1e-3 * spin.norm());
}

TEST_CASE("a hanging weight pulls at what it hangs from with its weight") {
  // A rigid block below a soft cube below the world.
  for (const MethodKind& kind : registered_methods()) {
    INFO(std::string(kind.name));
    World world;
    world.substeps = 20;
    world.bodies.push_back(cube(kind.name, 0.4, {0, 0, 0}));
    world.bodies.push_back(
        rigid_body(box_mesh(Vec3::Constant(0.3), 0.1), {Quat::Identity(), {0, -0.35, 0}}));
    Attachment top;
    top.vertices =
        vertices_where(world.bodies[0], [](const Vec3& p) { return p.y() > 0.2 - 1e-9; });
    Attachment below;
    below.a = 1;
    below.b = 0;
    below.vertices =
        vertices_where(world.bodies[1], [](const Vec3& p) { return p.y() > -0.2 - 1e-9; });
    REQUIRE(world.contact.bonds.tie(top, world.bodies, world.colliders));
    REQUIRE(world.contact.bonds.tie(below, world.bodies, world.colliders));
    double from_world = 0, between = 0, apart = 0;
    for (int i = 0; i < 150; ++i) {
      world.step(frame);
      if (i < 90) continue;
      for (const Contact& contact : world.contact.contacts()) {
        REQUIRE(contact.is_bond());  // what is tied does not collide
        const double force = contact.impulse.y() / (h * h) / 60;
        if (contact.b.body < 0) from_world += force;
        else between += force;
      }
      apart = std::max(apart, worst_gap(world));
    }
    const double weight = 9.81 * total_mass(world.bodies[1].nodes);
    const double all = weight + 9.81 * total_mass(world.bodies[0].nodes);
    CHECK(std::abs(between / weight - 1) < 0.02);  // it still swings a little
    CHECK(std::abs(from_world / all - 1) < 0.02);
    CHECK(apart < 5e-4 * 0.3);
  }
}

TEST_CASE("a weight on a soft spring stretches it by its weight") {
  World world;
  world.substeps = 20;
  world.bodies.push_back(rigid_body(box_mesh(Vec3::Constant(0.2), 0.2)));
  Attachment spring;
  spring.vertices =
      vertices_where(world.bodies[0], [](const Vec3& p) { return p.y() > 0.1 - 1e-9; });
  spring.stiffness = 5000;
  REQUIRE(world.contact.bonds.tie(spring, world.bodies, world.colliders));
  const double mass = total_mass(world.bodies[0].nodes), start = 0;
  double mean = 0;
  for (int i = 0; i < 300; ++i) {
    world.step(frame);
    mean += (start - centre_of_mass(world.bodies[0].nodes).y()) / 300;
  }
  CHECK(std::abs(mean / (mass * 9.81 / 5000) - 1) < 0.03);
}

TEST_CASE("bonds follow a moving collider, tear at their strength, and are saved torn") {
  const auto make = [](double strength) {
    World world;
    world.substeps = 20;
    world.bodies.push_back(rigid_body(box_mesh(Vec3::Constant(0.2), 0.1)));
    Collider hook;
    hook.shape = BoxShape{Vec3::Constant(0.05)};
    hook.placement.position = {0, 0.15, 0};
    hook.motion.keys = {{0, Vec3::Zero(), Quat::Identity()},
                        {1, {0.5, 0.5, 0}, Quat(Eigen::AngleAxisd(0.5, Vec3::UnitZ()))}};
    hook.motion.pivot = hook.placement.position;
    world.colliders.push_back(hook);
    Attachment attachment;
    attachment.vertices =
        vertices_where(world.bodies[0], [](const Vec3& p) { return p.y() > 0.1 - 1e-9; });
    attachment.collider = 0;
    attachment.strength = strength;
    REQUIRE(world.contact.bonds.tie(attachment, world.bodies, world.colliders));
    return world;
  };
  const double weight = 8 * 9.81;
  World strong = make(1e6 * weight);  // the collider sets off at once, which is a blow
  for (int i = 0; i < 60; ++i) strong.step(frame);
  CHECK(strong.contact.bonds.torn() == 0);
  const Pose pose = strong.colliders[0].motion.at(1);
  CHECK((centre_of_mass(strong.bodies[0].nodes) - pose.apply(Vec3::Zero())).norm() < 1e-4);

  World weak = make(0.5 * weight);
  for (int i = 0; i < 30; ++i) weak.step(frame);
  CHECK(weak.contact.bonds.torn() == weak.contact.bonds.count());
  Archive saving = Archive::saving();
  weak.archive(saving);
  const std::vector<std::byte> bytes = saving.take_bytes();
  World resumed = make(0.5 * weight);
  Archive loading = Archive::loading(bytes);
  resumed.archive(loading);
  CHECK(resumed.contact.bonds.torn() == resumed.contact.bonds.count());
  for (int i = 0; i < 10; ++i) weak.step(frame), resumed.step(frame);
  CHECK(state_hash(weak) == state_hash(resumed));
}

TEST_CASE("a tied pair saved and loaded goes on to the same bits, on any number of threads") {
  const auto make = [] { return tied_pair("tets", "rigid", {0, -9.81, 0}); };
  std::uint64_t hash[2];
  for (const int threads : {1, 3}) {
    set_threads(threads);
    World world = make();
    for (int i = 0; i < 10; ++i) world.step(frame);
    hash[threads / 2] = state_hash(world);
  }
  set_threads(0);
  CHECK(hash[0] == hash[1]);
  World half = make();
  for (int i = 0; i < 5; ++i) half.step(frame);
  Archive saving = Archive::saving();
  half.archive(saving);
  const std::vector<std::byte> bytes = saving.take_bytes();
  World resumed = make();
  Archive loading = Archive::loading(bytes);
  resumed.archive(loading);
  for (int i = 0; i < 5; ++i) resumed.step(frame);
  CHECK(state_hash(resumed) == hash[0]);
}
