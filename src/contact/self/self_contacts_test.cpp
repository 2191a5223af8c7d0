#include "contact/self/self_contacts.h"

#include <cmath>
#include <doctest/doctest.h>
#include <numbers>

#include "body/make_skin.h"
#include "contact/test_scene.h"
#include "geometry/mesh/primitives.h"
#include "geometry/mesh/test_broken.h"

using namespace pliant;
using namespace pliant::test;

namespace {

/// Vertices are nodes; nothing else of a body matters here.
Body body_of(const TriangleMesh& mesh) {
  Body body;
  body.nodes = Nodes::at(mesh.points);
  body.nodes.mass.assign(mesh.points.size(), 1);
  set_skin(body, embedded_skin(mesh, Weights::identity(int(mesh.points.size()))));
  return body;
}

ContactSettings meets_itself() {
  ContactSettings settings;
  settings.touch = Touches::all;
  return settings;
}

constexpr int substeps = 4;

/// Moves the body to `points` in one step, along straight ways, and returns the contacts of each
/// substep. `forgets`: each substep is looked at by a finder that knows no more of the body than
/// how it was when the step began.
std::vector<Contact> move_to(Body& body, const std::vector<Vec3>& points, SkinFinder& finder,
                             bool forgets = false) {
  const ContactSettings settings = meets_itself();
  const std::vector<Vec3> start = body.nodes.position;
  const std::span<const Body> bodies(&body, 1);
  std::vector<Contact> all;
  for (int s = 1; s <= substeps; ++s) {
    if (forgets) finder = {};
    body.skin.position = start;
    if (forgets || s == 1) finder.start_step(bodies, {}, settings, 0, 1.0 / 60);
    body.nodes.previous = body.skin.previous = body.nodes.position;
    for (std::size_t i = 0; i < start.size(); ++i)
      body.nodes.position[i] = start[i] + double(s) / substeps * (points[i] - start[i]);
    body.skin.position = body.nodes.position;
    const DisplacementBound way = displacement_of(body.nodes.position, body.nodes.previous);
    const std::vector<SkinMotion> moved{{way, way}};
    ContactList found;
    finder.find(bodies, {}, settings, moved, {1.0 / 60 / substeps, 0}, found);
    all.insert(all.end(), found.begin(), found.end());
  }
  return all;
}

/// A straight bar along x whose middle third is bent to an arc of this angle [rad], so that its
/// ends swing together over it.
std::vector<Vec3> bent(const std::vector<Vec3>& straight, double angle) {
  std::vector<Vec3> points;
  const double half = 1.0 / 6, radius = 2 * half / angle;
  for (const Vec3& p : straight) {
    const double side = p.x() < 0 ? -1 : 1, along = std::min(std::abs(p.x()), half);
    const double turn = side * angle * along / (2 * half), rest = std::abs(p.x()) - along;
    points.push_back(
        Vec3((radius - p.y()) * std::sin(turn) + side * rest * std::cos(turn),
             radius - (radius - p.y()) * std::cos(turn) + rest * std::abs(std::sin(turn)), p.z()));
  }
  return points;
}

bool same(const std::vector<Contact>& a, const std::vector<Contact>& b) {
  bool all = a.size() == b.size();
  for (std::size_t i = 0; all && i < a.size(); ++i)
    all = a[i].key == b[i].key && a[i].gap == b[i].gap && a[i].normal == b[i].normal &&
          a[i].b.vertex == b[i].b.vertex && a[i].b.share == b[i].b.share;
  return all;
}

}  // namespace

TEST_CASE("when a body was listed does not decide where it touches itself") {
  double shaking = 2e-3;  // [m] in each step
  double pace = 1;
  bool flat = false;
  SUBCASE("swinging") {}
  SUBCASE("flapping") { shaking = 8e-3, pace = 2; }
  SUBCASE("crumpling") { shaking = 25e-3; }  // half an edge: faces turn any way, edges come and go
  SUBCASE("scrambled") { shaking = 0.8; }    // several edges in each substep
  SUBCASE("flattened") { shaking = 0.3, flat = true; }
  const TriangleMesh mesh = box_mesh({1, 0.08, 0.2}, 0.05);
  Body kept = body_of(mesh), anew = body_of(mesh);
  SkinFinder finder;
  int touching = 0;
  bool all_same = true;
  for (int step = 0; step < 60; ++step) {
    // It folds, opens again and folds, tumbles, and shivers.
    const double angle = 0.2 + 4.2 * std::abs(std::sin(0.05 * pace * step));
    const Eigen::AngleAxisd turn(0.15 * pace * step, Vec3(1, 2, 3).normalized());
    std::vector<Vec3> points = bent(mesh.points, angle);
    for (std::size_t i = 0; i < points.size(); ++i)
      points[i] = turn * points[i] + Vec3(0.1 * step, -0.05 * step, 0) +
                  shaking * random_vector(std::uint64_t(step), i);
    if (flat)
      for (Vec3& p : points) p.y() *= 1e-3;
    const std::vector<Contact> found = move_to(kept, points, finder);
    SkinFinder knows_nothing;
    all_same = all_same && same(found, move_to(anew, points, knows_nothing, true));
    touching += found.empty() ? 0 : 1;
  }
  CHECK(all_same);
  CHECK(touching > 10);
  if (shaking < 0.1) CHECK(touching < 60);
}

