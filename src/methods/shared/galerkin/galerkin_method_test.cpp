#include "methods/shared/galerkin/galerkin_method.h"

#include <doctest/doctest.h>

#include "body/body.h"
#include "core/parallel.h"
#include "math/test_random.h"
#include "methods/shared/galerkin/hex_block.h"

using namespace pliant;
using namespace pliant::test;
using namespace pliant::galerkin;

namespace {

constexpr Solver solvers[] = {Solver::direct, Solver::iterative};

/// A block of bricks, 0.4 x 0.2 x 0.2 m, one corner in the origin.
struct Block {
  Nodes nodes;
  std::unique_ptr<GalerkinMethod> method;
  double time = 0;

  explicit Block(Rules rules = {}, double young = 1e5, double rate = 0,
                 Law::Kind kind = Law::Kind::corotated) {
    HexBlock block = hex_block({4, 2, 2}, {0.4, 0.2, 0.2});
    const int count = int(block.nodes.size());
    nodes = Nodes::at(block.nodes);
    for (int p = 0; p < block.points.size(); ++p)
      for (int k = block.points.start[p]; k < block.points.start[p + 1]; ++k)
        nodes.mass[block.points.node[k]] += 1000 * block.points.volume[p] * block.points.value[k];
    std::vector<double> rates(block.nodes.size(), rate);
    method = std::make_unique<GalerkinMethod>(
        Elastic(block.points, {Law::from(kind, young, 0.4)}, count), block.nodes,
        InnerDamping(rates, std::vector<int>(block.nodes.size(), 0)), rules, 10, 0.4);
  }
  void hold_left() {
    for (int n = 0; n < nodes.size(); ++n)
      if (nodes.position[n].x() < 1e-9) {
        nodes.held[n] = 1;
        nodes.target[n] = nodes.position[n];
      }
  }
  void pull(const Vec3& acceleration) {
    for (int n = 0; n < nodes.size(); ++n) nodes.force[n] = nodes.mass[n] * acceleration;
  }
  void step(double h) {
    const Substep substep{h, time};
    method->advance(nodes, substep);
    nodes.free = nodes.position;  // as contact does
    std::fill(nodes.load.begin(), nodes.load.end(), Vec3::Zero());
    method->respond(nodes);
    method->finish(nodes, substep);
    time += h;
  }
  double energy() { return kinetic_energy(nodes) + method->measure(nodes).elastic_energy; }
};

std::vector<Vec3> answer(Block& block, const std::vector<Vec3>& load) {
  block.nodes.load = load;
  block.method->respond(block.nodes);
  std::vector<Vec3> moved = block.nodes.position;
  for (std::size_t n = 0; n < moved.size(); ++n) moved[n] -= block.nodes.free[n];
  return moved;
}

double dot(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i].dot(b[i]);
  return sum;
}

}  // namespace

TEST_CASE("free fall is exact and nothing distorts") {
  for (const Solver solver : solvers) {
    Block block({.solver = solver, .tolerance = 1e-11});
    const std::vector<Vec3> rest = block.nodes.position;
    block.pull({0, -9.81, 0});
    const double h = 0.01;
    for (int i = 1; i <= 50; ++i) block.step(h);
    const double fallen = 9.81 * h * h * 50 * 51 / 2;
    for (std::size_t n = 0; n < rest.size(); ++n) {
      CHECK((block.nodes.velocity[n] - Vec3(0, -9.81 * 0.5, 0)).norm() < 1e-9);
      CHECK((rest[n] - block.nodes.position[n] - Vec3(0, fallen, 0)).norm() < 1e-9);
    }
  }
}

