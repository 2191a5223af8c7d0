#include "methods/shared/galerkin/lasting_factor.h"

#include <Eigen/Dense>
#include <doctest/doctest.h>

#include "core/parallel.h"
#include "math/test_random.h"
#include "methods/shared/galerkin/hex_block.h"
#include "methods/shared/galerkin/system.h"
#include "methods/shared/instruction_set.h"

using namespace pliant;
using namespace pliant::test;
using namespace pliant::galerkin;

namespace {

/// Bricks, large enough for fronts of every kind.
struct Block {
  HexBlock block;
  Elastic elastic;
  int count;
  std::vector<double> no_mass;
  std::vector<char> held;

  explicit Block(const Eigen::Vector3i& cells = {9, 8, 7}, double poisson = 0.4)
      : block(hex_block(cells, 0.1 * cells.cast<double>())),
        elastic(block.points, {Law::from(Law::Kind::corotated, 1e5, poisson)},
                int(block.nodes.size())),
        count(int(block.nodes.size())),
        no_mass(block.nodes.size(), 0),
        held(block.nodes.size(), 0) {
    for (int n = 0; n < count; ++n) held[n] = block.nodes[n].x() < 1e-9;
    elastic.update(block.nodes);
  }
  Graph graph() const { return {elastic.points(), elastic.incidence(), count}; }
  std::vector<Vec3> field(int seed) const {
    std::vector<Vec3> x(block.nodes.size());
    for (int n = 0; n < count; ++n) x[n] = random_vector(seed, n);
    return x;
  }
};

double size_of(const std::vector<Vec3>& x) {
  double sum = 0;
  for (const Vec3& v : x) sum += v.squaredNorm();
  return std::sqrt(sum);
}

double difference(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
  std::vector<Vec3> d = a;
  for (std::size_t i = 0; i < d.size(); ++i) d[i] -= b[i];
  return size_of(d) / size_of(b);
}

}  // namespace

TEST_CASE("a dissection has every node once, and parts see only themselves and those above") {
  const Block block;
  const Graph graph = block.graph();
  for (const int leaf : {1, 20, 100, 10000}) {
    const Dissection made = dissect(graph, block.block.nodes, leaf);
    std::vector<int> part_of(block.block.nodes.size(), -1);
    for (int p = 0; p < int(made.parts.size()); ++p)
      for (int i = made.parts[p].begin; i < made.parts[p].end; ++i) {
        CHECK(part_of[made.order[i]] == -1);
        part_of[made.order[i]] = p;
      }
    CHECK(std::count(part_of.begin(), part_of.end(), -1) == 0);
    int strangers = 0;
    for (int n = 0; n < block.count; ++n)
      for (int k = graph.start[n]; k < graph.start[n + 1]; ++k) {
        const int other = part_of[graph.neighbour[k]];
        int above = part_of[n];
        while (above >= 0 && above < other) above = made.parts[above].parent;
        strangers += other >= part_of[n] && above != other ? 1 : 0;
      }
    CHECK(strangers == 0);
  }
}

TEST_CASE("the factor solves what a dense one solves, held nodes stay zero, any instruction set") {
  const Block block;
  const Graph graph = block.graph();
  const auto count = Eigen::Index(block.count);
  // Any symmetric matrix with a heavy diagonal.
  std::vector<double> entry(graph.neighbour.size());
  Eigen::MatrixXd dense = Eigen::MatrixXd::Zero(count, count);
  for (int a = 0; a < block.count; ++a)
    for (int k = graph.start[a]; k < graph.start[a + 1]; ++k) {
      const int b = graph.neighbour[k];
      entry[k] = a == b ? 12 : 2 * random_unit(5, std::uint64_t(k)) - 1;
      if (b >= a && !block.held[a] && !block.held[b]) dense(a, b) = dense(b, a) = 3 * entry[k];
    }
  std::vector<double> diagonal(block.block.nodes.size());
  for (int n = 0; n < block.count; ++n) {
    diagonal[n] = 1 + random_unit(6, std::uint64_t(n));
    dense(n, n) = block.held[n] ? 1 : dense(n, n) + diagonal[n];
  }
  const std::vector<Vec3> b = block.field(7);
  Eigen::MatrixXd right(count, 3);
  for (int n = 0; n < block.count; ++n)
    right.row(n) = (block.held[n] ? 0.0 : 1.0) * b[n].transpose();
  const Eigen::MatrixXd exact = dense.llt().solve(right);
  std::vector<Vec3> wanted(b.size()), x(b.size());
  for (int n = 0; n < block.count; ++n) wanted[n] = exact.row(n).transpose();

  for (const std::string& set : wide_instruction_sets()) {
    CAPTURE(set);
    force_instruction_set(set);
    ScalarFactor factor(graph, block.block.nodes);
    CHECK(factor.factorise(graph, entry, 3, diagonal, block.held));
    factor.solve(b, x);
    CHECK(difference(x, wanted) < 1e-5);
    for (int n = 0; n < block.count; ++n)
      if (block.held[n]) CHECK(x[n] == Vec3(Vec3::Zero()));
  }
  force_instruction_set("");
}

