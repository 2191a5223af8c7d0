#include "contact/solve/contact_iteration.h"

#include <cmath>
#include <doctest/doctest.h>

#include "contact/test_scene.h"
#include "core/parallel.h"

using namespace pliant;
using namespace pliant::test;

namespace {

/// Loose points of 1 kg each, whose mobility is 1/kg, and contacts among them.
struct Problem {
  std::vector<Body> bodies;
  std::vector<Contact> contacts;
  ContactSettings settings;
  ContactIteration::Outcome outcome;

  explicit Problem(const std::vector<Vec3>& points) {
    Body& body = bodies.emplace_back();
    body.nodes = Nodes::at(points);
    body.nodes.mass.assign(points.size(), 1);
    body.nodes.mobility.assign(points.size(), 1);
    body.nodes.previous = body.nodes.position;
    body.skin.weights = Weights::identity(int(points.size()));
    body.skin.rest = body.skin.previous = body.skin.position = points;
    body.method = std::make_unique<Projective>();
    settings.most_iterations = 2000;
  }
  /// A node on the plane through `point`.
  Contact& on_plane(int node, const Vec3& normal, const Vec3& point = Vec3::Zero()) {
    Contact& c = contacts.emplace_back();
    c.key = {ContactKey::vertex_collider, 0, 0, node, int(contacts.size())};
    c.a = Anchor::on_vertex(0, node);
    c.normal = normal;
    c.point = point;
    c.tolerance = 1e-9;
    return c;
  }
  void solve() {
    for (Contact& c : contacts) {
      const Vec3 x = c.a.point(bodies[0].skin.position) -
                     (c.b.body < 0 ? c.point : c.b.point(bodies[0].skin.position));
      c.gap = c.normal.dot(x) - c.thickness;
    }
    ContactList list = list_of(contacts);
    ContactRows rows;
    ContactIteration iteration;
    std::vector<double> scale(bodies.size(), 1.0);
    rows.build(bodies, list);
    iteration.start(bodies, rows);
    outcome = iteration.solve(bodies, list, rows, scale, settings);
  }
  const Vec3& at(int node) const { return bodies[0].nodes.position[node]; }
};

}  // namespace

TEST_CASE("one contact alone gets the impulse that closes its gap: overlap over mobility") {
  Problem problem({{0, -0.02, 0}});
  problem.on_plane(0, Vec3::UnitY());
  problem.solve();
  CHECK(problem.outcome.converged);
  CHECK((problem.contacts[0].impulse - Vec3(0, 0.02, 0)).norm() < 1e-8);
  CHECK(problem.at(0).norm() < 1e-8);
}

TEST_CASE("a contact that is open gets no impulse and moves nothing") {
  Problem problem({{0.3, 0.02, 0}});
  problem.on_plane(0, Vec3::UnitY());
  problem.solve();
  CHECK(problem.outcome.converged);
  CHECK(problem.contacts[0].impulse == Vec3::Zero());
  CHECK(problem.at(0) == Vec3(0.3, 0.02, 0));
}

TEST_CASE("in a wedge of any angle a point ends where both planes are kept") {
  for (double degrees = 20; degrees < 175; degrees += 12) {
    const double half = 0.5 * degrees * 3.14159265358979 / 180;
    Problem problem({{0.001, -0.05, 0}});
    problem.on_plane(0, {std::cos(half), std::sin(half), 0});
    problem.on_plane(0, {-std::cos(half), std::sin(half), 0});
    for (Contact& c : problem.contacts) c.tolerance = 1e-7;
    problem.solve();
    INFO("angle of the walls " << degrees);
    CHECK(problem.outcome.converged);
    for (const Contact& c : problem.contacts) {
      const double gap = c.normal.dot(problem.at(0) - c.point), pressing = c.impulse.dot(c.normal);
      CHECK(gap > -1e-6);
      CHECK(pressing >= 0);
      if (pressing > 0) CHECK(std::abs(gap) < 1e-6);  // ten tolerances
    }
  }
}

