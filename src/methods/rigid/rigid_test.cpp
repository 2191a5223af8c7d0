#include "methods/rigid/rigid.h"

#include <doctest/doctest.h>
#include <numbers>

#include "methods/rigid/test_bodies.h"

using namespace pliant;
using namespace pliant::test;

namespace {

constexpr double h = 1.0 / 480;
const Vec3 none = Vec3::Zero();

double rotation_energy(const Nodes& nodes) {
  return kinetic_energy(nodes) - 0.5 * momentum(nodes).squaredNorm() / total_mass(nodes);
}

/// How far the distances between the nodes are from those at rest, relative.
double distortion(const Body& body, const std::vector<Vec3>& rest) {
  double most = 0;
  for (int i = 0; i < 4; ++i)
    for (int k = 0; k < i; ++k) {
      const double was = (rest[i] - rest[k]).norm();
      const double is = (body.nodes.position[i] - body.nodes.position[k]).norm();
      most = std::max(most, std::abs(is / was - 1));
    }
  return most;
}

Handle pin(const Body& body, const std::vector<Vec3>& at) {
  Handle handle;
  for (const Vec3& p : at)
    for (int v = 0; v < body.skin.size(); ++v)
      if ((body.skin.rest[v] - p).norm() < 1e-9) {
        handle.vertices.push_back(v);
        handle.vertex_rest.push_back(p);
      }
  REQUIRE(handle.vertices.size() == at.size());
  return handle;
}

}  // namespace

TEST_CASE("a wing nut in orbit turns over for 100 s: momenta and energy stay, so does its shape") {
  Body body = rigid_body(box_mesh({0.2, 0.5, 1}, 1));
  const std::vector<Vec3> rest = body.nodes.position;
  set_spinning(body, {0.1, -0.2, 0.05}, {0.01, 8, 0.01});
  const double energy = rotation_energy(body.nodes);
  const Vec3 p = momentum(body.nodes);
  const Vec3 centre = centre_of_mass(body.nodes);
  const auto own_spin = [&] {
    const Vec3 c = centre_of_mass(body.nodes);
    return Vec3(angular_momentum(body.nodes) - c.cross(momentum(body.nodes)));
  };
  const Vec3 spin = own_spin();
  double drift = 0, bent = 0;
  bool turned_over = false;
  const auto side = [&] {  // of the body's own y axis
    return body.skin.weights.gather(0, body.nodes.position).y() - centre_of_mass(body.nodes).y();
  };
  const double first = side();
  for (int second = 0; second < 100; ++second) {
    fly(body, h, 480, none);
    drift = std::max(drift, std::abs(rotation_energy(body.nodes) / energy - 1));
    bent = std::max(bent, distortion(body, rest));
    turned_over = turned_over || side() * first < -0.5 * first * first;
  }
  CHECK(drift < 1e-8);
  CHECK(bent < 1e-12);
  CHECK(turned_over);
  CHECK((momentum(body.nodes) - p).norm() < 1e-11 * p.norm());
  CHECK((own_spin() - spin).norm() < 1e-10 * spin.norm());
  CHECK((centre_of_mass(body.nodes) - centre - 100 * p / total_mass(body.nodes)).norm() < 1e-8);
}

TEST_CASE("a rigid body flies a parabola, spinning or not") {
  Body body = rigid_body(cylinder_mesh(0.1, 0.6, 0.05), {Quat::Identity(), {0, 5, 0}});
  set_spinning(body, {1, 0, 0}, {3, 2, 1});
  const Vec3 start = centre_of_mass(body.nodes);
  fly(body, h, 240, {0, -9.81, 0});
  const double time = 240 * h;
  const Vec3 expected(time, -9.81 * time * time / 2, 0);
  CHECK((centre_of_mass(body.nodes) - start - expected).norm() < 1e-11);
}

TEST_CASE("a force off the centre turns the body by its inertia") {
  Body body = rigid_body(box_mesh({1, 1, 1}, 1));
  Load load;
  load.vector = {0, 60, 0};
  for (int v = 0; v < body.skin.size(); ++v)
    if ((body.skin.rest[v] - Vec3(0.5, 0.5, 0.5)).norm() < 1e-9) load.vertices = {v};
  REQUIRE(load.vertices.size() == 1);
  load.share = {1};
  body.loads.push_back(load);
  fly(body, h, 1, none);
  const Vec3 torque = Vec3(0.5, 0.5, 0.5).cross(load.vector);
  const double inertia = 1000.0 / 6;
  Vec3 spin = Vec3::Zero();
  const Vec3 L =
      angular_momentum(body.nodes) - centre_of_mass(body.nodes).cross(momentum(body.nodes));
  spin = L / inertia;
  CHECK((spin - h * torque / inertia).norm() < 1e-12);
  CHECK((momentum(body.nodes) - h * load.vector).norm() < 1e-12);
}

