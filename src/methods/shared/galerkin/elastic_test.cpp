#include "methods/shared/galerkin/elastic.h"

#include <doctest/doctest.h>
#include <hwy/targets.h>

#include "core/parallel.h"
#include "core/random.h"
#include "methods/shared/galerkin/hex_block.h"
#include "methods/shared/galerkin/system.h"

using namespace pliant;
using namespace pliant::galerkin;

namespace {

constexpr Law::Kind kinds[] = {Law::Kind::corotated, Law::Kind::neo_hookean,
                               Law::Kind::st_venant_kirchhoff};

struct Fixture {
  HexBlock block = hex_block({4, 3, 2}, {0.4, 0.3, 0.25});
  Elastic elastic;
  explicit Fixture(Law::Kind kind)
      : elastic(block.points, {Law::from(kind, 1e5, 0.4)}, int(block.nodes.size())) {}

  /// Moved about at random by up to `size` metres.
  std::vector<Vec3> shaken(double size, int seed = 1) const {
    std::vector<Vec3> x = block.nodes;
    for (std::size_t n = 0; n < x.size(); ++n)
      for (int d = 0; d < 3; ++d) x[n][d] += size * (2 * random_unit(seed, 3 * n + d) - 1);
    return x;
  }
  std::vector<Vec3> field(int seed) const {
    std::vector<Vec3> x(block.nodes.size());
    for (std::size_t n = 0; n < x.size(); ++n)
      for (int d = 0; d < 3; ++d) x[n][d] = 2 * random_unit(seed, 3 * n + d) - 1;
    return x;
  }
};

double dot(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i].dot(b[i]);
  return sum;
}

std::vector<Vec3> forces(const Elastic& elastic) {
  std::vector<Vec3> f(std::size_t(elastic.nodes()));
  elastic.forces(f);
  return f;
}

double difference(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]).squaredNorm();
  return std::sqrt(sum / dot(b, b));
}

}  // namespace

TEST_CASE("bricks are consistent") {
  const HexBlock block = hex_block({4, 3, 2}, {0.4, 0.3, 0.25});
  CHECK(consistency(block.points, block.nodes, 0.1).worst() < 1e-12);
}

TEST_CASE("forces are the gradient of the energy and sum to nothing, no turning either") {
  for (const Law::Kind kind : kinds) {
    Fixture f(kind);
    const std::vector<Vec3> x = f.shaken(0.02), d = f.field(2);
    const double eps = 1e-6;
    const auto energy = [&](double along) {
      std::vector<Vec3> y = x;
      for (std::size_t n = 0; n < y.size(); ++n) y[n] += along * d[n];
      f.elastic.update(y);
      return f.elastic.energy();
    };
    const double slope = (energy(eps) - energy(-eps)) / (2 * eps);
    f.elastic.update(x);
    const std::vector<Vec3> pull = forces(f.elastic);
    CHECK(dot(pull, d) == doctest::Approx(slope).epsilon(1e-6));
    Vec3 sum = Vec3::Zero(), torque = Vec3::Zero();
    for (std::size_t n = 0; n < x.size(); ++n) {
      sum += pull[n];
      torque += x[n].cross(pull[n]);
    }
    const double size = std::sqrt(dot(pull, pull));
    CHECK(sum.norm() < 1e-12 * size);
    CHECK(torque.norm() < 1e-12 * size);
  }
}

TEST_CASE("a body that is only turned and moved feels no force") {
  for (const Law::Kind kind : kinds) {
    Fixture f(kind);
    const Quat turn(Eigen::AngleAxisd(2.5, Vec3(1, -2, 0.5).normalized()));
    std::vector<Vec3> x = f.block.nodes;
    for (Vec3& p : x) p = turn * p + Vec3(100, 3, -40);
    f.elastic.update(x);
    // Against what a strain of one would give: places 100 m away are known to 1e-14 m.
    CHECK(std::sqrt(dot(forces(f.elastic), forces(f.elastic))) < 1e-11 * 1e5 * 0.3 * 0.3);
  }
}

