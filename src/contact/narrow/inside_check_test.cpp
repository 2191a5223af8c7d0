#include "contact/narrow/inside_check.h"

#include <doctest/doctest.h>

#include "contact/motion/displacement.h"
#include "contact/test_scene.h"
#include "geometry/mesh/primitives.h"
#include "geometry/query/winding_number.h"

using namespace pliant;
using namespace pliant::test;

namespace {

TriangleMesh moved(TriangleMesh mesh, const Vec3& way) {
  for (Vec3& p : mesh.points) p += way;
  return mesh;
}

/// A box whose corner at (+, +, +) was pushed out through the opposite one: turned inside out
/// there.
TriangleMesh pierced_box() {
  TriangleMesh box = box_mesh(Vec3::Constant(0.4), 0.1);
  for (Vec3& p : box.points)
    if ((p - Vec3::Constant(0.2)).norm() < 1e-9) p = Vec3::Constant(-0.4);
  return box;
}

}  // namespace

TEST_CASE("a ray counts the same winding as solid angles, inside, outside and in folds") {
  for (const TriangleMesh& mesh : {sphere_mesh(0.3, 0.1), box_mesh({0.6, 0.4, 0.5}, 0.1),
                                   torus_mesh(0.3, 0.1, 0.05), pierced_box()}) {
    const Body body = surface_body(mesh);
    int inside = 0;
    for (int i = 0; i < 400; ++i) {
      const Vec3 p = 0.4 * random_vector(3, std::uint64_t(i));
      const double exact = winding_number_brute_force(mesh, p);
      CHECK(winding_by_ray(body.skin, p) == doctest::Approx(exact).epsilon(1e-6));
      inside += exact > 0.5 ? 1 : 0;
    }
    CHECK(inside > 10);
  }
}

TEST_CASE("a ray along edges and through corners passes each of them once") {
  const Body body = surface_body(box_mesh(Vec3::Constant(1), 0.25));
  // The grid of the box's own vertices, moved along the ray only: every ray runs along edges.
  for (double x = -0.9; x < 1; x += 0.2)
    for (double y = -0.25; y < 0.3; y += 0.25)
      for (double z = -0.25; z < 0.3; z += 0.25)
        CHECK(winding_by_ray(body.skin, {x, y, z}) == (std::abs(x) < 0.5 ? 1 : 0));
}

TEST_CASE("a tip that was squeezed through itself claims no vertex outside") {
  std::vector<Body> bodies;
  bodies.push_back(surface_body(pierced_box()));
  bodies.push_back(surface_body(moved(sphere_mesh(0.1, 0.02), Vec3::Constant(-0.4 - 0.07))));
  const ContactSettings settings;
  SkinFinder finder;
  finder.start_step(bodies, {}, settings, 0, 1e-3);
  const std::vector<SkinMotion> moved = moved_in_substep(bodies);
  ContactList contacts;
  finder.find(bodies, {}, settings, moved, {1e-3, 0}, contacts);
  // Those in front of the tip see its normal from behind.
  const Skin &box = bodies[0].skin, &ball = bodies[1].skin;
  int tip = 0;
  while ((box.position[tip] - Vec3::Constant(-0.4)).norm() > 1e-9) ++tip;
  const Vec3 normal = vertex_normal(box, finder.surfaces.topology(0), box.position, tip);
  int fooled = 0;
  for (const Vec3& p : ball.position)
    fooled += normal.dot(p - box.position[tip]) < 0 && (p - box.position[tip]).norm() < 0.05;
  REQUIRE(fooled > 5);
  for (const Contact& c : contacts) {
    if (c.goal >= 0) continue;
    const Vec3 at = c.a.point(bodies[c.a.body].skin.position);
    const Vec3 other = c.b.point(bodies[c.b.body].skin.position);
    const bool edges = c.key.kind == ContactKey::edge_edge;
    CHECK(winding_by_ray(bodies[c.b.body].skin, edges ? Vec3(0.5 * (at + other)) : at) > 0);
  }
}
