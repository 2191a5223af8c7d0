#include <doctest/doctest.h>
#include <numbers>

#include "body/test_body.h"

using namespace pliant;
using namespace pliant::test;

namespace {

const Vec3 no_gravity = Vec3::Zero();

Body box() { return caged_box({2, 1, 3}, 0.5); }

/// Bends the cage, so that nothing is flat or square any more.
void deform(Body& body) {
  for (int k = 0; k < 8; ++k)
    body.nodes.position[k] += 0.2 * Vec3(k % 3, (k * k) % 5 - 2, 3 - k % 4);
  body.skin.refresh(body.nodes.position);
}

Load pressure_on(const Body& body, double pressure, double least_height) {
  Load load;
  load.kind = Load::Kind::pressure;
  load.pressure = pressure;
  for (int t = 0; t < int(body.skin.triangles.size()); ++t) {
    bool above = true;
    for (const int v : body.skin.triangles[t])
      above = above && body.skin.rest[v].y() > least_height;
    if (above) load.triangles.push_back(t);
  }
  return load;
}

/// Of the nodes' forces, about the origin.
Vec3 torque(const Nodes& nodes) {
  Vec3 total = Vec3::Zero();
  for (int i = 0; i < nodes.size(); ++i) total += nodes.position[i].cross(nodes.force[i]);
  return total;
}

}  // namespace

TEST_CASE("gravity pulls every node with its mass, and nothing is left of the substep before") {
  Body body = box();
  const Vec3 gravity(1, -9.81, 0.5);
  for (int repeat = 0; repeat < 3; ++repeat) drive(body, gravity, repeat);
  for (int i = 0; i < body.nodes.size(); ++i)
    CHECK((body.nodes.force[i] - body.nodes.mass[i] * gravity).norm() == 0);
}

TEST_CASE("a force load adds up to the force that was asked for, in its window only") {
  Body body = box();
  Load load;
  load.vector = {3, -4, 5};
  load.vertices = {0, 7, 11};
  load.share = {0.5, 0.2, 0.3};
  load.start = 1;
  load.end = 2;
  body.loads.push_back(load);
  // A substep is named by its end: one that ends where the window opens lies outside, one that ends
  // where it closes lies inside.
  for (const double outside : {0.0, 0.5, 1.0, 2.001, 7.0}) {
    drive(body, no_gravity, outside);
    CHECK(sum(body.nodes.force).norm() == 0);
  }
  for (const double inside : {1.001, 1.5, 2.0}) {
    drive(body, no_gravity, inside);
    CHECK((sum(body.nodes.force) - load.vector).norm() < 1e-14);
  }
  // Its torque is that of the forces at the vertices: weights carry it to the nodes unchanged.
  Vec3 expected = Vec3::Zero();
  for (int i = 0; i < 3; ++i)
    expected += body.skin.position[load.vertices[i]].cross(load.share[i] * load.vector);
  CHECK((torque(body.nodes) - expected).norm() < 1e-13);
}

TEST_CASE("pressure on a side of a box is pressure times area, against the outward normal") {
  Body body = box();
  body.loads.push_back(pressure_on(body, 250, 0.49));
  drive(body, no_gravity, 1);
  CHECK((sum(body.nodes.force) - Vec3(0, -250 * 2 * 3, 0)).norm() < 1e-9);
}

TEST_CASE("pressure follows the skin when it turns") {
  Body body = box();
  body.loads.push_back(pressure_on(body, 250, 0.49));
  const Quat turn(Eigen::AngleAxisd(0.7, Vec3(1, 2, 3).normalized()));
  for (Vec3& p : body.nodes.position) p = turn * p;
  body.skin.refresh(body.nodes.position);
  drive(body, no_gravity, 1);
  CHECK((sum(body.nodes.force) - turn * Vec3(0, -1500, 0)).norm() < 1e-9);
}

TEST_CASE("pressure on a closed skin neither pushes nor turns the body, however it is bent") {
  Body body = box();
  deform(body);
  body.loads.push_back(pressure_on(body, 1e5, -100));
  REQUIRE(body.loads[0].triangles.size() == body.skin.triangles.size());
  drive(body, no_gravity, 1);
  double largest = 0;
  for (const Vec3& force : body.nodes.force) largest = std::max(largest, force.norm());
  CHECK(largest > 1e4);
  CHECK(sum(body.nodes.force).norm() < 1e-11 * largest);
  CHECK(torque(body.nodes).norm() < 1e-11 * largest);
}

TEST_CASE("an acceleration load pushes the named nodes by their mass and no other") {
  Body body = box();
  Load load;
  load.kind = Load::Kind::acceleration;
  load.vector = {0, 0, 2};
  load.nodes = {1, 6};
  body.loads.push_back(load);
  drive(body, no_gravity, 1);
  for (int i = 0; i < body.nodes.size(); ++i) {
    const double expected = i == 1 || i == 6 ? 2 * body.nodes.mass[i] : 0;
    CHECK((body.nodes.force[i] - Vec3(0, 0, expected)).norm() == 0);
  }
}