TEST_CASE(
    "what contact may count on: linear, symmetric, bounded, momentum kept, held nodes still") {
  for (const Solver solver : solvers) {
    CAPTURE(int(solver));
    const bool exact = solver == Solver::direct;
    Block block({.solver = solver});
    for (int n = 0; n < block.nodes.size(); ++n) {
      block.nodes.position[n] += 0.01 * random_vector(1, n);
      block.nodes.velocity[n] = random_vector(2, n);
    }
    block.method->advance(block.nodes, {0.01, 0});
    block.nodes.free = block.nodes.position;  // as contact does
    std::vector<Vec3> u(block.nodes.position.size()), w = u, both = u;
    for (int n = 0; n < block.nodes.size(); ++n) {
      u[n] = random_vector(3, n);
      w[n] = random_vector(4, n);
      both[n] = 2 * u[n] - 3 * w[n];
    }
    const std::vector<Vec3> Bu = answer(block, u), Bw = answer(block, w);
    const std::vector<Vec3> sum = answer(block, both);
    const double tolerance = exact ? 1e-10 : 1e-3;  // solves leave 1e-4 of the load
    CHECK(dot(u, Bw) == doctest::Approx(dot(w, Bu)).epsilon(tolerance));
    double worst = 0, size = 0;
    Vec3 moved = Vec3::Zero(), pushed = Vec3::Zero();
    for (int n = 0; n < block.nodes.size(); ++n) {
      worst = std::max(worst, (sum[n] - 2 * Bu[n] + 3 * Bw[n]).norm());
      size = std::max(size, sum[n].norm());
      moved += block.nodes.mass[n] * Bu[n];
      pushed += u[n];
    }
    CHECK(worst < 10 * tolerance * size);
    CHECK((moved - pushed).norm() < 1e-12 * std::sqrt(dot(u, u)));  // however well solved

    for (int trial = 0; trial < 100; ++trial) {
      double bound = 0;
      for (int n = 0; n < block.nodes.size(); ++n) {
        // Smooth loads come closest to the bound.
        u[n] = random_vector(100 + trial, trial % 2 ? n : n / 15);
        bound += block.nodes.mobility[n] * u[n].squaredNorm();
      }
      const double moves = dot(u, answer(block, u));
      CHECK(moves >= 0);
      CHECK(moves <= bound * (1 + tolerance));
    }
    const Nodes before = block.nodes;
    block.method->respond(block.nodes);
    CHECK(block.nodes.position == before.position);  // twice changes nothing
    CHECK(block.nodes.velocity == before.velocity);
    CHECK(block.nodes.previous == before.previous);
    std::fill(block.nodes.load.begin(), block.nodes.load.end(), Vec3::Zero());
    block.method->respond(block.nodes);
    CHECK(block.nodes.position == block.nodes.free);
  }
}

TEST_CASE("held nodes go where they are told and do not answer") {
  for (const Solver solver : solvers) {
    Block block({.solver = solver});
    block.hold_left();
    for (int n = 0; n < block.nodes.size(); ++n)
      if (block.nodes.held[n]) block.nodes.target[n] += Vec3(0.01, 0.02, 0);
    block.method->advance(block.nodes, {0.02, 0});
    block.nodes.free = block.nodes.position;  // as contact does
    std::vector<Vec3> load(block.nodes.position.size(), Vec3(1, 0, 0));
    answer(block, load);
    for (int n = 0; n < block.nodes.size(); ++n) {
      if (!block.nodes.held[n]) continue;
      CHECK(block.nodes.mobility[n] == 0);
      CHECK(block.nodes.position[n] == block.nodes.target[n]);
    }
    block.method->finish(block.nodes, {0.02, 0});
    for (int n = 0; n < block.nodes.size(); ++n)
      if (block.nodes.held[n]) CHECK((block.nodes.velocity[n] - Vec3(0.5, 1, 0)).norm() < 1e-12);
  }
}

