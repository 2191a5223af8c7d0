#include <doctest/doctest.h>

#include "core/parallel.h"
#include "studies/method_cubes.h"
#include "world/world.h"

// Every registered method against every other one, both ways: a new method is tested by being
// registered.

using namespace pliant;
using namespace pliant::test;

namespace {

World world_of(std::vector<Body> bodies, const Vec3& gravity) {
  World world;
  world.bodies = std::move(bodies);
  world.gravity = gravity;
  world.substeps = 20;
  return world;
}

Collider ground() {
  Collider floor;
  floor.shape = PlaneShape{};
  return floor;
}

Vec3 contact_force(const Body& body) {
  Vec3 sum = Vec3::Zero();
  for (int v = 0; v < body.skin.size(); ++v) sum += body.touched.force(v);
  return sum;
}

/// The same from what the nodes bore in the last substep.
Vec3 contact_force_of_nodes(const Body& body, double h) {
  Vec3 sum = Vec3::Zero();
  for (const Vec3& load : body.nodes.load) sum += load;
  return sum / (h * h);
}

double energy(const World& world) {
  double sum = 0;
  for (const Body& body : world.bodies)
    sum += kinetic_energy(body.nodes) + body.method->measure(body.nodes).elastic_energy;
  return sum;
}

}  // namespace

TEST_CASE("a cube rests on a cube: the forces between them are the weights") {
  for_each_pair([](const std::string& top, const std::string& bottom) {
    std::vector<Body> bodies;
    bodies.push_back(cube(bottom, 1, {0, 0.505, 0}));
    bodies.push_back(cube(top, 0.8, {0.03, 1.42, 0.02}));
    World world = world_of(std::move(bodies), {0, -9.81, 0});
    world.colliders.push_back(ground());
    double penetration = 0;
    const auto step = [&](double dt) {
      const StepReport report = world.step(dt);
      penetration = std::max(penetration, report.max_penetration);
      CHECK(report.unconverged_substeps == 0);
    };
    for (int frame = 0; frame < 100; ++frame) step(1.0 / 60);
    // Every substep for itself now, so that no force is missed. The tower may still rock, as
    // nothing damps rigid motion; what it gains in momentum is what the forces had beyond the
    // weights.
    world.substeps = 1;
    const double h = 1.0 / 1200, time = 0.5;
    const double before[2] = {momentum(world.bodies[0].nodes).y(),
                              momentum(world.bodies[1].nodes).y()};
    double off = 0;
    double mean[2] = {0, 0};  // on the bottom that is the floor's less the top's
    for (int k = 0; k < 600; ++k) {
      step(h);
      Vec3 all = world.contact.force_on_collider(0);
      for (int b = 0; b < 2; ++b) {
        const Vec3 force = contact_force(world.bodies[b]);
        off = std::max(off, (force - contact_force_of_nodes(world.bodies[b], h)).norm());
        mean[b] += force.y() * h / time;
        all += force;
      }
      off = std::max(off, all.norm());  // action and reaction
    }
    CHECK(off < 1e-9 * 9.81 * total_mass(world.bodies[0].nodes));
    for (int b = 0; b < 2; ++b) {
      const Nodes& nodes = world.bodies[b].nodes;
      const double weight = 9.81 * total_mass(nodes);
      const double gained = (momentum(nodes).y() - before[b]) / time;
      CHECK(std::abs(gained) < 0.1 * weight);
      CHECK(mean[b] == doctest::Approx(weight + gained).epsilon(0.005));
    }
    CHECK(penetration == 0);
    CHECK(centre_of_mass(world.bodies[1].nodes).y() > 1.3);
  });
}

TEST_CASE("a collision in free space keeps momentum and gains no energy") {
  for_each_pair([](const std::string& left, const std::string& right) {
    std::vector<Body> bodies;
    bodies.push_back(cube(left, 1, {-0.53, 0, 0}));
    bodies.push_back(cube(right, 0.8, {0.43, 0.1, 0.05}));
    World world = world_of(std::move(bodies), Vec3::Zero());
    for (Vec3& v : world.bodies[0].nodes.velocity) v = {1, 0, 0};
    Vec3 before = Vec3::Zero();
    double scale = 0;
    for (const Body& body : world.bodies) {
      before += momentum(body.nodes);
      scale += total_mass(body.nodes);
    }
    const double start = energy(world);
    double most = 0;
    for (int frame = 0; frame < 40; ++frame) {
      world.step(1.0 / 60);
      most = std::max(most, energy(world));
    }
    Vec3 after = Vec3::Zero();
    for (const Body& body : world.bodies) after += momentum(body.nodes);
    // Floats of the wide kernels keep momentum to some 1e-8; implicit solves to their tolerance.
    CHECK((after - before).norm() < 1e-4 * scale);
    CHECK(most < 1.005 * start);
    // They met: the second one moves now.
    CHECK(momentum(world.bodies[1].nodes).x() > 0.1 * before.x());
  });
}

TEST_CASE("a pair gives the same bits on 1, 2 and 7 threads") {
  for_each_pair([](const std::string& top, const std::string& bottom) {
    std::uint64_t hash[3];
    int k = 0;
    for (const int count : {1, 2, 7}) {
      set_threads(count);
      std::vector<Body> bodies;
      bodies.push_back(cube(bottom, 1, {0, 0.505, 0}));
      bodies.push_back(cube(top, 0.8, {0.03, 1.42, 0.02}));
      World world = world_of(std::move(bodies), {0, -9.81, 0});
      world.colliders.push_back(ground());
      for (int frame = 0; frame < 4; ++frame) world.step(1.0 / 60);
      hash[k++] = state_hash(world);
    }
    set_threads(0);
    CHECK(hash[0] == hash[1]);
    CHECK(hash[0] == hash[2]);
  });
}
