#include <cmath>
#include <doctest/doctest.h>
#include <limits>

#include "contact/motion/displacement.h"
#include "contact/test_scene.h"
#include "geometry/mesh/primitives.h"
#include "geometry/mesh/test_broken.h"
#include "geometry/query/pseudonormal.h"

// Contacts between skins against a judge that looks at every triangle.

using namespace pliant;
using namespace pliant::test;

namespace {

/// A surface whose vertices are its nodes, moved by `way` in this substep.
Body surface(TriangleMesh mesh, const Vec3& place, const Quat& turn, const Vec3& way) {
  for (Vec3& p : mesh.points) p = turn * p + place;
  Body body = surface_body(mesh);
  for (Vec3& p : body.skin.position) p += way;
  return body;
}

TriangleMesh mesh_of(const Skin& skin) {
  TriangleMesh mesh;
  mesh.points = skin.position;
  mesh.triangles = skin.triangles;
  return mesh;
}

/// `edge` [m]: of the ball.
std::vector<Body> ball_on_box(double edge) {
  std::vector<Body> bodies;
  bodies.push_back(surface(sphere_mesh(0.5, edge), {0, 0.9, 0}, Quat::Identity(), Vec3::Zero()));
  bodies.push_back(
      surface(box_mesh({1.6, 0.8, 1.6}, 0.15), Vec3::Zero(), Quat::Identity(), Vec3::Zero()));
  return bodies;
}

std::vector<Contact> contacts_of(std::vector<Body>& bodies, const ContactSettings& settings) {
  SkinFinder finder;
  std::vector<Vec3> now[2];
  // Candidates come from the start of the step, contacts from its end.
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    now[b] = bodies[b].skin.position;
    bodies[b].skin.position = bodies[b].nodes.position = bodies[b].skin.previous;
  }
  finder.start_step(bodies, {}, settings, 0, 1e-3);
  for (std::size_t b = 0; b < bodies.size(); ++b)
    bodies[b].skin.position = bodies[b].nodes.position = now[b];
  ContactList found;
  const std::vector<SkinMotion> moved = moved_in_substep(bodies);
  finder.find(bodies, {}, settings, moved, {1e-3, 0}, found);
  return copies(found);
}

}  // namespace

TEST_CASE("every vertex near the other body has the contact that brute force finds") {
  const ContactSettings settings;
  int near = 0;
  for (int i = 0; i < 60; ++i) {
    const TriangleMesh ball = sphere_mesh(0.5, 0.15), box = box_mesh({1, 0.8, 0.9}, 0.2);
    const Vec3 aside = random_vector(1, i).normalized() * (0.85 + 0.25 * random_unit(2, i));
    std::vector<Body> bodies;
    bodies.push_back(surface(ball, Vec3::Zero(), random_turn(3, i), 1e-3 * random_vector(4, i)));
    bodies.push_back(surface(box, aside, random_turn(5, i), 1e-3 * random_vector(6, i)));
    const std::vector<Contact> found = contacts_of(bodies, settings);
    CHECK(std::is_sorted(found.begin(), found.end(),
                         [](const Contact& p, const Contact& q) { return p.key < q.key; }));
    for (int a = 0; a < 2; ++a) {
      const int b = 1 - a;
      const TriangleMesh other = mesh_of(bodies[b].skin);
      const Pseudonormals normals(other);
      for (int v = 0; v < bodies[a].skin.size(); ++v) {
        const Vec3& x = bodies[a].skin.position[v];
        const SurfacePoint nearest = closest_point_brute_force(other, x, 10);
        const ContactKey key{ContactKey::vertex_triangle, a, b, v, 0};
        const auto contact = std::find_if(found.begin(), found.end(),
                                          [&](const Contact& c) { return c.key == key; });
        // Well outside of reach: none; well within, and outside of the body: one, to the nearest
        // point.
        if (nearest.distance > 0.07) CHECK(contact == found.end());
        if (nearest.distance > 0.045) continue;
        const bool outside = (x - nearest.point).dot(normals.at(other, nearest)) > 0;
        if (outside) CHECK(contact != found.end());
        if (contact == found.end()) continue;
        ++near;
        CHECK(std::abs(contact->normal.norm() - 1) < 1e-12);
        if (contact->gap > 0)
          CHECK(contact->gap + contact->thickness ==
                doctest::Approx(nearest.distance).epsilon(0.02));
      }
    }
  }
  CHECK(near > 100);
}