TEST_CASE("momentum is kept by free bodies, angular momentum by Newton's method") {
  Block block({.solver = Solver::direct, .newton = 12}, 1e4);
  for (int n = 0; n < block.nodes.size(); ++n)
    block.nodes.velocity[n] =
        0.3 * random_vector(5, n) + Vec3(1, 0, 0) + Vec3(0, 0, 3).cross(block.nodes.position[n]);
  const Vec3 linear = momentum(block.nodes), angular = angular_momentum(block.nodes);
  for (int i = 0; i < 50; ++i) block.step(2e-4);
  CHECK((momentum(block.nodes) - linear).norm() < 1e-10 * linear.norm());
  // Backward Euler itself loses some: first order in h.
  CHECK((angular_momentum(block.nodes) - angular).norm() < 5e-3 * angular.norm());
}

TEST_CASE("conjugate gradients that stop early lose no momentum") {
  for (const double tolerance : {1e-5, 1e-2}) {
    Block block({.solver = Solver::iterative, .tolerance = tolerance, .newton = 2}, 1e4);
    for (int n = 0; n < block.nodes.size(); ++n)
      block.nodes.velocity[n] = 0.5 * random_vector(5, n) + Vec3(1, 2, -1);
    const Vec3 before = momentum(block.nodes);
    for (int i = 0; i < 50; ++i) block.step(0.01);
    CHECK((momentum(block.nodes) - before).norm() < 1e-11 * before.norm());
  }
}

TEST_CASE("no step gains energy, short or long, for every law") {
  for (const Law::Kind kind : {Law::Kind::corotated, Law::Kind::neo_hookean}) {
    for (const double h : {1e-3, 1e-2, 4e-2}) {
      Block block({.solver = Solver::direct, .newton = 8}, 1e4, 0, kind);
      for (int n = 0; n < block.nodes.size(); ++n)
        block.nodes.velocity[n] = 0.2 * random_vector(6, n);
      double before = block.energy();
      for (int i = 0; i < 20; ++i) {
        block.step(h);
        const double after = block.energy();
        CHECK(after < before * (1 + 1e-6));
        before = after;
      }
    }
  }
}

TEST_CASE("backward Euler shifts and damps a vibration as its formula says, no more") {
  // The axial vibration of the block, as one mode: measured with steps h and h / 2 the loss per
  // second is w^2 h / 2 to first order.
  const auto loss = [](double h, int newton) {
    Block block({.solver = Solver::direct, .newton = newton}, 1e5);
    block.hold_left();
    for (int n = 0; n < block.nodes.size(); ++n) {
      const double s = std::sin(0.5 * 3.14159265358979 * block.nodes.position[n].x() / 0.4);
      block.nodes.velocity[n] = block.nodes.held[n] ? Vec3(Vec3::Zero()) : Vec3(1e-3 * s, 0, 0);
    }
    const double start = block.energy();
    const int steps = int(std::lround(0.02 / h));
    for (int i = 0; i < steps; ++i) block.step(h);
    return -std::log(block.energy() / start);
  };
  const double coarse = loss(2e-4, 1), fine = loss(1e-4, 1);
  CHECK(coarse / fine == doctest::Approx(2).epsilon(0.05));
  // w = (pi / 2 L) sqrt(E / rho) = 39.3 / s for a thin bar; lateral motion changes it by a few
  // percent. Energy falls by w^2 h per second.
  CHECK(fine == doctest::Approx(39.27 * 39.27 * 1e-4 * 0.02).epsilon(0.15));
}

TEST_CASE("Rayleigh's mass damping slows a flying body, stiffness damping only its vibrations") {
  Block flying({.mass_damping = 3});
  for (Vec3& v : flying.nodes.velocity) v = {1, 0, 0};
  const double h = 0.01;
  for (int i = 0; i < 10; ++i) flying.step(h);
  CHECK(flying.nodes.velocity[7].x() == doctest::Approx(std::pow(1 + 3 * h, -10)).epsilon(1e-6));

  Block stiff({.stiffness_damping = 0.01});
  for (Vec3& v : stiff.nodes.velocity) v = {1, 0, 0};
  for (int i = 0; i < 10; ++i) stiff.step(h);
  CHECK(stiff.nodes.velocity[7].x() == doctest::Approx(1).epsilon(1e-9));
}

