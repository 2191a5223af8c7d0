#include <doctest/doctest.h>
#include <numbers>

#include "geometry/mesh/fish.h"
#include "studies/method_cubes.h"
#include "world/world.h"

// What contact promises of bodies with a real method.

using namespace pliant;

namespace {

constexpr double frame = 1.0 / 60;

Body bar(const Vec3& size, double cell, double young, const Vec3& place = Vec3::Zero()) {
  Solid solid;
  solid.name = "bar";
  solid.surface = box_mesh(size, cell);
  for (Vec3& p : solid.surface.points) p += place;
  solid.material = elastic_material(young, 0.45, 1000, 5);
  tets::Settings settings;
  settings.cell_size = cell;
  return settings.create(solid);
}

/// Holds the nodes beyond x = `from` on this side, and takes them along.
void drive(Body& body, double side, double from, const Motion& motion) {
  Handle handle;
  for (int i = 0; i < body.nodes.size(); ++i) {
    if (side * body.nodes.position[i].x() <= from) continue;
    handle.nodes.push_back(i);
    handle.rest.push_back(body.nodes.position[i]);
  }
  handle.motion = motion;
  body.handles.push_back(handle);
}

/// Ten cubes on each other for so many frames, after two seconds to settle.
void stand(int frames) {
  World world;
  const double size = 0.1;
  for (int k = 0; k < 10; ++k)
    world.bodies.push_back(test::cube("tets", size, {0, (k + 0.5) * 1.003 * size, 0}));
  Collider floor;
  floor.shape = PlaneShape{};
  world.colliders.push_back(floor);
  world.substeps = 20;
  // Soft towers buckle by themselves: ten cubes need a modulus of 6000 density * g * size. Weak
  // gravity is the cheap way to have that.
  world.gravity = {0, -9.81 / 30, 0};
  const auto top = [&] { return centre_of_mass(world.bodies[9].nodes); };
  for (int i = 0; i < 120; ++i) world.step(frame);
  const Vec3 start = top();
  Vec3 middle = start;
  double deepest = 0, drift = 0, kinetic = 0, force = 0, mass = 0;
  for (int i = 0; i < frames; ++i) {
    deepest = std::max(deepest, world.step(frame).max_penetration);
    drift = std::max(drift, (top() - start).norm());
    force += -world.contact.force_on_collider(0).y() / frames;
    if (2 * i < frames) middle = top();
  }
  for (const Body& body : world.bodies) {
    mass += total_mass(body.nodes);
    kinetic = std::max(kinetic, kinetic_energy(body.nodes) / total_mass(body.nodes));
  }
  const double creep = (top() - middle).norm() / (0.5 * frames * frame);
  MESSAGE("drift " << drift / size << " sizes, creep " << creep / size << " sizes/s, penetration "
                   << deepest << " m, kinetic " << kinetic << " J/kg, floor bears "
                   << force / (mass * 9.81 / 30) << " of the weight");
  CHECK(drift < 0.01 * size);
  CHECK(deepest <= 0);
  CHECK(kinetic < 1e-5);
  CHECK(force == doctest::Approx(mass * 9.81 / 30).epsilon(1e-3));
  if (frames > 1000) CHECK(creep < 1e-4 * size);
}

/// A cube of this method on a slope that is tilted to so many degrees within a second.
struct Slope {
  World world;

  explicit Slope(const std::string& method, double degrees) {
    world.bodies.push_back(test::cube(method, 0.1, {0, 0.0503, 0}));
    world.colliders.emplace_back().shape = PlaneShape{};
    world.substeps = advise_substeps(world, frame).substeps;
    const int frames = 60;
    for (int i = 1; i <= frames; ++i) {
      const double angle = degrees * std::numbers::pi / 180 * i / frames;
      world.gravity = 9.81 * Vec3(std::sin(angle), -std::cos(angle), 0);
      world.step(frame);
    }
  }
  double at() const { return centre_of_mass(world.bodies[0].nodes).x(); }
  double speed() const {
    return momentum(world.bodies[0].nodes).x() / total_mass(world.bodies[0].nodes);
  }
  /// [m] the way down, and [m/s] by how much it became faster, in half a second.
  struct Change {
    double way, speed;
  };
  Change go_on() {
    const double start = at(), before = speed();
    for (int i = 0; i < 30; ++i) world.step(frame);
    return {at() - start, speed() - before};
  }
};

}  // namespace

