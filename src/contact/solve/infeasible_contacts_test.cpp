#include "contact/solve/infeasible_contacts.h"

#include <doctest/doctest.h>

#include "contact/data/contact_memory.h"
#include "contact/test_scene.h"
#include "geometry/mesh/primitives.h"

using namespace pliant;
using namespace pliant::test;

namespace {

constexpr double thickness = 0.005;

Contact own_contact(int body, double gap, double goal, double impulse) {
  Contact c;
  c.key = {ContactKey::vertex_triangle, body, body, 0, 0};
  c.a = Anchor::on_vertex(body, 0);
  c.b = Anchor::on_vertex(body, 1);
  c.thickness = thickness;
  c.tolerance = 1e-4;
  c.gap = gap;
  c.goal = goal;
  c.impulse = impulse * c.normal;
  return c;
}

}  // namespace

TEST_CASE("a body gives way to itself where a solve left it wrong, not where it does not touch") {
  const auto eases = [](const Contact& c) {
    std::vector<Contact> contacts{c, own_contact(0, 0, 0, 1), own_contact(1, 0, 0, 1)};
    ContactList list = list_of(contacts);
    const bool eased = relax_self(list);
    CHECK(contacts[1].relaxation == (eased ? 1 : 0));
    CHECK(contacts[1].impulse.isZero(0) == eased);
    CHECK(contacts[2].relaxation == 0);  // another body's
    return eased;
  };
  CHECK(!eases(own_contact(0, 0.02, 0, 0)));         // in reach, but away
  CHECK(!eases(own_contact(0, -1.5e-4, 0, 1)));      // nearly solved
  CHECK(!eases(own_contact(0, -0.0101, -0.01, 0)));  // overlap that is undone gently
  CHECK(eases(own_contact(0, -0.002, 0, 0)));        // too near
  CHECK(eases(own_contact(0, 0.002, 0, 1)));         // pressed, yet away
}

TEST_CASE("in torn skin, contacts of a body with itself give way where it overlaps, not before") {
  std::vector<Body> bodies;
  bodies.push_back(surface_body(box_mesh({0.4, 0.4, 0.4}, 0.1)));
  bodies[0].nodes.mobility.assign(bodies[0].nodes.mass.size(), 1);
  for (Vec3& p : bodies[0].skin.previous) p *= 3;
  std::vector<SkinTopology> topologies(1);
  topologies[0].build(bodies[0].skin);
  std::vector<Contact> contacts;
  for (const double distance : {0.004, 0.001, -0.001})
    contacts.push_back(own_contact(0, 0, distance - thickness, 0));
  ContactList list = list_of(contacts);
  relax_infeasible(bodies, topologies, list);
  REQUIRE(list.size() == 3);
  CHECK(contacts[0].relaxation == 0);
  CHECK(contacts[1].relaxation == 0);
  CHECK(contacts[2].relaxation > 1);
}

TEST_CASE(
    "a vertex that ended in front of a surface is not remembered as behind it, nor behind others") {
  ContactMemory memory;
  const ContactKey behind{ContactKey::vertex_triangle, 0, 0, 1, 0};
  const ContactKey before{ContactKey::vertex_triangle, 0, 0, 2, 0};
  memory.key = {behind, before};
  memory.normal = {Vec3::UnitY(), Vec3::UnitY()};
  memory.impulse = {Vec3::UnitY(), Vec3::UnitY()};
  memory.lift = {1e-3 * Vec3::UnitY(), Vec3::Zero()};
  CHECK(memory.was_behind(behind, Vec3(0.1, 1, 0).normalized()));
  CHECK(!memory.was_behind(behind, Vec3::UnitX()));
  CHECK(!memory.was_behind(before, Vec3::UnitY()));
  CHECK(memory.knows(before, Vec3::UnitY()));
  CHECK(!memory.knows(before, Vec3::UnitZ()));
  CHECK(!memory.knows({ContactKey::vertex_triangle, 0, 0, 3, 0}, Vec3::UnitY()));
}