TEST_CASE("loads add up") {
  Body body = box();
  for (int i = 0; i < 2; ++i) {
    Load load;
    load.kind = Load::Kind::acceleration;
    load.vector = {1, 0, 0};
    load.nodes = all_nodes(body);
    body.loads.push_back(load);
  }
  drive(body, {0, -10, 0}, 1);
  CHECK((sum(body.nodes.force) - total_mass(body.nodes) * Vec3(2, -10, 0)).norm() < 1e-12);
}

TEST_CASE("held nodes go where the motion is, until they are released") {
  Body body = box();
  Handle handle;
  handle.nodes = {2, 5};
  for (const int node : handle.nodes) handle.rest.push_back(body.nodes.position[node]);
  handle.motion.keys = {{0, Vec3::Zero(), Quat::Identity()}, {2, Vec3(0, 4, 0), Quat::Identity()}};
  handle.release = 3;
  body.handles.push_back(handle);
  const auto held = [&] { return std::count(body.nodes.held.begin(), body.nodes.held.end(), 1); };

  for (const double time : {0.5, 1.0, 2.5, 3.0}) {
    drive(body, no_gravity, time);
    CHECK(held() == 2);
    for (int i = 0; i < 2; ++i) {
      CHECK(body.nodes.held[handle.nodes[i]] == 1);
      const Vec3 expected = handle.rest[i] + Vec3(0, 2 * std::min(time, 2.0), 0);
      CHECK((body.nodes.target[handle.nodes[i]] - expected).norm() < 1e-14);
    }
  }
  drive(body, no_gravity, 3.001);
  CHECK(held() == 0);
}

TEST_CASE("a turning handle carries its nodes around the pivot") {
  Body body = box();
  Handle handle;
  handle.nodes = {0};
  handle.rest = {Vec3(3, 1, 0)};
  handle.motion.pivot = {1, 0, 0};
  handle.motion.spin = Motion::Spin{};
  handle.motion.spin->axis = Vec3::UnitZ();
  handle.motion.spin->rate = std::numbers::pi / 2;
  body.handles.push_back(handle);
  drive(body, no_gravity, 1);  // a quarter turn takes (2, 1) to (-1, 2)
  CHECK((body.nodes.target[0] - Vec3(0, 2, 0)).norm() < 1e-14);
}

TEST_CASE(
    "a method that holds the skin is told which vertices are held and where, until released") {
  class Gripping : public Still {
   public:
    std::vector<int> vertices;
    std::vector<Vec3> targets;
    bool holds_skin() const override { return true; }
    void hold_skin(const Skin&, const std::vector<int>& held,
                   const std::vector<Vec3>& where) override {
      vertices = held;
      targets = where;
    }
  };
  Body body = box();
  body.method = std::make_unique<Gripping>();
  Handle handle;
  handle.vertices = {3, 5};
  handle.vertex_rest = {{1, 0, 0}, {0, 2, 0}};
  handle.motion.keys = {{0, Vec3(0, 0, 0), Quat::Identity()}, {1, Vec3(0, 0, 4), Quat::Identity()}};
  handle.release = 2;
  body.handles.push_back(handle);
  const auto& gripping = static_cast<const Gripping&>(*body.method);
  drive(body, no_gravity, 0.5);
  CHECK(gripping.vertices == std::vector{3, 5});
  CHECK((gripping.targets[0] - Vec3(1, 0, 2)).norm() < 1e-12);
  CHECK((gripping.targets[1] - Vec3(0, 2, 2)).norm() < 1e-12);
  for (const char held : body.nodes.held) CHECK(held == 0);
  drive(body, no_gravity, 2.5);
  CHECK(gripping.vertices.empty());
}

TEST_CASE("handles are at rest between two times when their nodes stay held in the same places") {
  Body body = box();
  CHECK(are_handles_at_rest(body, 0, 1));
  Handle handle;
  handle.nodes = {0};
  handle.rest = {Vec3(3, 1, 0)};
  handle.release = 5;
  body.handles.push_back(handle);
  CHECK(are_handles_at_rest(body, 0, 1));
  CHECK_FALSE(are_handles_at_rest(body, 4, 6));
  CHECK(are_handles_at_rest(body, 6, 7));
  body.handles[0].motion.keys = {{1, Vec3(0, 0, 0), Quat::Identity()},
                                 {2, Vec3(0, 0, 4), Quat::Identity()}};
  CHECK(are_handles_at_rest(body, 0, 1));
  CHECK_FALSE(are_handles_at_rest(body, 0.5, 1.5));
  CHECK_FALSE(are_handles_at_rest(body, 1.5, 1.6));
  CHECK(are_handles_at_rest(body, 2, 3));
}