TEST_CASE("an edge that becomes sharp is met, however old the lists are") {
  // Two plates of one body, a ridge on each, across each other. The lower one rises slowly.
  TriangleMesh mesh = box_mesh({0.6, 0.1, 0.6}, 0.1);
  const TriangleMesh plate = mesh;
  const int first = int(mesh.points.size());
  for (const Vec3& p : plate.points) mesh.points.push_back(p + Vec3(0.05, 0.4, 0.05));
  for (const auto& [i, j, k] : plate.triangles)
    mesh.triangles.push_back({i + first, j + first, k + first});
  const auto topology = [&](double rise) {
    std::vector<Vec3> points = mesh.points;
    for (int v = 0; v < first; ++v) {
      const Vec3& p = plate.points[v];
      if (std::abs(p.x()) < 0.01 && p.y() > 0.04) points[v].y() += rise;
      points[v + first].y() += -0.4 + 0.1 + 0.05 + 0.04;
      if (std::abs(p.z()) < 0.01 && p.y() < -0.04) points[v + first].y() -= 0.05;
    }
    return points;
  };
  Body kept = body_of(mesh), anew = body_of(mesh);
  SkinFinder finder, stranger;
  move_to(kept, topology(0.02), finder);
  move_to(anew, topology(0.02), stranger, true);
  int crossing = 0;
  for (int step = 1; step < 10; ++step) {
    const std::vector<Vec3> points = topology(0.02 + 0.002 * step);
    const std::vector<Contact> found = move_to(kept, points, finder);
    CHECK(same(found, move_to(anew, points, stranger, true)));
    for (const Contact& c : found) crossing += c.key.kind == ContactKey::edge_edge;
  }
  CHECK(crossing > 0);
}

TEST_CASE("a body that somebody folds between two steps meets itself in the next one") {
  const TriangleMesh mesh = box_mesh({1, 0.08, 0.2}, 0.04);
  int met = 0;
  for (double angle = 3.0; angle < 4.4; angle += 0.05) {
    Body kept = body_of(mesh), anew = body_of(mesh);
    SkinFinder finder, stranger;
    CHECK(move_to(kept, bent(mesh.points, 0.3), finder).empty());
    const std::vector<Vec3> folded = bent(mesh.points, angle);
    kept.nodes.position = anew.nodes.position = folded;
    const std::vector<Contact> found = move_to(kept, folded, finder);
    CHECK(same(found, move_to(anew, folded, stranger, true)));
    met += found.empty() ? 0 : 1;
  }
  CHECK(met > 0);
}

TEST_CASE("bodies that come and go, or change places, leave nothing behind") {
  const TriangleMesh meshes[] = {box_mesh({1, 0.08, 0.2}, 0.04), sphere_mesh(0.3, 0.08),
                                 box_mesh({0.6, 0.1, 0.3}, 0.06)};
  std::vector<Body> bodies;
  for (const TriangleMesh& mesh : meshes) bodies.push_back(body_of(mesh));
  IdTable<Body> names;
  const ContactSettings settings = meets_itself();
  SkinFinder kept;
  const auto find = [&](SkinFinder& finder, double angle) {
    finder.start_step(bodies, {}, settings, 0, 1.0 / 60);
    for (Body& body : bodies) {
      body.nodes.previous = body.skin.previous = body.skin.position;
      body.skin.position = bent(body.skin.rest, angle);
      for (Vec3& p : body.skin.position) p.y() += 3.0 * double(&body - bodies.data());
      body.nodes.position = body.skin.position;
    }
    const std::vector<SkinMotion> moved = moved_in_substep(bodies);
    ContactList found;
    finder.find(bodies, {}, settings, moved, {1.0 / 60, 0}, found);
    return copies(found);
  };
  const auto check = [&](double angle) {
    names.update(bodies);
    std::vector<Body> before;
    for (const Body& body : bodies) {
      TriangleMesh mesh;
      mesh.points = body.skin.rest;
      mesh.triangles = body.skin.triangles;
      before.push_back(body_of(mesh));
      before.back().nodes.position = body.nodes.position;
      before.back().skin.position = body.skin.position;
    }
    const std::vector<Contact> found = find(kept, angle);
    std::swap(bodies, before);
    SkinFinder stranger;
    CHECK(same(found, find(stranger, angle)));
    std::swap(bodies, before);
  };
  check(3.0);
  check(3.1);
  bodies.erase(bodies.begin());
  check(3.15);
  std::swap(bodies[0], bodies[1]);
  check(3.2);
  bodies.insert(bodies.begin(), body_of(meshes[0]));
  check(3.2);
  check(3.25);
}