TEST_CASE("a matrix that is not positive is refused, one that hardly is gets a little stiffer") {
  const Block block;
  const Graph graph = block.graph();
  const std::vector<char> none(block.held.size(), 0);
  // Ones everywhere on neighbours: far from positive.
  const std::vector<double> ones(graph.neighbour.size(), 1);
  std::vector<double> diagonal(block.held.size(), 0);
  ScalarFactor factor(graph, block.block.nodes);
  CHECK_FALSE(factor.factorise(graph, ones, 1, diagonal, none));
  // A free body: translations cost nothing.
  LastingFactor lasting(block.elastic);
  CHECK(lasting.prepare(block.no_mass, 1, none, nullptr, 0));
  std::vector<Vec3> x(block.held.size());
  lasting.apply(block.field(3), x);
  CHECK(std::isfinite(size_of(x)));
}

TEST_CASE("the factor and its answers are the same on one thread and on three") {
  Block block({12, 11, 10});
  std::vector<std::vector<Vec3>> answers;
  for (const int threads : {1, 3}) {
    set_threads(threads);
    LastingFactor lasting(block.elastic);
    CHECK(lasting.prepare(block.no_mass, 1, block.held, nullptr, 0));
    answers.emplace_back(block.held.size());
    lasting.apply(block.field(3), answers.back());
  }
  set_threads(0);
  CHECK(answers[0] == answers[1]);
}

TEST_CASE("what the factor is does not depend on what it was before") {
  Block block;
  std::vector<double> mass(block.held.size(), 0.01);
  const auto answer = [&](LastingFactor& lasting, double factor) {
    CHECK(lasting.prepare(mass, factor, block.held, nullptr, 0));
    std::vector<Vec3> x(block.held.size());
    lasting.apply(block.field(3), x);
    return x;
  };
  LastingFactor used(block.elastic), fresh(block.elastic);
  answer(used, 1e-4);
  answer(used, 1.1e-4);  // near enough: the same factor
  std::vector<char> others = block.held;
  std::swap(others, block.held);
  for (int n = 0; n < block.count; ++n) block.held[n] = block.block.nodes[n].y() < 1e-9;
  answer(used, 1e-2);
  std::swap(others, block.held);
  CHECK(answer(used, 1.05e-4) == answer(fresh, 1.05e-4));
}

TEST_CASE("with the factor a finer body takes hardly more iterations, turned or not") {
  // Products go through floats either way; what is compared is the number of them.
  const auto iterations = [](const Eigen::Vector3i& cells, double angle) {
    Block block(cells);
    System system(block.elastic, Solver::iterative);
    std::vector<Vec3> x = block.block.nodes, answer(x.size(), Vec3::Zero());
    for (Vec3& p : x) p = Eigen::AngleAxisd(angle, Vec3(1, 2, 3).normalized()) * p;
    block.elastic.update(x);
    system.prepare(block.elastic, block.no_mass, 1, block.held);
    CHECK(system.has_factor());
    const std::vector<Vec3> load(x.size(), Vec3(0, -1, 0.5));
    const SolveReport report = system.solve(load, answer, 1e-4 * size_of(load));
    CHECK(report.converged);
    return report.iterations;
  };
  const int coarse = iterations({4, 4, 4}, 0), fine = iterations({12, 12, 12}, 0);
  CHECK(fine <= 1.4 * coarse);
  CHECK(std::abs(iterations({12, 12, 12}, 1.7) - fine) <= 3);
}

TEST_CASE("short steps take the blocks on the diagonal, long ones the factor; both find the same") {
  Block block({8, 8, 8});
  System system(block.elastic, Solver::iterative);
  system.set_factor_from(3);
  const std::vector<double> mass(block.held.size(), 1.0);
  const std::vector<Vec3> load = block.field(4);
  const double even = 3 * block.count / system.lasting()->trace();
  for (const double ratio : {0.9, 1.1}) {
    system.prepare(block.elastic, mass, ratio * even, block.held);
    CHECK(system.has_factor() == (ratio > 1));
    System direct(block.elastic, Solver::direct);
    direct.prepare(block.elastic, mass, ratio * even, block.held);
    std::vector<Vec3> one(load.size(), Vec3::Zero()), other = one;
    CHECK(system.solve(load, one, 1e-9 * size_of(load)).converged);
    direct.solve(load, other, 0);
    CHECK(difference(one, other) < 1e-8);
  }
}

TEST_CASE("springs that hold the skin are in the factor") {
  Block block({6, 6, 6});
  std::fill(block.held.begin(), block.held.end(), 0);
  Grips grips;
  for (int n = 0; n + 1 < block.count; ++n) {
    if (block.block.nodes[n].x() > 1e-9) continue;
    // A place between a node and the one at its side.
    grips.node.insert(grips.node.end(), {n, n + 1});
    grips.weight.insert(grips.weight.end(), {0.9, 0.1});
    grips.start.push_back(int(grips.node.size()));
    grips.stiffness.push_back(1e6);
    grips.target.push_back(block.block.nodes[n]);
    grips.direction.push_back(Vec3::Zero());
  }
  System system(block.elastic, Solver::iterative);
  system.prepare(block.elastic, block.no_mass, 1, block.held, &grips, 1);
  CHECK(system.has_factor());
  const std::vector<Vec3> load(block.held.size(), Vec3(0, -1, 0));
  std::vector<Vec3> x(load.size(), Vec3::Zero());
  const SolveReport report = system.solve(load, x, 1e-6 * size_of(load));
  CHECK(report.converged);
  CHECK(report.iterations < 60);
}
