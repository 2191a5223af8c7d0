#include <algorithm>
#include <doctest/doctest.h>

#include "core/parallel.h"
#include "geometry/mesh/primitives.h"
#include "geometry/mesh/test_broken.h"
#include "geometry/query/winding_number.h"
#include "geometry/track/invariant.h"
#include "math/test_random.h"
#include "methods/clusters/clusters.h"
#include "world/world.h"

// Bodies that are cut, among contacts: what parts, stays closed, and touches its other half.

using namespace pliant;

namespace {

constexpr double frame = 1.0 / 60;

Body dough(const TriangleMesh& surface, double radius, bool merge = true) {
  Solid solid;
  solid.name = "dough";
  solid.surface = surface;
  solid.material = elastic_material(1e5, 0.45, 1000, 5);
  solid.material.plastic.emplace();
  solid.material.plastic->yield_strain = 0.05;
  solid.material.plastic->flow = 10;
  clusters::Settings settings;
  settings.radius = radius;
  settings.merge = merge;
  return settings.create(solid);
}

TriangleMesh box_on_floor(const Vec3& size) {
  TriangleMesh box = box_mesh(size, 0.08);
  for (Vec3& p : box.points) p.y() += 0.5 * size.y() + 0.002;
  return box;
}

World on_floor(Body body) {
  World world;
  world.bodies.push_back(std::move(body));
  world.colliders.emplace_back().shape = PlaneShape{};
  world.update_ids();
  return world;
}

int pieces(const World& world) {
  const Body& body = world.bodies[0];
  return body.method->measure(body.nodes).parts->pieces;
}

/// A step after which the surface is looked at.
void step(World& world) {
  world.step(frame);
  const Skin& skin = world.bodies[0].skin;
  REQUIRE(track::broken(skin.position, skin.triangles) == "");
}

/// Vertices of pieces that are inside of another piece.
int swallowed(const Skin& skin, int pieces) {
  int count = 0;
  for (int piece = 0; piece < pieces; ++piece) {
    TriangleMesh mesh{skin.position, {}, {}};
    for (const Triangle& t : skin.triangles)
      if (skin.provenance.piece[t[0]] == piece) mesh.triangles.push_back(t);
    const WindingNumber winding(mesh);
    for (int v = 0; v < skin.size(); ++v)
      count += skin.provenance.piece[v] != piece && winding.at(skin.position[v]) > 0.5;
  }
  return count;
}

/// A blade that goes down through the box beside its middle, up again, and on above it.
World under_a_blade() {
  World world = on_floor(dough(box_on_floor(Vec3(0.5, 0.24, 0.24)), 0.045));
  Collider& blade = world.colliders.emplace_back();
  blade.shape = BoxShape{Vec3(0.002, 0.2, 0.3)};
  blade.cuts = true;
  blade.placement.position = Vec3(0.05, 0.5, 0);
  blade.motion.pivot = blade.placement.position;
  blade.motion.keys = {{0, Vec3::Zero()},
                       {0.3, Vec3(0, -0.4, 0)},
                       {0.4, Vec3(0, -0.4, 0)},
                       {0.6, Vec3::Zero()},
                       {0.7, Vec3(-0.1, 0, 0)}};
  return world;
}

}  // namespace

TEST_CASE("the halves of a box that is cut across rest on each other and do not unite") {
  World world = on_floor(dough(box_on_floor(Vec3(0.3, 0.3, 0.3)), 0.04));
  const double mass = total_mass(world.bodies[0].nodes);
  for (int i = 0; i < 5; ++i) step(world);
  CHECK(world.cut(world.bodies[0].id, {.point = Vec3(0, 0.16, 0), .normal = Vec3::UnitY()}));
  for (int i = 0; i < 40; ++i) {
    step(world);
    CHECK(pieces(world) == 2);
    CHECK(total_mass(world.bodies[0].nodes) == mass);
    if (i % 8 == 7) CHECK(swallowed(world.bodies[0].skin, 2) == 0);
  }
}

TEST_CASE("pieces that may not merge rest on each other; others unite when they touch") {
  const TriangleMesh ball = sphere_mesh(0.15, 0.05);
  TriangleMesh two = test::joined(ball, ball, Vec3(0.02, 0.32, 0.01));
  for (Vec3& p : two.points) p.y() += 0.16;
  for (const bool merge : {true, false}) {
    World world = on_floor(dough(two, 0.04, merge));
    CHECK(pieces(world) == 2);
    for (int i = 0; i < 30; ++i) step(world);
    CHECK(pieces(world) == (merge ? 1 : 2));
    CHECK(swallowed(world.bodies[0].skin, pieces(world)) == 0);
  }
}

TEST_CASE("a blade parts a body when it is through, and leaves it alone on its way back") {
  World world = under_a_blade();
  std::vector<int> seen;
  for (int i = 0; i < 48; ++i) {
    step(world);
    if (seen.empty() || seen.back() != pieces(world)) seen.push_back(pieces(world));
  }
  CHECK(seen == std::vector<int>{1, 2});
}

TEST_CASE(
    "a ball that is cut in all directions while it falls apart stays closed and keeps its mass") {
  TriangleMesh ball = sphere_mesh(0.15, 0.05);
  for (Vec3& p : ball.points) p.y() += 0.18;
  World world = on_floor(dough(ball, 0.033));
  const double mass = total_mass(world.bodies[0].nodes);
  int most = 1;
  for (std::uint64_t i = 0; i < 30; ++i) {
    const Body& body = world.bodies[0];
    if (i % 5 == 2)
      world.cut(body.id, {.point = centre_of_mass(body.nodes) + 0.05 * test::random_vector(1, i),
                          .normal = test::random_vector(2, i)});
    step(world);
    CHECK(total_mass(body.nodes) == mass);
    most = std::max(most, pieces(world));
  }
  CHECK(most > 8);
}

TEST_CASE("cuts and blades go on as they would have after a checkpoint, on any number of threads") {
  const auto planned = [] {
    World world = under_a_blade();
    world.cuts.push_back(
        {0.1, world.bodies[0].id, {.point = Vec3(-0.1, 0, 0), .normal = Vec3::UnitX()}});
    world.cuts.push_back(
        {0.2, world.bodies[0].id, {.point = Vec3(9, 0, 0), .normal = Vec3::UnitX()}});
    return world;
  };
  World world = planned();
  for (int i = 0; i < 10; ++i) world.step(frame);
  Archive saved = Archive::saving();
  world.archive(saved);
  for (int i = 0; i < 16; ++i) world.step(frame);
  CHECK(pieces(world) == 3);
  CHECK(world.cuts[0].state == PlannedCut::made);
  CHECK(world.cuts[1].state == PlannedCut::missed);
  const std::uint64_t wanted = state_hash(world);
  for (const int threads : {1, 2, 3, 7}) {
    set_threads(threads);
    World again = planned();
    Archive loading = Archive::loading(saved.bytes());
    again.archive(loading);
    for (int i = 0; i < 16; ++i) again.step(frame);
    CHECK(state_hash(again) == wanted);
  }
  set_threads(0);
}
