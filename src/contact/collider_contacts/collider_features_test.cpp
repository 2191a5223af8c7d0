#include "contact/collider_contacts/collider_features.h"

#include <doctest/doctest.h>

#include "contact/test_scene.h"
#include "geometry/mesh/primitives.h"

// Corners and ridges of colliders: what is found may not depend on when it was listed.

using namespace pliant;
using namespace pliant::test;

namespace {

/// A surface that flies and turns past colliders.
void place(Body& body, const Vec3& from, const Vec3& velocity, double turning, double time) {
  const Mat3 turn = Eigen::AngleAxisd(turning * time, Vec3(1, 2, 3).normalized()).matrix();
  for (std::size_t v = 0; v < body.skin.rest.size(); ++v)
    body.skin.position[v] = from + time * velocity + turn * body.skin.rest[v];
  body.nodes.position = body.skin.position;
}

std::vector<Collider> posts(int kind) {
  std::vector<Collider> colliders(2);
  colliders[0].shape = BoxShape{{0.3, 0.3, 0.3}};
  colliders[0].placement.position = {0.7, 0, 0};
  colliders[0].placement.rotation = Quat(Eigen::AngleAxisd(0.7, Vec3(1, 1, 0).normalized()));
  colliders[1].shape = mesh_shape(cylinder_mesh(0.3, 0.8, 0.2));
  colliders[1].placement.position = {-0.6, 0.3, 0.2};
  if (kind == 1) colliders[1].motion.spin = Motion::Spin{Vec3::UnitX(), 20, 0};
  if (kind == 2)
    colliders[1].motion.keys = {{.time = 0},
                                {.time = 1, .move = {5, 0, 0}, .turn = Quat(0, 1, 0, 0)}};
  return colliders;
}

}  // namespace

TEST_CASE("corners of colliders meet the same triangles and edges however early they were listed") {
  const ContactSettings settings;
  const double h = 1e-3;
  constexpr int substeps = 20;
  int met = 0;
  for (int i = 0; i < 60; ++i) {
    const std::vector<Collider> colliders = posts(i % 3);
    std::vector<Body> bodies;
    bodies.push_back(
        surface_body(i % 2 == 0 ? sphere_mesh(0.4, 0.15) : box_mesh({0.6, 0.6, 0.6}, 0.2)));
    Body& body = bodies[0];
    SkinTopology shape;
    shape.build(body.skin);
    const Vec3 from = 0.4 * random_vector(1, i), velocity = 6 * random_vector(2, i);
    ColliderFeatures once, each_time;
    place(body, from, velocity, 5, 0);
    body.nodes.velocity.assign(body.nodes.velocity.size(), velocity);
    once.find_candidates(bodies, colliders, {&shape, 1}, settings, 0, substeps * h);
    for (int s = 0; s < substeps; ++s) {
      const auto find = [&](ColliderFeatures& finder) {
        const double travel = displacement_of(body.skin.position, body.skin.previous).max;
        ContactList found;
        if (!finder.is_clear(0, travel, travel))
          finder.find(bodies, colliders, {&shape, 1}, settings, {}, {h, s * h}, found);
        return copies(found);
      };
      each_time.find_candidates(bodies, colliders, {&shape, 1}, settings, s * h, h);
      body.skin.previous = body.skin.position;
      place(body, from, velocity, 5, (s + 1) * h);
      const std::vector<Contact> found = find(once), judge = find(each_time);
      REQUIRE(found.size() == judge.size());
      for (std::size_t k = 0; k < found.size(); ++k) {
        CHECK(found[k].key == judge[k].key);
        CHECK(found[k].gap == judge[k].gap);
        CHECK(found[k].normal == judge[k].normal);
      }
      met += int(found.size());
    }
  }
  CHECK(met > 1000);
}