TEST_CASE("a vertex that flies through a body in one substep is held in front of it") {
  ContactSettings settings;
  TriangleMesh wall = box_mesh({1, 0.01, 1}, 0.2);
  TriangleMesh block = box_mesh({0.3, 0.3, 0.3}, 0.1);
  std::vector<Body> bodies;
  bodies.push_back(surface(block, {0.013, 0.2, 0.017}, Quat::Identity(), {0, -0.35, 0}));
  bodies.push_back(surface(wall, Vec3::Zero(), Quat::Identity(), Vec3::Zero()));
  const std::vector<Contact> found = contacts_of(bodies, settings);
  int below = 0, held = 0;
  for (int v = 0; v < bodies[0].skin.size(); ++v) {
    if (bodies[0].skin.position[v].y() > 0.005) continue;  // has not passed
    ++below;
    for (const Contact& contact : found)
      if (contact.key.kind == ContactKey::vertex_triangle && contact.key.body_a == 0 &&
          contact.key.feature_a == v)
        held += contact.normal.y() > 0.99 && contact.gap < 0 ? 1 : 0;
  }
  CHECK(below > 20);
  CHECK(held == below);
}

TEST_CASE(
    "a vertex that passed comes back at once; through its own skin no further than it was, or "
    "little") {
  const double edge = 0.1, thick = 0.05, top = 0.005;
  const TriangleMesh block = box_mesh({0.3, 0.3, 0.3}, edge),
                     plate = box_mesh({1, 2 * top, 1}, edge);
  const TriangleMesh both = joined(plate, block, {0, 1, 0});  // far from each other at rest
  const int first = int(plate.points.size());
  const double exit = ContactSettings().exit_speed * 1e-3;  // sizes in a substep
  // From so far above the plate: out of its reach, within, and next to it.
  for (const double above : {0.15, 0.03, 0.001}) {
    const Vec3 start(0.013, 0.15 + top + above, 0.017), way(0, -above - 0.02, 0);
    std::vector<Body> two, one;
    two.push_back(surface(block, start, Quat::Identity(), way));
    two.push_back(surface(plate, Vec3::Zero(), Quat::Identity(), Vec3::Zero()));
    one.push_back(surface(both, Vec3::Zero(), Quat::Identity(), Vec3::Zero()));
    for (std::size_t v = 0; v < block.points.size(); ++v) {
      one[0].skin.previous[first + v] = block.points[v] + start;
      one[0].skin.position[first + v] = block.points[v] + start + way;
    }
    for (std::vector<Body>* bodies : {&two, &one}) {
      const bool own = bodies == &one;
      for (Body& body : *bodies) body.thickness = 0.5 * thick;
      int held = 0;
      for (const Contact& c : contacts_of(*bodies, {})) {
        const bool of_block = own ? c.key.feature_a >= first : c.key.body_a == 0;
        if (c.key.kind != ContactKey::vertex_triangle || !of_block) continue;
        if (std::abs(c.distance() + 0.02) > 1e-9) continue;
        ++held;
        CHECK(c.normal.y() == doctest::Approx(1));
        const double asked = c.goal + c.thickness;
        if (!own) CHECK(asked == doctest::Approx(thick));
        const double least = std::max(above, 0.05 * edge), most = std::max(above, 0.2 * edge);
        CHECK(asked >= std::min(thick, least) - 1e-9);
        if (own) CHECK(asked <= std::min(thick, most + exit * (*bodies)[0].contact_scale) + 1e-9);
      }
      CHECK(held == 16);
    }
  }
}