TEST_CASE("with friction 0.5 a cube of any method holds at 26 degrees and slides at 30") {
  for (const MethodKind& method : registered_methods()) {
    INFO(std::string(method.name));
    Slope holds(method.name, 26);
    holds.go_on();  // until it is at rest
    const double drift = holds.go_on().way;
    Slope slides(method.name, 30);
    slides.go_on();
    const double acceleration = slides.go_on().speed / 0.5;
    MESSAGE(std::string(method.name) << ": drift in half a second " << drift << " m, acceleration "
                                     << acceleration << " m/s^2");
    // Contacts of clusters share their nodes and leave a slip within the tolerance
    // (docs/limits.md).
    const bool creeps = method.name == std::string("clusters");
    CHECK(std::abs(drift) < (creeps ? 5e-3 : 1e-5));
    const double angle = std::numbers::pi / 6;
    CHECK(acceleration ==
          doctest::Approx(9.81 * (std::sin(angle) - 0.5 * std::cos(angle))).epsilon(1e-3));
  }
}

TEST_CASE("held ends of a bar that are driven through each other leave it whole") {
  Body body = bar({1, 0.08, 0.12}, 0.03, 5e4);
  for (const double side : {-1.0, 1.0}) {
    const Quat turn(Eigen::AngleAxisd(side * std::acos(-1.0) / 2, Vec3::UnitZ()));
    Motion motion;
    motion.pivot = {side * 0.5, 0, 0};
    motion.keys = {{0, Vec3::Zero(), Quat::Identity()},
                   {1, {-side * 0.45, 0.35, 0}, turn},
                   {1.6, {-side * 0.54, 0.35, 0}, turn}};
    drive(body, side, 0.45, motion);
  }
  World world;
  world.gravity = Vec3::Zero();
  world.contact.settings.touch = Touches::all;
  world.bodies.push_back(std::move(body));
  world.substeps = advise_substeps(world, frame).substeps;
  double most = 0, least_volume = 1;
  for (int i = 0; i < 110; ++i) {
    world.step(frame);
    const Measures now = world.bodies[0].method->measure(world.bodies[0].nodes);
    most = std::max(most, now.elastic_energy);
    least_volume = std::min(least_volume, now.volume / now.rest_volume);
  }
  // Bending takes 12 J; pressed ends some tens. It was 1e6 J and then not finite.
  CHECK(most < 100);
  CHECK(least_volume > 0.95);
}

TEST_CASE(
    "a cube that is pressed flat until it turns inside out is not torn apart by meeting itself") {
  const auto most_energy = [](Touches touch) {
    Solid solid;
    solid.name = "cube";
    solid.surface = box_mesh({0.8, 0.8, 0.8}, 0.08);
    solid.material = elastic_material(1e5, 0.48, 1000, 4);
    tets::Settings settings;
    settings.cell_size = 0.1;
    settings.recovery = true;
    solid.contact_detail = 100;  // the surface whose triangles turn inside out with their tets
    Body body = settings.create(solid);
    for (const double side : {-1.0, 1.0}) {
      Motion motion;
      motion.keys = {{0, Vec3::Zero(), Quat::Identity()},
                     {0.6, {-side * 0.4, 0, 0}, Quat::Identity()}};
      drive(body, side, 0.39, motion);
    }
    World world;
    world.gravity = Vec3::Zero();
    world.contact.settings.touch = touch;
    world.bodies.push_back(std::move(body));
    world.substeps = 20;
    double most = 0;
    for (int i = 0; i < 50; ++i) {
      world.step(frame);
      most = std::max(most, world.bodies[0].method->measure(world.bodies[0].nodes).elastic_energy);
    }
    return most;
  };
  const double alone = most_energy(Touches::bodies), itself = most_energy(Touches::all);
  MESSAGE("elastic energy at most " << alone << " J, with self-contact " << itself << " J");
  CHECK(itself < 1.5 * alone);
}

TEST_CASE("a stack of ten soft cubes stands") { stand(180); }

// Minutes: test_studies -tc="*for a minute" -ns
TEST_CASE("a stack of ten soft cubes stands for a minute" * doctest::skip()) { stand(3600); }

TEST_CASE("a tower of five meshless boxes stands") {
  World world;
  const double size = 0.1;
  for (int k = 0; k < 5; ++k)
    world.bodies.push_back(test::cube("meshless", size, {0, (k + 0.5) * 1.003 * size, 0}));
  Collider floor;
  floor.shape = PlaneShape{};
  world.colliders.push_back(floor);
  world.substeps = advise_substeps(world, frame).substeps;
  world.gravity = {0, -9.81 / 8, 0};  // stiff against its weight, as above
  for (int i = 0; i < 60; ++i) world.step(frame);
  const Vec3 start = centre_of_mass(world.bodies[4].nodes);
  double deepest = 0;
  for (int i = 0; i < 60; ++i) deepest = std::max(deepest, world.step(frame).max_penetration);
  const Vec3 drift = centre_of_mass(world.bodies[4].nodes) - start;
  MESSAGE("drift " << drift.norm() / size << " sizes");
  CHECK(drift.norm() < 0.02 * size);
  CHECK(deepest <= 0);
}

