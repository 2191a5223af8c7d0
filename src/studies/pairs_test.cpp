#include <doctest/doctest.h>

#include "core/parallel.h"
#include "geometry/mesh/primitives.h"
#include "methods/groups/groups.h"
#include "methods/meshless/meshless.h"
#include "methods/registry.h"
#include "methods/tets/tets.h"
#include "world/world.h"

// Every registered method against every other one, both ways: a new method is tested by being
// registered.

using namespace pliant;

namespace {

/// A cube of this size, its centre at `place`.
Body cube(const std::string& method, double size, const Vec3& place, double density = 1000) {
  Solid solid;
  solid.name = method;
  solid.surface = box_mesh(Vec3::Constant(size), size / 4);
  for (Vec3& p : solid.surface.points) p += place;
  solid.material = elastic_material(2e5, 0.4, density, 30);
  const std::unique_ptr<MethodSettings> settings = find_method(method)->settings();
  // Small bodies: four cells a side are enough to touch with. Methods not named here take their
  // default.
  if (auto* tets = dynamic_cast<tets::Settings*>(settings.get())) tets->cells = 64;
  if (auto* groups = dynamic_cast<groups::Settings*>(settings.get())) groups->cells = 64;
  if (auto* meshless = dynamic_cast<meshless::Settings*>(settings.get()))
    meshless->spacing = size / 4;
  return settings->create(solid);
}

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

double vertical_contact_force(const Body& body, double h) {
  double sum = 0;
  for (const Vec3& load : body.nodes.load) sum += load.y();
  return sum / (h * h);
}

double energy(const World& world) {
  double sum = 0;
  for (const Body& body : world.bodies)
    sum += kinetic_energy(body.nodes) + body.method->measure(body.nodes).elastic_energy;
  return sum;
}

template <class Test>
void for_each_pair(const Test& test) {
  for (const MethodKind& a : registered_methods())
    for (const MethodKind& b : registered_methods()) {
      INFO(std::string(a.name) << " and " << std::string(b.name));
      test(a.name, b.name);
    }
}

}  // namespace

TEST_CASE("a cube rests on a cube: the forces between them are the weights") {
  for_each_pair([](const std::string& top, const std::string& bottom) {
    std::vector<Body> bodies;
    bodies.push_back(cube(bottom, 1, {0, 0.505, 0}));
    bodies.push_back(cube(top, 0.8, {0.03, 1.42, 0.02}));
    World world = world_of(std::move(bodies), {0, -9.81, 0});
    world.colliders.push_back(ground());
    double mean_top = 0, mean_bottom = 0, penetration = 0;
    for (int frame = 0; frame < 160; ++frame) {
      const StepReport report = world.step(1.0 / 60);
      penetration = std::max(penetration, report.max_penetration);
      CHECK(report.unconverged_substeps == 0);
      if (frame < 100) continue;
      mean_top += vertical_contact_force(world.bodies[1], 1.0 / 1200) / 60;
      mean_bottom += vertical_contact_force(world.bodies[0], 1.0 / 1200) / 60;
    }
    const double top_weight = 9.81 * total_mass(world.bodies[1].nodes);
    const double bottom_weight = 9.81 * total_mass(world.bodies[0].nodes);
    // One sample a frame of a tower that still rocks: nothing damps rigid motion.
    CHECK(mean_top == doctest::Approx(top_weight).epsilon(0.03));
    CHECK(mean_bottom == doctest::Approx(bottom_weight).epsilon(0.03));  // floor less the top
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
