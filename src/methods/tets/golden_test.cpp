#include <doctest/doctest.h>
#include <map>

#include "methods/tets/test_bodies.h"

// Numbers that must come out: closed forms and energy minima (docs: golden
// numbers 14.1, 14.3, 14.5).

using namespace pliant;
using namespace pliant::tets;

namespace {

/// `traction` [Pa] per rest area on the faces x = 0 and x = 1 of the unit cube, pulling apart.
void pull(Body& body, double traction) {
  for (const double side : {0.0, 1.0}) {
    std::map<int, double> share;  // each triangle gives a third of its area to its corners
    for (const Triangle& t : body.skin.triangles) {
      bool on_side = true;
      for (const int v : t) on_side = on_side && body.skin.rest[v].x() == side;
      if (!on_side) continue;
      for (const int v : t) share[v] += 0.5 / 3;
    }
    Load load;
    load.vector = Vec3(side == 0 ? -traction : traction, 0, 0);
    for (const auto& [vertex, part] : share) {
      load.vertices.push_back(vertex);
      load.share.push_back(part);
    }
    body.loads.push_back(load);
  }
}

struct Shape {
  double along, across, J;
};

/// Pulls a cube of five tets slowly, waits, and measures it.
Shape pulled_cube(double poisson, double traction, Kernel kernel) {
  const double young = 1e5;
  Body body = make_body(block(1, 1, 1, Vec3::Ones()), material(young, poisson), with(kernel));
  pull(body, 1);
  double time = 0;
  const double h = 1.0 / 6000, ramp = 0.7;
  while (time < 2.4) {
    const double now = young * traction * std::min(1.0, time / ramp);
    body.loads[0].vector.x() = -now;
    body.loads[1].vector.x() = now;
    substep(body, h, time, Vec3::Zero(), 15);
  }
  // Lengths of the cube's edges, so that a turned cube measures the same.
  const std::vector<Vec3>& x = body.nodes.position;
  const Vec3 a = x[1] - x[0], b = x[2] - x[0], c = x[4] - x[0];
  return {a.norm(), 0.5 * (b.norm() + c.norm()), a.cross(b).dot(c)};
}

}  // namespace

TEST_CASE("a cube under traction stretches and thins as the closed form says (14.1)") {
  struct Row {
    double nu;
    Shape at[4];
  };
  const double tractions[] = {-0.2, 0.1, 0.5, 1};
  const Row rows[] = {
      {0,
       {{.780046, .959421, .718024},
        {1.100807, .995798, 1.091575},
        {1.558980, .933509, 1.358555},
        {2.296630, .825379, 1.564579}}},
      {.3,
       {{.824875, 1.053259, .915078},
        {1.107255, .968570, 1.038746},
        {1.702113, .827310, 1.164998},
        {2.764279, .673880, 1.255297}}},
      {.45,
       {{.832823, 1.084727, .979927},
        {1.109861, .953904, 1.009899},
        {1.779594, .765861, 1.043807},
        {3.017193, .594636, 1.066857}}},
      {.49,
       {{.834450, 1.092538, .996032},
        {1.110502, .949887, 1.001990},
        {1.801031, .748449, 1.008895},
        {3.086397, .573047, 1.013520}}},
      {.5,
       {{.834833, 1.094461, 1},
        {1.110659, .948876, 1},
        {1.806444, .744025, 1},
        {3.103803, .567614, 1}}},
  };
  for (const Kernel kernel : all_kernels)
    for (const Row& row : rows)
      for (int i = 0; i < 4; ++i) {
        INFO("kernel " << int(kernel) << ", nu " << row.nu << ", traction " << tractions[i]
                       << " E");
        const Shape found = pulled_cube(row.nu, tractions[i], kernel);
        CHECK(found.along == doctest::Approx(row.at[i].along).epsilon(1e-3));
        CHECK(found.across == doctest::Approx(row.at[i].across).epsilon(1e-3));
        CHECK(found.J == doctest::Approx(row.at[i].J).epsilon(1e-3));
      }
}

TEST_CASE("a cantilever hangs where the energy is least (14.3), at 20 substeps") {
  struct Row {
    double nu, tip, volume;
  };
  const Row rows[] = {{.3, -.408319, 1.000375},
                      {.45, -.372188, 1.000165},
                      {.49, -.327059, 1.000031},
                      {.499, -.295893, 1.000006}};
  for (const Kernel kernel : all_kernels)
    for (const Row& row : rows) {
      INFO("kernel " << int(kernel) << ", nu " << row.nu);
      Body body = make_body(block(8, 2, 2, {0.8, 0.2, 0.2}), material(2e5, row.nu), with(kernel));
      body.handles.push_back(pin_left(body));
      double time = 0;
      while (time < 4) substep(body, 1.0 / 1200, time, {0, -9.81, 0}, 8);
      // Floats leave a trembling of some 1e-5 m/s.
      CHECK(kinetic_energy(body.nodes) < (kernel == Kernel::plain ? 1e-9 : 1e-8));
      CHECK(body.nodes.position[8].y() == doctest::Approx(row.tip).epsilon(0.01));
      const Measures measures = body.method->measure(body.nodes);
      CHECK(measures.volume / measures.rest_volume == doctest::Approx(row.volume).epsilon(1e-3));
    }
}

TEST_CASE("the cantilever's error falls with the square of the substep") {
  double error[2];
  for (const int i : {0, 1}) {
    Body body = make_body(block(8, 2, 2, {0.8, 0.2, 0.2}), material(2e5, .45), with(Kernel::plain));
    body.handles.push_back(pin_left(body));
    double time = 0;
    while (time < 4) substep(body, 1.0 / (i == 0 ? 600 : 1200), time, {0, -9.81, 0}, 8);
    error[i] = std::abs(body.nodes.position[8].y() + .372188);
  }
  CHECK(error[0] / error[1] == doctest::Approx(4).epsilon(0.15));
}

TEST_CASE("a free spin slows down by the integrator's law alone, damped or not (14.5)") {
  for (const double damping : {0.0, 5.0}) {
    INFO("damping " << damping);
    Body body = make_body(block(2, 2, 2, {0.4, 0.4, 0.4}), material(1e6, .45, damping));
    const Vec3 centre = centre_of_mass(body.nodes);
    for (int i = 0; i < body.nodes.size(); ++i)
      body.nodes.velocity[i] = Vec3(0, 10, 0).cross(body.nodes.position[i] - centre);
    const double before = angular_momentum(body.nodes).y();
    double time = 0;
    for (int i = 0; i < 1200; ++i) substep(body, 1.0 / 600, time);
    CHECK(angular_momentum(body.nodes).y() / before ==
          doctest::Approx(0.7746).epsilon(2e-3 / 0.7746));
  }
}