TEST_CASE("a cut ball bounces on a cut block as one of whole cells does") {
  const auto depth = [](bool cut) {
    World world;
    const auto add = [&](TriangleMesh surface, const Vec3& place, int cells) {
      Solid solid;
      for (Vec3& p : surface.points) p += place;
      solid.surface = std::move(surface);
      solid.material = elastic_material(8e4, 0.45, 1000, 4);
      groups::Settings settings;
      settings.cut = cut;
      settings.cells = cells;
      world.bodies.push_back(settings.create(solid));
    };
    add(box_mesh({0.6, 0.2, 0.6}, 0.06), {0, 0.11, 0}, 150);
    add(sphere_mesh(0.15, 0.04), {0.03, 0.5, 0.02}, 100);
    Collider floor;
    floor.shape = PlaneShape{};
    world.colliders.push_back(floor);
    world.substeps = advise_substeps(world, frame).substeps;
    int unconverged = 0;
    double deepest = 0, most_iterations = 0, lowest = 1;
    for (int i = 0; i < 30; ++i) {
      const StepReport report = world.step(frame);
      unconverged += report.unconverged_substeps;
      deepest = std::max(deepest, report.max_penetration);
      most_iterations =
          std::max(most_iterations, double(report.contact_iterations) / world.substeps);
      lowest = std::min(lowest, centre_of_mass(world.bodies[1].nodes).y());
    }
    INFO((cut ? "cut" : "whole"));
    CHECK(unconverged == 0);
    CHECK(deepest < 1e-3);
    CHECK(most_iterations < 25);
    return lowest;
  };
  CHECK(depth(true) == doctest::Approx(depth(false)).epsilon(0.05));
}

TEST_CASE(
    "a fish that falls on a fish stays out of it, though fins are squeezed through themselves") {
  World world;
  SUBCASE("free to pass through itself") { world.contact.settings.touch = Touches::bodies; }
  SUBCASE("which meets itself") { world.contact.settings.touch = Touches::all; }
  const auto add = [&](const Quat& turn, const Vec3& place) {
    Solid solid;
    solid.surface = fish_mesh(1, 0.03);
    for (Vec3& p : solid.surface.points) p = turn * p + place;
    solid.material = elastic_material(8e4, 0.45, 1000, 8);
    groups::Settings settings;
    settings.cells = 195;
    world.bodies.push_back(settings.create(solid));
  };
  const Quat lying(Eigen::AngleAxisd(1.3, Vec3::UnitX()));
  add(lying, {0, 0.19, 0});
  add(Quat(Eigen::AngleAxisd(1, Vec3::UnitY())) * lying, {0.05, 0.5, 0.02});
  for (Vec3& v : world.bodies[1].nodes.velocity) v = {0, -4, 0};
  Collider floor;
  floor.shape = PlaneShape{};
  world.colliders.push_back(floor);
  world.substeps = 20;
  int unconverged = 0;
  double deepest = 0;
  for (int i = 0; i < 18; ++i) {
    const StepReport report = world.step(frame);
    unconverged += report.unconverged_substeps;
    deepest = std::max(deepest, report.max_penetration);
  }
  // It was 7 cm, in every frame from the blow on.
  CHECK(deepest < 1e-3);
  CHECK(unconverged < 0.1 * 18 * world.substeps);
}

TEST_CASE("a wire lies on the floor, and another across it, with gaps small against their width") {
  const double width = 0.02;
  World world;
  world.substeps = 20;
  world.bodies.push_back(bar({3, width, width}, width, 1e6, {0, 0.55 * width, 0}));
  world.bodies.push_back(bar({width, width, 2}, width, 1e6, {0, 1.65 * width, 0}));
  Collider floor;
  floor.shape = PlaneShape{};
  world.colliders.push_back(floor);
  for (int i = 0; i < 90; ++i) world.step(frame);
  // Heights of a wire's skin near the other, and of all of it.
  const auto heights = [&](const Body& body, double near) {
    double low = 1, high = -1;
    for (const Vec3& p : body.skin.position) {
      if (Vec3(p.x(), 0, p.z()).norm() > near) continue;
      low = std::min(low, p.y());
      high = std::max(high, p.y());
    }
    return std::pair(low, high);
  };
  for (const Body& body : world.bodies) {
    const double lowest = heights(body, 10).first;
    CHECK(lowest > 0);
    CHECK(lowest < 0.06 * width);
  }
  const double between =
      heights(world.bodies[1], 1.5 * width).first - heights(world.bodies[0], 1.5 * width).second;
  CHECK(between > 0);
  CHECK(between < 0.12 * width);
}
