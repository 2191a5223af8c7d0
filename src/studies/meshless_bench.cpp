#include "studies/meshless_bench.h"

#include <fmt/format.h>

#include "core/parallel.h"
#include "core/random.h"
#include "geometry/mesh/primitives.h"
#include "methods/meshless/meshless.h"
#include "studies/stopwatch.h"

namespace pliant {
namespace {

/// What a 16-wide kernel was measured to need for one point of 32 nodes, in floats, on one core.
constexpr double limit_ns = 71;

Body block(const Eigen::Vector3i& cells, double poisson) {
  Solid solid;
  solid.name = "block";
  solid.surface = box_mesh(0.05 * cells.cast<double>(), 0.05);
  solid.material = elastic_material(1e5, poisson);
  meshless::Settings settings;
  settings.spacing = 0.05;
  settings.rules.solver = galerkin::Solver::iterative;
  return settings.create(solid);
}

std::vector<Vec3> random_field(int count) {
  std::vector<Vec3> field(static_cast<std::size_t>(count));
  for (int n = 0; n < count; ++n)
    for (int d = 0; d < 3; ++d) field[n][d] = 2 * random_unit(7, 3 * n + d) - 1;
  return field;
}

/// The stiffness as rows of 3 x 3 blocks: what solvers that need a matrix multiply with.
struct BlockRows {
  galerkin::Graph graph;
  std::vector<Mat3> block;

  BlockRows(const galerkin::Elastic& elastic)
      : graph(elastic.points(), elastic.incidence(), elastic.nodes()),
        block(graph.neighbour.size(), Mat3::Zero()) {
    std::vector<int> slot(std::size_t(elastic.nodes()));
    for (int a = 0; a < elastic.nodes(); ++a) {
      for (int k = graph.start[a]; k < graph.start[a + 1]; ++k) slot[graph.neighbour[k]] = k;
      elastic.add_upper_row(a, slot.data(), block.data());
    }
    for (int a = 0; a < elastic.nodes(); ++a)  // the lower triangle
      for (int k = graph.start[a]; k < graph.start[a + 1]; ++k) {
        const int b = graph.neighbour[k];
        if (b >= a) break;
        const auto row = graph.neighbour.begin() + graph.start[b];
        const auto end = graph.neighbour.begin() + graph.start[b + 1];
        block[k] = block[std::lower_bound(row, end, a) - graph.neighbour.begin()].transpose();
      }
  }
  void multiply(const std::vector<Vec3>& x, std::vector<Vec3>& y) const {
    for (std::size_t a = 0; a + 1 < graph.start.size(); ++a) {
      Vec3 sum = Vec3::Zero();
      for (int k = graph.start[a]; k < graph.start[a + 1]; ++k)
        sum += block[k] * x[graph.neighbour[k]];
      y[a] = sum;
    }
  }
};

/// Times of one body on one thread: products, a solve, a step.
void add_rows(const char* name, const Eigen::Vector3i& cells, double poisson, int repeats,
              std::vector<BenchRow>& rows) {
  Body body = block(cells, poisson);
  galerkin::GalerkinMethod& method = meshless::method_of(body);
  galerkin::Elastic& elastic = method.elastic();
  galerkin::System& system = method.system();
  const int count = body.nodes.size(), points = elastic.points().size();
  for (int n = 0; n < count; ++n) {
    body.nodes.held[n] = body.nodes.position[n].y() < -0.025 * cells.y() + 1e-9;
    body.nodes.target[n] = body.nodes.position[n];
    body.nodes.force[n] = body.nodes.mass[n] * Vec3(0, -9.81, 0);
  }
  const auto row = [&](const std::string& what, double ms, double per_point) {
    BenchRow r;
    r.name = fmt::format("{}/{}", name, what);
    r.add("ms", ms);
    if (per_point > 0) {
      r.add("ns/point", 1e6 * per_point / points);
      r.add("x limit", 1e6 * per_point / points / limit_ns);
    }
    rows.push_back(r);
    return &rows.back();
  };

  elastic.update(body.nodes.position);
  system.prepare(elastic, std::vector<double>(body.nodes.position.size(), 0), 1, body.nodes.held);
  const std::vector<Vec3> x = random_field(count);
  std::vector<Vec3> y(x.size()), z(x.size());
  const double fast = fastest_of(5 * repeats, [&] { system.multiply_fast(x, y); });
  const double plain = fastest_of(repeats, [&] { system.multiply(x, z); });
  double error = 0, size = 0;
  for (int n = 0; n < count; ++n)
    if (!body.nodes.held[n]) {
      error += (y[n] - z[n]).squaredNorm();
      size += z[n].squaredNorm();
    }
  BenchRow* product = row("product", fast, fast);
  product->add("x plain", plain / fast);
  product->add("error", std::sqrt(error / size));
  if (count < 12000) {  // memory: 125 blocks of 72 bytes per node
    const BlockRows matrix(elastic);
    const double assembled = fastest_of(repeats, [&] { matrix.multiply(x, z); });
    row("assembled matrix", assembled, assembled)->add("x plain", plain / assembled);
  }

  std::vector<Vec3> b(body.nodes.force);
  double load = 0;
  for (int n = 0; n < count; ++n)
    if (!body.nodes.held[n]) load += b[n].squaredNorm();
  galerkin::SolveReport solved;
  const double solve = fastest_of(std::max(1, repeats / 5), [&] {
    std::fill(y.begin(), y.end(), Vec3::Zero());
    solved = system.solve(b, y, 1e-4 * std::sqrt(load));
  });
  BenchRow* linear =
      row(fmt::format("static solve 1e-4, nu {}, {} iterations", poisson, solved.iterations), solve,
          solve / std::max(1, solved.iterations));
  linear->add("error", solved.residual / std::sqrt(load));

  const Substep substep{0.01, 0};
  for (int i = 0; i < 3; ++i) {
    method.advance(body.nodes, substep);
    method.finish(body.nodes, substep);
  }
  const double step = fastest_of(std::max(1, repeats / 3), [&] {
    method.advance(body.nodes, substep);
    method.finish(body.nodes, substep);
  });
  Archive state = Archive::hashing();
  body.archive(state);
  row(fmt::format("step of 10 ms, {} iterations", method.last_iterations()), step, 0)->hash =
      hex(state.hash());
}

std::vector<BenchRow> blocks(bool quick) {
  std::vector<BenchRow> rows;
  set_threads(1);
  add_rows("825", {4, 10, 4}, 0.45, 20, rows);
  add_rows("3k", {9, 9, 9}, 0.45, 20, rows);
  if (!quick) {
    add_rows("28k", {20, 20, 20}, 0.45, 10, rows);
    add_rows("28k", {20, 20, 20}, 0.49, 10, rows);
    add_rows("100k", {31, 31, 31}, 0.45, 3, rows);
  }
  set_threads(0);
  return rows;
}

constexpr Benchmark all[] = {
    {"meshless", "blocks of particles, one thread: products with the stiffness, solves, steps",
     blocks}};

}  // namespace

std::span<const Benchmark> meshless_benchmarks() { return all; }

}  // namespace pliant