TEST_CASE("a chain of points between two planes is solved exactly, and momentum is kept") {
  // Each pair of neighbours wants to be 0.1 apart, which leaves them no other place.
  constexpr int count = 8;
  std::vector<Vec3> points;
  for (int i = 0; i < count; ++i) points.push_back({0, 0.1 * i + 0.05 * random_unit(3, i), 0});
  Problem problem(points);
  for (int i = 0; i + 1 < count; ++i) {
    Contact& c = problem.contacts.emplace_back();
    c.key = {ContactKey::vertex_triangle, 0, 0, i, 0};
    c.a = Anchor::on_vertex(0, i + 1);
    c.b = Anchor::on_vertex(0, i);
    c.normal = Vec3::UnitY();
    c.thickness = 0.1;
    c.tolerance = 1e-9;
  }
  Vec3 before = Vec3::Zero(), after = Vec3::Zero();
  for (int i = 0; i < count; ++i) before += problem.at(i);
  problem.solve();
  CHECK(problem.outcome.converged);
  for (int i = 0; i < count; ++i) after += problem.at(i);
  CHECK((after - before).norm() < 1e-12);  // they push each other only
  for (const Contact& c : problem.contacts) {
    const double gap = problem.at(c.a.vertex[0]).y() - problem.at(c.b.vertex[0]).y() - 0.1;
    CHECK(gap > -1e-7);
    CHECK(std::abs(gap * c.impulse.y()) < 1e-8);
    CHECK(c.gap == doctest::Approx(gap).epsilon(1e-6));
  }
}

TEST_CASE("friction holds what pushes sideways by less than mu, and lets go what pushes more") {
  for (const double sideways : {0.3, 0.49, 0.51, 2.0}) {
    Problem problem({{sideways * 0.02, -0.02, 0}});
    problem.bodies[0].nodes.previous[0] = Vec3::Zero();
    problem.on_plane(0, Vec3::UnitY()).friction = 0.5;
    problem.solve();
    CHECK(problem.outcome.converged);
    const Vec3& p = problem.contacts[0].impulse;
    CHECK(p.y() == doctest::Approx(0.02).epsilon(1e-6));
    CHECK(-p.x() == doctest::Approx(0.02 * std::min(sideways, 0.5)).epsilon(1e-5));
    CHECK(problem.at(0).x() == doctest::Approx(0.02 * std::max(0.0, sideways - 0.5)).epsilon(1e-4));
  }
}

TEST_CASE("a held point is not moved, and its contact does not last for ever") {
  Problem problem({{0, -0.02, 0}});
  problem.bodies[0].nodes.mobility[0] = 0;
  problem.on_plane(0, Vec3::UnitY());
  problem.solve();
  CHECK(problem.at(0) == Vec3(0, -0.02, 0));
  CHECK(problem.contacts[0].impulse == Vec3::Zero());
  CHECK(problem.outcome.iterations < 10);
}

TEST_CASE("islands are solved alike alone and together, on any number of threads") {
  const auto heap = [](int only) {
    std::vector<Vec3> points;
    for (int i = 0; i < 300; ++i) points.push_back({0.1 * i, -0.01 * random_unit(1, i), 0});
    Problem problem(points);
    for (int i = 0; i < 300; ++i) {
      if (only >= 0 && i != only) continue;
      problem.on_plane(i, Vec3(0.3 * random_unit(2, i), 1, 0).normalized(), points[i] * 0);
      problem.contacts.back().friction = random_unit(4, i);
    }
    problem.solve();
    return problem;
  };
  const int before = threads();
  set_threads(1);
  const Problem one = heap(-1);
  set_threads(4);
  const Problem four = heap(-1);
  set_threads(before);
  CHECK(one.bodies[0].nodes.position == four.bodies[0].nodes.position);
  for (const int i : {0, 17, 299}) CHECK(heap(i).at(i) == one.at(i));
}
