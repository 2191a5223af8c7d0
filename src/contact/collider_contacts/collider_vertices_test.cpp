#include "contact/collider_contacts/collider_vertices.h"

#include <doctest/doctest.h>

#include "contact/motion/displacement.h"
#include "contact/test_scene.h"
#include "geometry/mesh/primitives.h"

using namespace pliant;
using namespace pliant::test;

namespace {

/// A floor, one that rises or tips, and a block on it; or a landscape that rises and a ring that
/// turns, of mesh.
std::vector<Collider> ground(int kind) {
  std::vector<Collider> colliders(2);
  colliders[0] = floor_at(0);
  if (kind == 1) colliders[0].motion.keys = {{.time = 0}, {.time = 1, .move = {0, 4, 0}}};
  if (kind == 2) colliders[0].motion.spin = Motion::Spin{Vec3::UnitX(), 8, 0};
  colliders[1].shape = BoxShape{Vec3(0.3, 0.1, 0.3)};
  colliders[1].placement.position = Vec3(0.5, 0.1, 0);
  if (kind == 3) {
    std::vector<double> heights;
    for (int k = 0; k < 400; ++k)
      heights.push_back(0.05 * std::sin(0.9 * (k % 20)) * std::cos(0.7 * (k / 20)));
    colliders[0].shape =
        HeightfieldShape{std::make_shared<const Heightfield>(20, heights, Vec2(3, 3))};
    colliders[0].motion.keys = {{.time = 0}, {.time = 1, .move = {0.5, 2, 0}}};
  }
  if (kind == 4) {
    colliders[1].shape = mesh_shape(torus_mesh(0.4, 0.1, 0.1));
    colliders[1].motion.spin = Motion::Spin{Vec3(1, 1, 0).normalized(), 5, 0};
  }
  return colliders;
}

}  // namespace

TEST_CASE(
    "vertices meet the same colliders however early they were listed and whoever moved them") {
  const ContactSettings settings;
  const double h = 1e-3;
  constexpr int substeps = 30;
  int met = 0;
  for (std::uint64_t i = 0; i < 75; ++i) {
    const std::vector<Collider> colliders = ground(int(i % 5));
    std::vector<Body> bodies;
    bodies.push_back(surface_body(sphere_mesh(0.3, 0.1)));
    Body& body = bodies[0];
    const std::vector<Vec3> rest = body.skin.position;
    const Vec3 from = Vec3(0, 0.34, 0) + 0.02 * random_vector(1, i);
    const Vec3 velocity = Vec3(0, -0.6, 0) + random_vector(2, i);
    for (std::size_t v = 0; v < rest.size(); ++v) body.skin.position[v] = rest[v] + from;
    body.nodes.velocity.assign(body.nodes.velocity.size(), velocity);
    ColliderVertices once;
    once.find_candidates(bodies, colliders, settings, 0, substeps * h);
    std::vector<Vec3> seen = body.skin.position;
    for (int s = 0; s < substeps; ++s) {
      // It flies and shivers; and at the end of each substep a solve pushes it, here all of it.
      body.skin.previous = body.skin.position;
      for (std::size_t v = 0; v < rest.size(); ++v)
        body.skin.position[v] +=
            h * velocity + 2e-4 * random_vector(3 + i, std::uint64_t(s) * rest.size() + v);
      const auto find = [&](ColliderVertices& finder, double went) {
        const std::vector<double> travel{
            displacement_of(body.skin.position, body.skin.previous).max};
        ContactList found;
        if (!finder.is_clear(0, body, colliders, settings, travel[0], went))
          finder.find(bodies, travel, colliders, settings, {}, {h, s * h}, found);
        return copies(found);
      };
      ColliderVertices judge;
      const std::vector<Vec3> now = body.skin.position;
      body.skin.position = body.skin.previous;
      judge.find_candidates(bodies, colliders, settings, s * h, h);
      body.skin.position = now;
      const std::vector<Contact> found = find(once, displacement_of(now, seen).max),
                                 wanted = find(judge, displacement_of(now, body.skin.previous).max);
      seen = now;
      INFO("ground " << i % 5 << ", try " << i << ", substep " << s);
      REQUIRE(found.size() == wanted.size());
      for (std::size_t k = 0; k < found.size(); ++k) {
        CHECK(found[k].key == wanted[k].key);
        CHECK(found[k].gap == wanted[k].gap);
        CHECK(found[k].normal == wanted[k].normal);
      }
      met += int(found.size());
      const Vec3 push = 1.5e-3 * random_vector(4, 100 * i + std::uint64_t(s));
      for (Vec3& p : body.skin.position) p += push;
    }
  }
  CHECK(met > 1000);
}