TEST_CASE("crossed ridges meet by their edges, with the normal between them") {
  // Two bars turned onto their edges, one across the other: no vertex is near.
  const Quat on_edge(Eigen::AngleAxisd(std::acos(-1.0) / 4, Vec3::UnitX()));
  const Quat across(Eigen::AngleAxisd(std::acos(-1.0) / 2, Vec3::UnitY()));
  const TriangleMesh bar = box_mesh({1, 0.2, 0.2}, 10);
  const double height = 0.2 * std::sqrt(2.0);
  for (const double gap : {0.01, -0.004}) {
    std::vector<Body> bodies;
    bodies.push_back(surface(bar, {0.03, height + gap, 0.02}, on_edge, Vec3::Zero()));
    bodies.push_back(surface(bar, Vec3::Zero(), across * on_edge, Vec3::Zero()));
    const std::vector<Contact> found = contacts_of(bodies, {});
    REQUIRE(!found.empty());
    int edges = 0;
    for (const Contact& contact : found) {
      if (contact.key.kind != ContactKey::edge_edge) continue;
      ++edges;
      CHECK(contact.normal.y() == doctest::Approx(1).epsilon(1e-6));
      CHECK(contact.gap + contact.thickness == doctest::Approx(gap).epsilon(1e-6));
    }
    CHECK(edges == 1);
  }
}

TEST_CASE("of itself a body meets only what it is in front of: a convex one nothing") {
  ContactSettings settings;
  settings.touch = Touches::all;
  std::vector<Body> thin;
  thin.push_back(surface(box_mesh({1, 0.02, 1}, 0.1), Vec3::Zero(), Quat::Identity(), {0, 0, 0}));
  CHECK(contacts_of(thin, settings).empty());
  std::vector<Body> ball;
  ball.push_back(surface(sphere_mesh(0.5, 0.1), Vec3::Zero(), Quat::Identity(), {0, 0, 0}));
  CHECK(contacts_of(ball, settings).empty());

  // Two plates of one body, which face each other across a gap.
  const TriangleMesh plate = box_mesh({1, 0.1, 1}, 0.1);
  const TriangleMesh plates = joined(plate, plate, {0, 0.3, 0});
  const int count = int(plate.points.size());
  std::vector<Body> folded;
  folded.push_back(surface(plates, Vec3::Zero(), Quat::Identity(), Vec3::Zero()));
  CHECK(contacts_of(folded, settings).empty());  // 20 cm apart
  for (int i = count; i < 2 * count; ++i) {
    folded[0].skin.position[i].y() -= 0.192;  // now 8 mm: less than twice the gap that is kept
    folded[0].skin.previous[i].y() -= 0.192;
  }
  const std::vector<Contact> found = contacts_of(folded, settings);
  CHECK(found.size() > 100);
  for (const Contact& contact : found) {
    CHECK(std::abs(contact.normal.y()) > 0.99);
    CHECK(contact.gap + contact.thickness == doctest::Approx(0.008).epsilon(1e-6));
  }
}

TEST_CASE("edges that pass through each other in one substep are held on the side they came from") {
  const Quat on_edge(Eigen::AngleAxisd(std::acos(-1.0) / 4, Vec3::UnitX()));
  const Quat across(Eigen::AngleAxisd(std::acos(-1.0) / 2, Vec3::UnitY()));
  const TriangleMesh bar = box_mesh({1, 0.2, 0.2}, 10);
  // From above the other bar to below its middle, which no nearest feature could tell.
  std::vector<Body> bodies;
  bodies.push_back(surface(bar, {0.03, 0.3, 0.02}, on_edge, {0, -0.25, 0}));
  bodies.push_back(surface(bar, Vec3::Zero(), across * on_edge, Vec3::Zero()));
  int held = 0;
  for (const Contact& contact : contacts_of(bodies, {}))
    if (contact.key.kind == ContactKey::edge_edge) {
      CHECK(contact.normal.y() == doctest::Approx(1).epsilon(1e-6));
      held += contact.gap < -0.2 ? 1 : 0;
    }
  CHECK(held == 1);
}

