#include <doctest/doctest.h>

#include "body/body.h"
#include "geometry/mesh/primitives.h"
#include "materials/neo_hookean.h"
#include "methods/registry.h"

using namespace pliant;

TEST_CASE("a body that is deformed and moves evenly shows that in all of its bulk, by any method") {
  constexpr double young = 2e5, poisson = 0.4;
  Mat3 F;
  F << 1.10, 0.05, 0.00, 0.00, 0.95, 0.02, 0.03, 0.00, 1.02;
  const Vec3 velocity(1, 2, 3);
  const Mat3 expected = NeoHookean::from(young, poisson).cauchy(F);
  int shown = 0;
  for (const char* name : {"tets", "groups", "clusters", "meshless"}) {
    INFO(name);
    Solid solid;
    solid.name = name;
    solid.surface = box_mesh(Vec3(0.6, 0.2, 0.2), 0.05);
    solid.material = elastic_material(young, poisson, 1000, 20);
    Body body = find_method(name)->settings()->create(solid);
    Bulk at_rest, now;
    REQUIRE(body.method->bulk(body.nodes, at_rest));
    for (Vec3& x : body.nodes.position) x = F * x;
    body.nodes.velocity.assign(body.nodes.velocity.size(), velocity);
    REQUIRE(body.method->bulk(body.nodes, now));
    const std::size_t elements = now.tets.empty() ? now.position.size() : now.tets.size();
    REQUIRE(now.J.size() == elements);
    REQUIRE(now.stress.size() == elements);
    REQUIRE(elements > 50);
    std::vector<double> shown_elsewhere;
    REQUIRE(body.method->field("von_mises", body.nodes, shown_elsewhere));
    const bool has_that_law = std::string(name) != "meshless";  // its default is another one
    double J = 0, stress = 0, size = 0, place = 0, speed = 0;
    for (std::size_t e = 0; e < elements; ++e) {
      J = std::max(J, std::abs(now.J[e] - F.determinant()));
      if (has_that_law) stress = std::max(stress, (now.stress[e] - expected).norm());
      const Mat3 shear = now.stress[e] - now.stress[e].trace() / 3 * Mat3::Identity();
      size = std::max(size, std::abs(std::sqrt(1.5) * shear.norm() - shown_elsewhere[0]));
    }
    for (std::size_t p = 0; p < now.position.size(); ++p) {
      place = std::max(place, (now.position[p] - F * at_rest.position[p]).norm());
      speed = std::max(speed, (now.velocity[p] - velocity).norm());
    }
    CHECK(J < 1e-9);
    CHECK(stress < 1e-6 * expected.norm());
    CHECK(size < 1e-6 * shown_elsewhere[0]);
    CHECK(place < 1e-12);
    CHECK(speed < 1e-12);
    ++shown;
  }
  CHECK(shown == 4);
}

TEST_CASE("tets of a bulk are those of the body: they fill its volume") {
  Solid solid;
  solid.name = "box";
  solid.surface = box_mesh(Vec3(0.6, 0.2, 0.2), 0.05);
  solid.material = elastic_material(2e5, 0.4, 1000, 20);
  const Body body = find_method("tets")->settings()->create(solid);
  Bulk bulk;
  REQUIRE(body.method->bulk(body.nodes, bulk));
  double volume = 0;
  for (const Tet& t : bulk.tets) {
    const Vec3 &a = bulk.position[t[0]], b = bulk.position[t[1]] - a, c = bulk.position[t[2]] - a,
               d = bulk.position[t[3]] - a;
    const double of_tet = b.cross(c).dot(d) / 6;
    CHECK(of_tet > 0);
    volume += of_tet;
  }
  CHECK(volume > 0.024 - 1e-9);  // cells that the surface cuts are whole
  CHECK(volume < 1.5 * 0.024);
}
