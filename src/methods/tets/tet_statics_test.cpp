#include <doctest/doctest.h>

#include "geometry/sample/tet_block.h"
#include "methods/tets/test_bodies.h"

// Against the energy minima that were found by other means (position-based.md 14.3), and against
// what the same body comes to rest at.

using namespace pliant;
using namespace pliant::tets;

namespace {

Body cantilever(double poisson) {
  Body body = make_body(tet_block({8, 2, 2}, {0.8, 0.2, 0.2}), material(2e5, poisson, 20));
  body.handles.push_back(pin_left(body));
  return body;
}

}  // namespace

TEST_CASE("a bar under its own weight finds the minimum of its energy") {
  const std::pair<double, double> known[] = {
      {0.3, -0.408319}, {0.45, -0.372188}, {0.49, -0.327059}, {0.499, -0.295893}};
  for (const auto& [poisson, tip] : known) {
    CAPTURE(poisson);
    Body body = cantilever(poisson);
    drive(body, {0, -9.81, 0}, 1);
    const StaticReport report = body.method->solve_static(body.nodes);
    CHECK(report.converged);
    CHECK(report.residual <= 1e-6);
    CHECK(body.nodes.position[8].y() == doctest::Approx(tip).epsilon(2e-4));
  }
}

TEST_CASE("incompressible bars are solved as nearly incompressible, and a rest is left alone") {
  Body body = cantilever(0.5);
  drive(body, {0, -9.81, 0}, 1);
  CHECK(body.method->solve_static(body.nodes).converged);
  const Measures measures = body.method->measure(body.nodes);
  CHECK(measures.volume == doctest::Approx(measures.rest_volume).epsilon(1e-3));
  Body still = cantilever(0.45);
  const std::vector<Vec3> before = still.nodes.position;
  drive(still, Vec3::Zero(), 1);
  still.method->solve_static(still.nodes);
  for (std::size_t i = 0; i < before.size(); ++i)
    CHECK((still.nodes.position[i] - before[i]).norm() < 1e-9);
}