TEST_CASE("a vertex in a hollow corner has a contact with each wall, over a flat floor with one") {
  // A V of two plates, 60 degrees apart, both of one body; a small block stands in it on its edge.
  const auto plate = [](double side) {
    TriangleMesh mesh = box_mesh({1, 0.1, 1}, 0.25);
    const Quat turn(Eigen::AngleAxisd(side * std::acos(-1.0) / 3, Vec3::UnitZ()));
    for (Vec3& p : mesh.points) p = turn * (p + Vec3(side * 0.6, -0.05, 0));
    return mesh;
  };
  TriangleMesh corner = plate(1);
  const TriangleMesh other = plate(-1);
  const int first = int(corner.points.size());
  corner.points.insert(corner.points.end(), other.points.begin(), other.points.end());
  for (const Triangle& t : other.triangles)
    corner.triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
  std::vector<Body> bodies;
  TriangleMesh drop = box_mesh({0.02, 0.02, 0.02}, 1);
  bodies.push_back(surface(drop, {0.003, 0.21, 0.01}, Quat::Identity(), Vec3::Zero()));
  bodies.push_back(surface(corner, Vec3::Zero(), Quat::Identity(), Vec3::Zero()));
  bodies[0].thickness = bodies[1].thickness = 0.05;  // far-reaching, so that both walls are near
  int twice = 0;
  const std::vector<Contact> found = contacts_of(bodies, {});
  for (const Contact& contact : found)
    if (contact.key.body_a == 0 && contact.key.feature_b == 1) {
      ++twice;
      const ContactKey main{ContactKey::vertex_triangle, 0, 1, contact.key.feature_a, 0};
      const auto nearest =
          std::find_if(found.begin(), found.end(), [&](const Contact& c) { return c.key == main; });
      REQUIRE(nearest != found.end());
      CHECK(nearest->normal.dot(contact.normal) < 0.866);
      CHECK(nearest->gap <= contact.gap + 1e-12);
    }
  CHECK(twice > 0);

  std::vector<Body> flat;
  flat.push_back(surface(drop, {0.003, 0.07, 0.01}, Quat::Identity(), Vec3::Zero()));
  flat.push_back(
      surface(box_mesh({1, 0.1, 1}, 0.25), Vec3::Zero(), Quat::Identity(), Vec3::Zero()));
  flat[0].thickness = flat[1].thickness = 0.05;
  for (const Contact& contact : contacts_of(flat, {}))
    if (contact.key.kind == ContactKey::vertex_triangle) CHECK(contact.key.feature_b == 0);
}