TEST_CASE("three ways to multiply agree: double, floats, and the assembled matrix") {
  for (const Law::Kind kind : kinds) {
    CAPTURE(int(kind));
    Fixture f(kind);
    f.elastic.update(f.shaken(0.01));
    std::vector<double> mass(f.block.nodes.size(), 0.7);
    std::vector<char> held(f.block.nodes.size(), 0);
    for (int n = 0; n < 10; ++n) held[n] = 1;
    const std::vector<Vec3> b = f.field(5);
    System direct(f.elastic, Solver::direct), iterative(f.elastic, Solver::iterative);
    direct.prepare(f.elastic, mass, 1e-3, held);
    std::vector<Vec3> x(b.size(), Vec3::Zero()), y = x, product = x;
    for (int n = 0; n < 10; ++n) x[n] = y[n] = Vec3(0.1, 0, n);  // prescribed
    const SolveReport first = direct.solve(b, x, 0);
    CHECK(first.residual < 1e-9);
    iterative.prepare(f.elastic, mass, 1e-3, held);
    const SolveReport second = iterative.solve(b, y, 1e-10);
    CHECK(second.converged);
    CHECK(difference(y, x) < 1e-10);

    std::vector<Vec3> step = f.field(6);
    for (int n = 0; n < 10; ++n) step[n].setZero();
    iterative.multiply(step, product);
    for (int n = 0; n < 10; ++n) product[n].setZero();
    iterative.multiply_fast(step, y);
    CHECK(difference(y, product) < 1e-6);
    CHECK(difference(y, product) > 0);  // it does go through floats
  }
}

TEST_CASE("inside a regular grid all bundles have one pattern") {
  const HexBlock block = hex_block({5, 4, 3}, {0.5, 0.4, 0.3});
  const Elastic elastic(block.points, {Law::from(Law::Kind::corotated, 1e5, 0.4)},
                        int(block.nodes.size()));
  const WideStiffness wide(elastic);
  CHECK(wide.bundles() == 60);
  CHECK(wide.patterns() == 1);
}

TEST_CASE("forces and solves are the same on one thread and on three") {
  std::vector<std::vector<Vec3>> results;
  for (const int count : {1, 3}) {
    set_threads(count);
    Fixture f(Law::Kind::corotated);
    f.elastic.update(f.shaken(0.02));
    results.push_back(forces(f.elastic));
    for (const Solver solver : {Solver::direct, Solver::iterative}) {
      System system(f.elastic, solver);
      system.prepare(f.elastic, std::vector<double>(f.block.nodes.size(), 1.0), 1e-3,
                     std::vector<char>(f.block.nodes.size(), 0));
      std::vector<Vec3> x(f.block.nodes.size(), Vec3::Zero());
      system.solve(f.field(9), x, 1e-6);
      results.push_back(x);
    }
  }
  set_threads(0);
  for (int i = 0; i < 3; ++i) CHECK(results[i] == results[i + 3]);
}

TEST_CASE("the fast product is right with every instruction set this machine has") {
  for (const Law::Kind kind : {Law::Kind::corotated, Law::Kind::neo_hookean}) {
    Fixture f(kind);
    f.elastic.update(f.shaken(0.01));
    f.elastic.keep_tangents();
    const std::vector<Vec3> x = f.field(3);
    std::vector<Vec3> plain(x.size()), fast(x.size());
    f.elastic.multiply(x, plain);
    int tried = 0;
    for (const std::int64_t target : {std::int64_t(HWY_AVX3), std::int64_t(HWY_AVX2),
                                      std::int64_t(HWY_SSE4), std::int64_t(HWY_EMU128)}) {
      hwy::SetSupportedTargetsForTest(0);
      if ((hwy::SupportedTargets() & target) == 0) continue;
      CAPTURE(hwy::TargetName(target));
      hwy::SetSupportedTargetsForTest(target);
      WideStiffness wide(f.elastic);
      wide.set_tangents(f.elastic);
      wide.multiply(x, fast);
      CHECK(difference(fast, plain) < 1e-6);
      ++tried;
    }
    hwy::SetSupportedTargetsForTest(0);
    CHECK(tried > 0);
  }
}
