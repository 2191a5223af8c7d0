#include "body/body.h"

#include <algorithm>
#include <doctest/doctest.h>
#include <limits>

#include "body/test_body.h"

using namespace pliant;
using namespace pliant::test;

namespace {

std::vector<std::byte> saved(Body& body) {
  Archive archive = Archive::saving();
  body.archive(archive);
  return archive.take_bytes();
}

/// A box whose every archived value differs from what it is built with.
Body moved_box() {
  Body body = caged_box({2, 1, 3}, 1);
  for (int i = 0; i < body.nodes.size(); ++i) {
    body.nodes.position[i] += Vec3(0.1 * i, -0.2, 1e-9 * i);
    body.nodes.previous[i] -= Vec3(0, 0.3 * i, 0);
    body.nodes.velocity[i] = Vec3(i, 2, -i);
  }
  body.skin.refresh(body.nodes.position);
  body.skin.revision = 3;
  static_cast<Still&>(*body.method).state = 42;
  return body;
}

}  // namespace

TEST_CASE("a body loaded from what another saved is that body, method and all") {
  Body original = moved_box();
  const std::vector<std::byte> bytes = saved(original);
  Body loaded = caged_box({2, 1, 3}, 1);
  CHECK(saved(loaded) != bytes);
  Archive archive = Archive::loading(bytes);
  loaded.archive(archive);
  CHECK(archive.at_end());
  CHECK(saved(loaded) == bytes);
  CHECK(loaded.nodes.position == original.nodes.position);
  CHECK(loaded.nodes.previous == original.nodes.previous);
  CHECK(loaded.nodes.velocity == original.nodes.velocity);
  CHECK(loaded.skin.position == original.skin.position);
  CHECK(loaded.skin.revision == 3);
  CHECK(static_cast<Still&>(*loaded.method).state == 42);
}

TEST_CASE("energy and momenta of a rigid motion are those of mechanics") {
  // Eight equal masses in the corners (+-a, +-b, +-c) of a box: I = M diag(b^2 + c^2, ...) about
  // the centre.
  Body body = caged_box({2, 1, 3}, 1);
  Nodes& nodes = body.nodes;
  const double mass = 16;
  std::fill(nodes.mass.begin(), nodes.mass.end(), mass / 8);
  const Vec3 inertia = mass * Vec3(1 + 9, 4 + 9, 4 + 1);
  const Vec3 centre(5, 6, 7), velocity(1, -2, 0.5), omega(0.3, 2, -1);
  for (int i = 0; i < nodes.size(); ++i) {
    nodes.velocity[i] = velocity + omega.cross(nodes.position[i]);
    nodes.position[i] += centre;
  }
  const Vec3 spin = inertia.cwiseProduct(omega);
  CHECK(total_mass(nodes) == doctest::Approx(mass));
  CHECK((centre_of_mass(nodes) - centre).norm() < 1e-13);
  CHECK((momentum(nodes) - mass * velocity).norm() < 1e-12);
  CHECK((angular_momentum(nodes) - centre.cross(mass * velocity) - spin).norm() < 1e-11);
  CHECK(
      kinetic_energy(nodes) ==
      doctest::Approx(0.5 * mass * velocity.squaredNorm() + 0.5 * omega.dot(spin)).epsilon(1e-13));
  CHECK(potential_energy(nodes, {0, -10, 0}) == doctest::Approx(mass * 10 * 6).epsilon(1e-13));
}

TEST_CASE("one coordinate that is not finite is noticed") {
  Body body = caged_box({1, 1, 1}, 1);
  CHECK(is_finite(body.nodes));
  for (const double bad :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(),
        -std::numeric_limits<double>::infinity()})
    for (int axis = 0; axis < 3; ++axis) {
      Nodes broken = body.nodes;
      broken.position[5][axis] = bad;
      CHECK(!is_finite(broken));
      broken.position[2][axis] = -bad;  // must not cancel
      CHECK(!is_finite(broken));
    }
}

TEST_CASE("every body shows displacement, height and speed of its skin") {
  Body body = caged_box({2, 1, 3}, 0.5);
  const Vec3 move(0.3, 0.4, 0), velocity(1, 2, 2);
  for (Vec3& p : body.nodes.position) p += move;
  std::fill(body.nodes.velocity.begin(), body.nodes.velocity.end(), velocity);
  body.skin.refresh(body.nodes.position);
  std::vector<double> displacement, height, speed;
  REQUIRE(field(body, "displacement", displacement));
  REQUIRE(field(body, "height", height));
  REQUIRE(field(body, "speed", speed));
  REQUIRE(int(displacement.size()) == body.skin.size());
  REQUIRE(int(height.size()) == body.skin.size());
  REQUIRE(int(speed.size()) == body.skin.size());
  for (int v = 0; v < body.skin.size(); ++v) {
    CHECK(displacement[v] == doctest::Approx(0.5).epsilon(1e-12));
    CHECK(height[v] == doctest::Approx(body.skin.rest[v].y() + 0.4).epsilon(1e-12));
    CHECK(speed[v] == doctest::Approx(3).epsilon(1e-12));
  }
}

TEST_CASE("fields of the method are carried from nodes to skin, and unknown names are refused") {
  Body body = caged_box({2, 1, 3}, 0.5);
  for (int i = 0; i < body.nodes.size();
       ++i)  // linear in space, so the skin must see the same line
    body.nodes.mass[i] = 10 + body.nodes.position[i].x() - 2 * body.nodes.position[i].z();
  std::vector<double> values;
  REQUIRE(field(body, "mass", values));
  for (int v = 0; v < body.skin.size(); ++v) {
    const Vec3& p = body.skin.position[v];
    CHECK(values[v] == doctest::Approx(10 + p.x() - 2 * p.z()).epsilon(1e-12));
  }
  for (const char* name : {"", "Speed", "taste", "mass "}) CHECK(!field(body, name, values));
}

TEST_CASE("every field name a body lists can be shown") {
  const Body body = caged_box({1, 1, 1}, 1);
  const std::vector<std::string> names = field_names(body);
  CHECK(names.size() == 12);  // eleven that every body has, and the mass of this one
  CHECK(std::find(names.begin(), names.end(), "mass") != names.end());
  std::vector<double> values;
  for (const std::string& name : names) {
    CAPTURE(name);
    CHECK(field(body, name, values));
  }
}