TEST_CASE(
    "when lists were made decides time only: what is near is found wherever bodies were "
    "before") {
  // A ball rolls over a box, into it by a little and out again, while both tremble and a solve
  // pushes them about between substeps, and somebody else between steps. One finder keeps its
  // lists, the other knows what a saved one does and begins anew each time.
  ContactSettings settings;
  settings.most_recycled = 1;
  const double h = 1.0 / 600;
  std::vector<Body> bodies = ball_on_box(0.12);
  const std::vector<Vec3> rest[2] = {bodies[0].skin.rest, bodies[1].skin.rest};
  Vec3 carried = Vec3::Zero();  // the ball, by somebody
  const auto place = [&](int b, int moment, const Vec3& push) {
    std::vector<Vec3>& to = bodies[b].nodes.position;
    const double turn = 0.01 * moment, deep = 0.008 * std::sin(0.05 * moment);
    for (std::size_t i = 0; i < to.size(); ++i) {
      to[i] = rest[b][i] + push + 4e-4 * random_vector(7 + b, 5000 * moment + int(i));
      if (b > 0) continue;
      const Vec3 off = rest[b][i] - Vec3(0, 0.9, 0);
      to[i] += Eigen::AngleAxisd(turn, Vec3::UnitZ()) * off - off + Vec3(-0.4 * turn, -deep, 0);
      to[i] += carried;
    }
    bodies[b].skin.position = to;
  };
  SkinFinder keeps;
  std::vector<Contact> kept, fresh;
  const auto find = [&](SkinFinder& finder, bool last) {
    ContactList found;
    std::vector<SkinMotion> moved = moved_in_substep(bodies);
    for (int b = 0; b < 2; ++b)
      moved[b].since_detection =
          displacement_of(bodies[b].skin.position, bodies[b].skin.last_detection());
    finder.find(bodies, {}, settings, moved, {h, 0, last}, found);
    return copies(found);
  };
  int near = 0;
  for (int moment = 1; moment <= 120; ++moment) {
    std::vector<SkinMotion> went;
    // Where the last solve left them: a little off.
    for (int b = 0; b < 2; ++b) {
      const Vec3 push = 6e-4 * random_vector(9 + b, moment);
      bodies[b].skin.at_detection = bodies[b].skin.position;
      for (Vec3& p : bodies[b].nodes.position) p += push;
      bodies[b].skin.position = bodies[b].nodes.position;
      bodies[b].nodes.previous = bodies[b].skin.previous = bodies[b].nodes.position;
    }
    if (moment % 40 == 1) {
      const Vec3 away = moment > 1 ? Vec3(0.06, 0, 0.04) : Vec3(0, 0, 0);
      carried += away;
      for (Vec3& p : bodies[0].nodes.position) p += away;
      bodies[0].skin.position = bodies[0].skin.previous = bodies[0].nodes.previous =
          bodies[0].nodes.position;
      for (Body& body : bodies) {
        went.push_back({{}, displacement_of(body.skin.position, body.skin.at_detection)});
        body.skin.at_detection.clear();
      }
      keeps.start_step(bodies, {}, settings, 0, 40 * h, went);
    }
    SkinFinder anew;
    Archive saved = Archive::saving();
    keeps.finder.archive(saved);
    const std::vector<std::byte> bytes = saved.take_bytes();
    Archive loaded = Archive::loading(bytes);
    anew.finder.archive(loaded);
    anew.start_step(bodies, {}, settings, 0, h);
    for (int b = 0; b < 2; ++b) place(b, moment, Vec3::Zero());
    kept = find(keeps, moment == 80);  // a finder without an end of step lists anew
    for (Body& body : bodies) body.skin.at_detection.clear();
    fresh = find(anew, true);
    REQUIRE(kept.size() == fresh.size());
    near += int(kept.size());
    bool same = true;
    for (std::size_t i = 0; i < kept.size(); ++i)
      same = same && kept[i].key == fresh[i].key && kept[i].gap == fresh[i].gap &&
             kept[i].normal == fresh[i].normal && kept[i].b.share == fresh[i].b.share;
    CHECK(same);
  }
  CHECK(near > 500);
}

