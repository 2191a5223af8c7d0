#include <doctest/doctest.h>

#include "geometry/track/invariant.h"
#include "methods/clusters/test_bodies.h"

using namespace pliant;
using namespace pliant::clusters;

namespace {

const Vec3 bar_size(1.2, 0.4, 0.4);

Changes cut(Body& body, const Cut& by) {
  const Changes changes = body.method->cut(body.nodes, body.skin, by);
  if (changes.any()) follow(body, changes);
  body.skin.refresh(body.nodes.position);
  return changes;
}

int pieces(const Body& body) { return body.method->measure(body.nodes).parts->pieces; }

/// Pulls the ends of a bar apart and counts the pieces in the end.
int pieces_after_pull(double fracture) {
  Material material = dough(0.03, 30);
  if (fracture > 0) material.plastic->fracture = fracture;
  Body body = box_of(bar_size, 0.07, material);
  for (const double side : {-1.0, 1.0}) {
    Handle handle;
    for (int p = 0; p < body.nodes.size(); ++p)
      if (side * body.nodes.position[p].x() > 0.5) {
        handle.nodes.push_back(p);
        handle.rest.push_back(body.nodes.position[p]);
      }
    handle.motion.keys = {{0, Vec3::Zero()}, {1, Vec3(0.5 * side, 0, 0)}};
    body.handles.push_back(handle);
  }
  const double mass = total_mass(body.nodes);
  move(body, 60, 20, Vec3::Zero(), [&](double time) { move_handles(body, time); });
  CHECK(total_mass(body.nodes) == mass);
  CHECK(track::broken(body.skin.position, body.skin.triangles) == "");
  return pieces(body);
}

}  // namespace

TEST_CASE("a cut parts surface, particles and clusters, and keeps mass and momentum") {
  Body body = box_of(bar_size, 0.07, dough());
  for (int p = 0; p < body.nodes.size(); ++p)
    body.nodes.velocity[p] = Vec3(1, body.nodes.position[p].x(), 0);
  const double mass = total_mass(body.nodes), whole = volume(body.skin);
  const Vec3 linear = momentum(body.nodes);
  const Cut half{.point = Vec3(0.1, 0, 0), .normal = Vec3(1, 0.2, 0)};
  const Changes changes = cut(body, half);
  CHECK(changes.triangles);
  CHECK(pieces(body) == 2);
  CHECK(track::broken(body.skin.position, body.skin.triangles) == "");
  CHECK(volume(body.skin) == doctest::Approx(whole).epsilon(0.01));
  CHECK(total_mass(body.nodes) == mass);
  CHECK((momentum(body.nodes) - linear).norm() < 1e-12 * linear.norm());
  const Matter& matter = matter_of(body);
  for (const Cluster& cluster : matter.clusters)
    for (const int p : cluster.member) REQUIRE(matter.piece[p] == cluster.piece);
  const std::vector<int> count = memberships(matter);
  CHECK(std::count(count.begin(), count.end(), 0) == 0);
  // Caps are inner material; all else is where it was on the given surface.
  for (std::size_t t = 0; t < body.skin.triangles.size(); ++t) {
    double off = 0;
    for (const int v : body.skin.triangles[t])
      off = std::max(off, std::abs((body.skin.position[v] - half.point).dot(half.normal)));
    if (off > 0.05) CHECK(body.skin.provenance.source[t] >= 0);
  }
  CHECK(std::count(body.skin.provenance.source.begin(), body.skin.provenance.source.end(), -1) >
        20);
  move(body, 20);
  CHECK(pieces(body) == 2);
  CHECK(total_mass(body.nodes) == mass);
}

TEST_CASE("a cut that misses, or does not go through all of a section, changes nothing") {
  Body body = box_of(bar_size, 0.07, dough());
  Cut beside{.point = Vec3(0.7, 0, 0), .normal = Vec3::UnitX()};
  CHECK(!cut(body, beside).any());
  Cut half{.point = Vec3::Zero(), .normal = Vec3::UnitX()};
  half.within = {{Vec3(0, 0, -1), Vec3(0, 1, -1), Vec3(0, 1, 1), Vec3(0, 0, 1)}};
  CHECK(!cut(body, half).any());
  half.within.push_back({Vec3(0, 0, -1), Vec3(0, -1, -1), Vec3(0, -1, 1), Vec3(0, 0, 1)});
  half.spared = {Vec3(0, -1, -1), Vec3(0, 1, -1), Vec3(0, 1, 1), Vec3(0, -1, 1)};
  CHECK(!cut(body, half).any());
  half.spared.clear();
  CHECK(cut(body, half).any());
}

TEST_CASE("an elastic body is cut as well, and parts at the speed of its halves") {
  Body body = box_of(bar_size, 0.07, dough(0, 0));
  for (int p = 0; p < body.nodes.size(); ++p)
    body.nodes.velocity[p].x() = body.nodes.position[p].x() < 0 ? -0.2 : 0.2;
  cut(body, {.point = Vec3::Zero(), .normal = Vec3::UnitX()});
  move(body, 30);
  CHECK(pieces(body) == 2);
  for (int p = 0; p < body.nodes.size(); ++p) {
    const bool left = matter_of(body).piece[p] == matter_of(body).piece[0];
    const double first = body.nodes.velocity[0].x();
    CHECK(body.nodes.velocity[p].x() == doctest::Approx(left ? first : -first).epsilon(0.02));
  }
}

TEST_CASE("matter breaks when it has flowed beyond its fracture strain, and not before") {
  CHECK(pieces_after_pull(0) == 1);
  CHECK(pieces_after_pull(2) == 1);
  CHECK(pieces_after_pull(0.3) == 2);
}
