#include <doctest/doctest.h>
#include <numbers>

#include "geometry/mesh/primitives.h"
#include "methods/rigid/test_bodies.h"
#include "studies/method_cubes.h"
#include "world/world.h"

// What is reported of contact: force and pressure on skins, force on colliders.

using namespace pliant;
using namespace pliant::test;

namespace {

constexpr double frame = 1.0 / 60;
constexpr double g = 9.81;

Collider ground() {
  Collider floor;
  floor.shape = PlaneShape{};
  return floor;
}

Vec3 sum_of(const Body& body, const char* field_of_parts) {
  Vec3 sum = Vec3::Zero();
  std::vector<double> values;
  for (int axis = 0; axis < 3; ++axis) {
    REQUIRE(field(body, std::string(field_of_parts) + "_" + "xyz"[axis], values));
    for (const double value : values) sum[axis] += value;
  }
  return sum;
}

struct Foot {
  double area = 0;   // [m^2] of the faces that look down
  double force = 0;  // [N] pressure times area
};

Foot foot_of(const Body& body) {
  std::vector<double> pressure;
  REQUIRE(field(body, "contact_pressure", pressure));
  Foot foot;
  for (const Triangle& t : body.drawn_skin().triangles) {
    const std::vector<Vec3>& p = body.drawn_skin().position;
    const Vec3 face = 0.5 * (p[t[1]] - p[t[0]]).cross(p[t[2]] - p[t[0]]);
    if (face.normalized().y() > -0.9) continue;
    foot.area += face.norm();
    for (const int v : t) foot.force += pressure[v] * face.norm() / 3;
  }
  return foot;
}

}  // namespace

TEST_CASE("a block at rest presses with its weight over its foot") {
  for (const MethodKind& method : registered_methods()) {
    CAPTURE(std::string(method.name));
    const double size = 0.4, density = 800;
    World world;
    world.substeps = 20;
    world.bodies.push_back(cube(method.name, size, {0, 0.503 * size, 0}, density));
    world.colliders.push_back(ground());
    for (int i = 0; i < 40; ++i) world.step(frame);
    double pressure = 0, area = 0;
    const int frames = 30;  // damped modes may still ring
    for (int i = 0; i < frames; ++i) {
      world.step(frame);
      const Foot foot = foot_of(world.bodies[0]);
      pressure += foot.force / foot.area / frames;
      area += foot.area / frames;
      const Vec3 force = sum_of(world.bodies[0], "contact_force");
      CHECK((force + world.contact.force_on_collider(0)).norm() < 1e-9 * force.norm());
    }
    const double weight = density * g * size * size * size;
    // Walls that lean out of the vertical share nodes with the foot, and bear a little too.
    CHECK(pressure == doctest::Approx(weight / area).epsilon(0.01));
    // Soft feet spread under the weight, by up to 2 nu density g size / E.
    CHECK(area >= size * size * (1 - 1e-9));
    CHECK(area < size * size * (1 + 2 * 0.4 * density * g * size / 2e5));
  }
}

TEST_CASE("force times time is the change of momentum, however short the blow") {
  for (const MethodKind& method : registered_methods()) {
    CAPTURE(std::string(method.name));
    World world;
    world.substeps = 20;
    world.bodies.push_back(cube(method.name, 0.2, {0, 0.13, 0}));
    world.colliders.push_back(ground());
    Body& body = world.bodies[0];
    for (Vec3& v : body.nodes.velocity) v = {0.5, -3, 0};
    const double mass = total_mass(body.nodes);
    double most = 0;
    for (int i = 0; i < 12; ++i) {
      const Vec3 before = momentum(body.nodes);
      world.step(frame);
      const Vec3 force = sum_of(body, "contact_force");
      const Vec3 gained = momentum(body.nodes) - before - mass * world.gravity * frame;
      // Floats of the wide kernels, and tolerances of implicit solves.
      CHECK((force * frame - gained).norm() < 1e-4 * mass * 3);
      most = std::max(most, force.y());
    }
    CHECK(most > 5 * mass * g);
  }
}

TEST_CASE("a ball between plates answers as Hertz found: force as depth to the power 3/2") {
  const double radius = 0.1, young = 1e5, poisson = 0.3;
  Solid solid;
  solid.name = "ball";
  solid.surface = sphere_mesh(radius, 0.0125);
  solid.material = elastic_material(young, poisson, 1000, 60);
  tets::Settings settings;
  settings.cell_size = 0.0125;
  World world;
  world.gravity = Vec3::Zero();
  world.bodies.push_back(settings.create(solid));
  Body& body = world.bodies[0];
  body.friction = 0;
  body.thickness = 0;
  const double most = 0.012, time = 0.8;
  for (const double side : {-1.0, 1.0}) {
    Collider plate = ground();
    plate.shape = PlaneShape{side * Vec3::UnitY()};
    plate.placement.position = {0, -side * radius, 0};
    plate.motion.keys = {{0, Vec3::Zero(), Quat::Identity()},
                         {time, {0, side * most, 0}, Quat::Identity()}};
    world.colliders.push_back(plate);
  }
  world.substeps = advise_substeps(world, frame).substeps;
  const double hertz = 4.0 / 3 * young / (1 - poisson * poisson) * std::sqrt(radius);
  Eigen::Matrix2d sums = Eigen::Matrix2d::Zero();
  Vec2 right = Vec2::Zero();
  for (int i = 0; i < 48; ++i) {
    world.step(frame);
    const double depth = most * (world.time - 0.5 * frame) / time;  // in the middle of the mean
    const double force = world.contact.force_on_collider(0).y();
    if (depth < 0.25 * most) continue;
    const Vec2 row(1, std::log(depth));
    sums += row * row.transpose();
    right += std::log(force) * row;
    // Three to five cells across the contact: 13 to 22 % stiff; with cells of 8 mm 16 %.
    const double over = force / (hertz * std::pow(depth, 1.5));
    CHECK(over > 0.95);
    CHECK(over < 1.25);
    Vec3 all = Vec3::Zero();
    for (int c = 0; c < 2; ++c) all += world.contact.force_on_collider(c);
    CHECK(all.norm() < 0.02 * force);
  }
  const double slope = sums.inverse().row(1).dot(right);
  CHECK(slope == doctest::Approx(1.5).epsilon(0.1 / 1.5));
}