TEST_CASE("legs that fold onto each other meet with every vertex that comes near the other leg") {
  const TriangleMesh mesh = box_mesh({1, 0.08, 0.2}, 0.04);
  Body body = body_of(mesh);
  SkinFinder finder;
  int near = 0;
  for (double angle = 2.4; angle < 4.6; angle += 0.05) {
    const std::vector<Contact> found = move_to(body, bent(mesh.points, angle), finder);
    // Inner faces of the legs, well away from the arc, as they are at the end of the step.
    const double gap = 2 * body.thickness;
    for (int v = 0; v < body.skin.size(); ++v) {
      const Vec3 &rest = mesh.points[v], &x = body.skin.position[v];
      if (rest.y() < 0.039 || std::abs(rest.x()) < 0.25 || std::abs(rest.z()) > 0.09) continue;
      double nearest = 1;
      for (const Triangle& t : mesh.triangles) {
        bool opposite = true;
        for (const int c : t)
          opposite = opposite && mesh.points[c].y() > 0.039 && mesh.points[c].x() * rest.x() < 0 &&
                     std::abs(mesh.points[c].x()) > 0.2;
        if (!opposite) continue;
        const auto& p = body.skin.position;
        const Vec3 normal = (p[t[1]] - p[t[0]]).cross(p[t[2]] - p[t[0]]);
        if (normal.dot(x - p[t[0]]) <= 0) continue;
        nearest = std::min(nearest, closest_on_triangle(x, p[t[0]], p[t[1]], p[t[2]]).distance);
      }
      if (nearest > 1.9 * gap) continue;
      ++near;
      const ContactKey key{ContactKey::vertex_triangle, 0, 0, v, 0};
      CHECK(
          std::any_of(found.begin(), found.end(), [&](const Contact& c) { return c.key == key; }));
    }
  }
  CHECK(near > 20);
}

TEST_CASE("one solid part does not touch itself, squeezed or turned inside out") {
  const auto contacts = [](const TriangleMesh& mesh, const auto& move) {
    Body body = body_of(mesh);
    SkinFinder finder;
    std::size_t count = 0;
    for (int step = 1; step <= 20; ++step) {
      std::vector<Vec3> points = mesh.points;
      for (Vec3& p : points) p = move(p, step / 20.0);
      count += move_to(body, points, finder).size();
    }
    return count;
  };
  const auto squeeze_to = [](double least) {
    return [least](const Vec3& p, double t) {
      return Vec3(p.x(), p.y() * (1 + t * (least - 1)), p.z());
    };
  };
  for (const double least : {0.4, 0.1}) {
    CHECK(contacts(sphere_mesh(0.5, 0.1), squeeze_to(least)) == 0);
    CHECK(contacts(capsule_mesh(0.1, 0.6, 0.04), squeeze_to(least)) == 0);
  }
  // Round ones, whole and inside out, would: neighbours look at each other then.
  for (const double least : {0.4, 0.1, -0.5}) {
    CHECK(contacts(box_mesh({1, 0.06, 1}, 0.1), squeeze_to(least)) == 0);
    CHECK(contacts(box_mesh({0.5, 0.5, 0.5}, 0.1), squeeze_to(least)) == 0);
  }
}

TEST_CASE("where a surface overlaps itself at rest it is left alone") {
  // Two balls of one body, one stuck in the other, which sink into each other further.
  const TriangleMesh ball = sphere_mesh(0.5, 0.08);
  const TriangleMesh balls = joined(ball, ball, {0.7, 0.01, 0.02});
  const int count = int(ball.points.size());
  Body body = body_of(balls);
  SkinFinder finder;
  std::size_t found = 0;
  for (int step = 1; step <= 20; ++step) {
    std::vector<Vec3> points = balls.points;
    for (int i = count; i < 2 * count; ++i) points[i].x() -= 0.01 * step;
    found += move_to(body, points, finder).size();
  }
  CHECK(found == 0);
}