TEST_CASE("dynamics comes to rest where statics says, for every law") {
  for (const Law::Kind kind :
       {Law::Kind::corotated, Law::Kind::neo_hookean, Law::Kind::st_venant_kirchhoff}) {
    CAPTURE(int(kind));
    Block moving({.solver = Solver::direct, .mass_damping = 20}, 1e5, 0, kind);
    Block still({.static_residual = 1e-9}, 1e5, 0, kind);
    for (Block* block : {&moving, &still}) {
      block->hold_left();
      block->pull({0, -9.81, 0});
    }
    const StaticReport report = still.method->solve_static(still.nodes);
    CHECK(report.converged);
    for (int i = 0; i < 400; ++i) moving.step(0.02);
    double sag = 0, off = 0;
    for (int n = 0; n < still.nodes.size(); ++n) {
      sag = std::max(sag, (still.nodes.position[n] - moving.nodes.target[n]).norm());
      off = std::max(off, (still.nodes.position[n] - moving.nodes.position[n]).norm());
    }
    CHECK(off < 1e-4 * sag);
    // What holds the body carries its weight.
    std::vector<Vec3> force;
    still.method->reactions(still.nodes, force);
    Vec3 sum = Vec3::Zero();
    for (const Vec3& f : force) sum += f;
    CHECK((sum + total_mass(still.nodes) * Vec3(0, -9.81, 0)).norm() < 0.2 * 157);
  }
}

TEST_CASE("a bar pulled sideways a little and lengthwise a lot is found in few iterations") {
  // Without the turning of rotations in the tangent Newton's method diverges here.
  Block block({.static_residual = 1e-8}, 1e5);
  block.hold_left();
  for (int n = 0; n < block.nodes.size(); ++n)
    if (block.nodes.position[n].x() > 0.4 - 1e-9) block.nodes.force[n] = {200, 0.5, 0};
  const StaticReport report = block.method->solve_static(block.nodes);
  CHECK(report.converged);
  CHECK(report.load_steps == 1);
  CHECK(report.iterations <= 15);
}

TEST_CASE("a moved handle is a load like any other, brought on in steps where needed") {
  Block block({.static_residual = 1e-7});
  block.hold_left();
  for (int n = 0; n < block.nodes.size(); ++n)
    if (block.nodes.position[n].x() > 0.4 - 1e-9) {
      block.nodes.held[n] = 1;
      const Vec3 arm = block.nodes.position[n] - Vec3(0.4, 0.1, 0.1);
      block.nodes.target[n] =
          Vec3(0.45, 0.1, 0.1) + Eigen::AngleAxisd(1.5, Vec3::UnitX()) * arm;  // turned by 86 deg
    }
  const StaticReport report = block.method->solve_static(block.nodes);
  CHECK(report.converged);
  CHECK(report.residual <= 1e-7);
  for (int n = 0; n < block.nodes.size(); ++n)
    if (block.nodes.held[n])
      CHECK((block.nodes.position[n] - block.nodes.target[n]).norm() < 1e-12);
}

TEST_CASE("steps are the same on one thread and on three") {
  std::vector<std::vector<Vec3>> results;
  for (const int count : {1, 3}) {
    set_threads(count);
    for (const Solver solver : solvers) {
      Block block({.solver = solver}, 1e4, 2);
      for (int n = 0; n < block.nodes.size(); ++n)
        block.nodes.velocity[n] = 0.5 * random_vector(8, n);
      for (int i = 0; i < 5; ++i) block.step(0.01);
      results.push_back(block.nodes.position);
    }
  }
  set_threads(0);
  CHECK(results[0] == results[2]);
  CHECK(results[1] == results[3]);
}