TEST_CASE("held in one place it swings like the compound pendulum") {
  // A rod about its end: omega^2 = m g d / I, d = half its length.
  const double length = 1;
  Body body = rigid_body(box_mesh({0.02, length, 0.02}, 1), {Quat::Identity(), {0, -0.5, 0}});
  body.handles.push_back(pin(body, {{0.01, 0, 0.01}}));
  const Vec3 p(0.01, 0, 0.01);
  const double mass = total_mass(body.nodes);
  const Vec3 to_centre = centre_of_mass(body.nodes) - p;
  const double own = mass * (0.0004 + length * length) / 12;
  const double d = to_centre.norm();
  const double period = 2 * std::numbers::pi * std::sqrt((own + mass * d * d) / (mass * 9.81 * d));
  const Quat tilt(Eigen::AngleAxisd(0.02, Vec3(1, 0, -1).normalized()));
  for (Vec3& x : body.nodes.position) x = p + tilt * (x - p);
  const double start = (centre_of_mass(body.nodes) - p).x();
  const double settled = to_centre.x();
  int crossings = 0;
  double last = start - settled, time = 0, first_time = 0, last_time = 0, holds = 0;
  while (crossings < 9) {
    fly(body, h, 1, {0, -9.81, 0}, time);
    time += h;
    const double now = (centre_of_mass(body.nodes) - p).x() - settled;
    if (now * last < 0) {
      last_time = time - h * now / (now - last);
      if (crossings++ == 0) first_time = last_time;
    }
    last = now;
    holds = std::max(
        holds,
        (body.skin.weights.gather(body.handles[0].vertices[0], body.nodes.position) - p).norm());
  }
  CHECK(holds < 1e-12);
  // Hanging at rest the centre lies below the pin, a little aside of where it started.
  CHECK((last_time - first_time) / 4 == doctest::Approx(period).epsilon(5e-3));
  CHECK(body.method->measure(body.nodes).reaction->y() ==
        doctest::Approx(mass * 9.81).epsilon(0.01));
}

TEST_CASE("held on a line it is a hinge: it swings about the line and nothing else") {
  Body body = rigid_body(box_mesh({1, 0.1, 0.4}, 0.2));
  body.handles.push_back(pin(body, {{-0.5, 0.05, -0.2}, {-0.5, 0.05, 0}, {-0.5, 0.05, 0.2}}));
  const double start = potential_energy(body.nodes, {0, -9.81, 0});
  set_spinning(body, {0.3, 0.1, 2}, {1, 2, 0});  // what the hinge does not allow is lost at once
  fly(body, h, 1, none);
  CHECK(momentum(body.nodes).z() == doctest::Approx(0));
  body.nodes.velocity.assign(4, Vec3::Zero());
  double most = 0, off = 0;
  for (int i = 0; i < 960; ++i) {
    fly(body, h, 1, {0, -9.81, 0});
    const double total = kinetic_energy(body.nodes) + potential_energy(body.nodes, {0, -9.81, 0});
    most = std::max(most, std::abs(total - start));
    for (std::size_t k = 0; k < 3; ++k)
      off = std::max(off,
                     (body.skin.weights.gather(body.handles[0].vertices[k], body.nodes.position) -
                      body.handles[0].vertex_rest[k])
                         .norm());
  }
  CHECK(off < 1e-11);
  CHECK(most < 0.02 * total_mass(body.nodes) * 9.81 * 0.5);  // first order in h, it does not grow
  CHECK(centre_of_mass(body.nodes).z() == doctest::Approx(0));
}

TEST_CASE("held in three places it goes where they go, and flies on when released") {
  Body body = rigid_body(box_mesh({1, 1, 1}, 1));
  Handle handle = pin(body, {{0.5, 0.5, 0.5}, {-0.5, 0.5, 0.5}, {0.5, -0.5, -0.5}});
  handle.motion.pivot = Vec3::Zero();
  handle.motion.spin = Motion::Spin{Vec3::UnitY(), 2, 0, 10};
  handle.release = 0.5 + 0.5 * h;
  body.handles.push_back(handle);
  fly(body, h, 240, {0, -9.81, 0});
  for (std::size_t k = 0; k < 3; ++k)
    CHECK((body.skin.weights.gather(body.handles[0].vertices[k], body.nodes.position) -
           handle.motion.at(0.5).apply(handle.vertex_rest[k]))
              .norm() < 1e-12);
  CHECK((body.method->measure(body.nodes).reaction->y()) == doctest::Approx(9810).epsilon(1e-6));
  for (const double mobility : body.nodes.mobility) CHECK(mobility == 0);
  const double inertia = 1000.0 / 6;
  fly(body, h, 240, none, 0.5);
  CHECK(angular_momentum(body.nodes).y() == doctest::Approx(2 * inertia).epsilon(1e-4));
  CHECK(momentum(body.nodes).norm() < 1e-6);
}

TEST_CASE("nodes thrown anywhere are a rigid body again after one substep") {
  Body body = rigid_body(box_mesh({0.3, 0.5, 1}, 1));
  const std::vector<Vec3> rest = body.nodes.position;
  for (int i = 0; i < 4; ++i) body.nodes.position[i] += 0.1 * Vec3(i, i * i, -i);
  fly(body, h, 1, none);
  CHECK(distortion(body, rest) < 1e-12);
}