TEST_CASE("contacts that are kept are where new ones would be, and none is missed") {
  // A ball rolls slowly over a box, first pressed onto it, then off; both tremble a little.
  const double h = 1.0 / 600;
  std::vector<Body> bodies = ball_on_box(0.05);
  const std::vector<Vec3> rest[2] = {bodies[0].skin.rest, bodies[1].skin.rest};
  const double thickness = bodies[0].thickness + bodies[1].thickness;
  const auto place = [&](int b, int moment) {
    std::vector<Vec3>& to = bodies[b].skin.position;
    const double turn = 0.04 * thickness * moment;
    for (std::size_t i = 0; i < to.size(); ++i) {
      to[i] = rest[b][i] + 0.02 * thickness * random_vector(7 + b, 5000 * moment + int(i));
      if (b > 0) continue;
      const Vec3 off = rest[b][i] - Vec3(0, 0.9, 0);
      const double high = thickness * (1 + 0.8 * std::sin(0.05 * moment));
      to[i] += Eigen::AngleAxisd(turn, Vec3::UnitZ()) * off - off + Vec3(-0.5 * turn, high, 0);
    }
    bodies[b].nodes.position = to;
  };
  const auto find = [&](SkinFinder& finder, int most_recycled) {
    ContactSettings settings;
    settings.most_recycled = most_recycled;
    const std::vector<SkinMotion> moved = moved_in_substep(bodies);
    ContactList found;
    finder.find(bodies, {}, settings, moved, {h, 0}, found);
    return copies(found);
  };
  SkinFinder keeps, anew;
  std::vector<Contact> before;
  int near = 0, kept = 0, all = 0;
  for (int moment = 0; moment < 200; ++moment) {
    for (int b = 0; b < 2; ++b) {
      place(b, moment);
      if (moment == 0) bodies[b].skin.previous = bodies[b].skin.position;
    }
    if (moment == 0)
      for (SkinFinder* finder : {&keeps, &anew}) finder->start_step(bodies, {}, {}, 0, 200 * h);
    const std::vector<Contact> found = find(keeps, 6), wanted = find(anew, 1);
    for (const Contact& c : wanted) {
      if (c.gap > 0.5 * thickness || c.key.kind != ContactKey::vertex_triangle) continue;
      ++near;
      const auto same = std::find_if(found.begin(), found.end(),
                                     [&](const Contact& other) { return other.key == c.key; });
      REQUIRE(same != found.end());
      CHECK(std::abs(same->gap - c.gap) < 0.05 * thickness);
    }
    for (const Contact& c : found) {
      ++all;
      for (const Contact& old : before)
        kept += old.key == c.key && old.normal == c.normal && old.b.share == c.b.share;
    }
    before = found;
    for (Body& body : bodies) body.skin.previous = body.skin.position;
  }
  CHECK(near > 500);
  CHECK(kept > all / 2);
}

TEST_CASE("ways of some points are those of each of them") {
  std::vector<Vec3> position, previous, seen, start;
  std::vector<int> points;
  for (int i = 0; i < 50; ++i) {
    position.push_back(random_vector(1, i));
    previous.push_back(random_vector(2, i));
    seen.push_back(random_vector(6, i));
    if (i % 3 != 0) continue;
    points.push_back(i);
    start.push_back(random_vector(3, i));
    const auto [in_substep, since, since_detection] =
        displacements_of(points, position, previous, start, seen);
    const int count = int(points.size());
    const DisplacementBound step = displacement_of(
        count, [&](int k) -> Vec3 { return position[points[k]] - previous[points[k]]; });
    const DisplacementBound all =
        displacement_of(count, [&](int k) -> Vec3 { return position[points[k]] - start[k]; });
    CHECK(in_substep.mean == step.mean);
    CHECK(in_substep.deviation == step.deviation);
    CHECK(since.mean == all.mean);
    CHECK(since.deviation == all.deviation);
    const DisplacementBound went = displacement_of(
        count, [&](int k) -> Vec3 { return position[points[k]] - seen[points[k]]; });
    CHECK(since_detection.mean == went.mean);
    CHECK(since_detection.deviation == went.deviation);
    const Vec3 middle = random_vector(4, i);
    std::vector<double> clearance;
    double least = 1e9;
    for (int k = 0; k < count; ++k) {
      clearance.push_back(random_unit(5, 100 * i + k));
      least = std::min(least, clearance[k] - 2 * (position[points[k]] - start[k] - middle).norm());
    }
    CHECK(std::abs(least_clearance(points, position, start, clearance, middle) - least) < 1e-14);
  }
  position[3].y() = std::numeric_limits<double>::quiet_NaN();
  CHECK(!std::isfinite(displacements_of(points, position, previous, start, seen).in_substep.max));
}
