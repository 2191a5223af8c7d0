#include "studies/meshless_bench.h"

#include <fmt/format.h>
#include <limits>
#include <optional>

#include "core/parallel.h"
#include "core/random.h"
#include "geometry/mesh/primitives.h"
#include "methods/meshless/meshless.h"
#include "studies/drop.h"
#include "studies/stopwatch.h"
#include "studies/supernodal.h"

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
  settings.law = galerkin::Law::Kind::corotated;
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

/// A block that stands on held particles under its weight, and its rows of the table.
class Bench {
 public:
  Bench(const char* name, const Eigen::Vector3i& cells, double poisson, int repeats,
        std::vector<BenchRow>& rows);

  void products();
  void iterations(double chosen);
  /// Of K x = weight to 1e-4, with the factor of the preconditioner at hand and without, and
  /// CHOLMOD's factorisation beside it where that is there.
  void solves(int threads, bool with_peer);
  void steps();

 private:
  BenchRow& row(const std::string& what, double ms, double per_product = 0);
  void prepare();

  const char* name_;
  double poisson_;
  int repeats_;
  std::vector<BenchRow>& rows_;
  Body body_;
  galerkin::GalerkinMethod& method_;
  galerkin::Elastic& elastic_;
  const int count_;
  double load_ = 0;
};

Bench::Bench(const char* name, const Eigen::Vector3i& cells, double poisson, int repeats,
             std::vector<BenchRow>& rows)
    : name_(name),
      poisson_(poisson),
      repeats_(repeats),
      rows_(rows),
      body_(block(cells, poisson)),
      method_(meshless::method_of(body_)),
      elastic_(method_.elastic()),
      count_(body_.nodes.size()) {
  Nodes& nodes = body_.nodes;
  for (int n = 0; n < count_; ++n) {
    nodes.held[n] = nodes.position[n].y() < -0.025 * cells.y() + 1e-9;
    nodes.target[n] = nodes.position[n];
    nodes.force[n] = nodes.mass[n] * Vec3(0, -9.81, 0);
    if (!nodes.held[n]) load_ += nodes.force[n].squaredNorm();
  }
  load_ = std::sqrt(load_);
  elastic_.update(nodes.position);
}

BenchRow& Bench::row(const std::string& what, double ms, double per_product) {
  const int points = elastic_.points().size();
  BenchRow r;
  r.name = fmt::format("{}/{}", name_, what);
  r.threads = threads();
  r.add("ms", ms);
  if (per_product > 0) {
    r.add("ns/point", 1e6 * per_product / points);
    r.add("x limit", 1e6 * per_product / points / limit_ns);
  }
  rows_.push_back(r);
  return rows_.back();
}

void Bench::prepare() {
  const std::vector<double> no_mass(std::size_t(count_), 0);
  method_.system().prepare(elastic_, no_mass, 1, body_.nodes.held);
}

void Bench::products() {
  prepare();
  galerkin::System& system = method_.system();
  const std::vector<Vec3> x = random_field(count_);
  std::vector<Vec3> y(x.size()), z(x.size());
  std::optional<BlockRows> matrix;
  if (count_ <= 12000) matrix.emplace(elastic_);  // memory: 125 blocks of 72 bytes per node
  // In turns: another program on the same core slows one down more than the other.
  double fast = std::numeric_limits<double>::infinity(), assembled = fast;
  for (int round = 0; round < 10; ++round) {
    fast = std::min(fast, fastest_of(repeats_, [&] { system.multiply_fast(x, y); }));
    if (matrix)
      assembled = std::min(assembled, fastest_of(repeats_, [&] { matrix->multiply(x, z); }));
  }
  const double plain = fastest_of(repeats_, [&] { system.multiply(x, z); });
  double error = 0, size = 0;
  for (int n = 0; n < count_; ++n)
    if (!body_.nodes.held[n]) {
      error += (y[n] - z[n]).squaredNorm();
      size += z[n].squaredNorm();
    }
  BenchRow& product = row("product", fast, fast);
  product.add("x plain", plain / fast);
  product.add("error", std::sqrt(error / size));
  if (matrix) row("assembled matrix", assembled, assembled).add("x plain", plain / assembled);
}

void Bench::solves(int threads, bool with_peer) {
  set_threads(threads);
  galerkin::System& system = method_.system();
  std::optional<SupernodalTimes> peer;
  if (with_peer) peer = time_supernodal(elastic_, body_.nodes.held, threads);
  if (peer) {
    row(fmt::format("CHOLMOD with {} kernels, factor of {:.2g} numbers", peer->kernels,
                    peer->numbers),
        peer->factorise);
    row("CHOLMOD, a solve with that factor", peer->solve);
  }
  std::vector<Vec3> y(body_.nodes.position.size());
  galerkin::SolveReport solved;
  const auto solve = [&] {
    std::fill(y.begin(), y.end(), Vec3::Zero());
    solved = system.solve(body_.nodes.force, y, 1e-4 * load_);
  };
  const auto report = [&](const char* what, double ms) {
    BenchRow& r =
        row(fmt::format("{} 1e-4, nu {}, {} iterations", what, poisson_, solved.iterations), ms);
    r.add("error", solved.residual / load_);
    if (peer) r.add("x CHOLMOD", peer->factorise / ms);
  };
  const int times = std::max(1, repeats_ / 5);
  const double first = fastest_of(times, [&] {
    if (system.lasting()) system.lasting()->forget();
    prepare();
    solve();
  });
  report("first static solve", first);
  prepare();
  const double again = fastest_of(times, solve);
  report("static solve", again);
  if (threads == 1 && solved.iterations > 0) iterations(again / solved.iterations);
  set_threads(1);
}

/// What one iteration costs: with what is chosen, and with the cheapest preconditioner, which needs
/// many more.
void Bench::iterations(double chosen) {
  row("iteration as chosen", chosen, chosen);
  galerkin::System& system = method_.system();
  const double from = system.factor_from();
  system.set_factor_from(std::numeric_limits<double>::infinity());
  prepare();
  std::vector<Vec3> y(body_.nodes.position.size(), Vec3::Zero());
  galerkin::SolveReport solved;
  const double ms =
      fastest_of(1, [&] { solved = system.solve(body_.nodes.force, y, 1e-4 * load_); });
  if (solved.iterations > 0)
    row("iteration with blocks on the diagonal", ms / solved.iterations, ms / solved.iterations);
  system.set_factor_from(from);
  prepare();
}

void Bench::steps() {
  const Substep substep{0.01, 0};
  const auto step = [&] {
    method_.advance(body_.nodes, substep);
    method_.finish(body_.nodes, substep);
  };
  for (int i = 0; i < 3; ++i) step();
  const double ms = fastest_of(std::max(1, repeats_ / 3), step);
  Archive state = Archive::hashing();
  body_.archive(state);
  row(fmt::format("step of 10 ms, {} iterations", method_.last_iterations()), ms).hash =
      hex(state.hash());
}

void add_rows(const char* name, const Eigen::Vector3i& cells, double poisson, int repeats,
              bool with_peer, std::vector<BenchRow>& rows) {
  Bench bench(name, cells, poisson, repeats, rows);
  bench.products();
  bench.solves(1, with_peer);
  if (with_peer) bench.solves(2, with_peer);
  bench.steps();
}

Material preset(const char* name) {
  Material material;
  material.preset = name;
  return completed(material, 0.2, 9.81);
}

/// Spheres dropped by both methods, from the fall until they lie.
void add_drops(const BenchWish& wish, std::vector<BenchRow>& rows) {
  for (const char* material : {"jelly", "soft_rubber"})
    for (const int nodes : {300, 1000}) {
      const std::string name = fmt::format("drop-{}/{}", nodes, material);
      if (!wish.wants(name)) continue;
      Drop drop{.material = preset(material), .nodes = nodes, .frames = wish.quick ? 30 : 120};
      const DropResult ours = watch(drop);
      drop.method = "tets";
      const DropResult tets = watch(drop);
      BenchRow row;
      row.name = name;
      row.add("ms", ours.mean_ms());
      row.add("x tets", ours.mean_ms() / tets.mean_ms());
      row.add("contact share", ours.contact_share());
      rows.push_back(row);
    }
}

/// A thousand particles that lie on the ground, two threads.
void add_resting(const BenchWish& wish, std::vector<BenchRow>& rows) {
  for (const char* material : {"jelly", "soft_rubber"}) {
    const std::string name = fmt::format("lying-1000/{}", material);
    if (!wish.wants(name)) continue;
    set_threads(2);
    const DropResult seen =
        watch({.material = preset(material), .nodes = 1000, .frames = wish.quick ? 60 : 240});
    set_threads(1);
    double ms = 0;
    for (std::size_t f = seen.ms.size() - 30; f < seen.ms.size(); ++f) ms += seen.ms[f] / 30;
    BenchRow row;
    row.name = name;
    row.threads = 2;
    row.add("ms", ms);
    row.add("frames/s", 1e3 / ms);
    rows.push_back(row);
  }
}

/// What it costs a body that substeps are many because another one needs them.
void add_mixed(const BenchWish& wish, std::vector<BenchRow>& rows) {
  if (!wish.wants("mixed-300/soft_rubber")) return;
  Drop drop{.material = preset("soft_rubber"), .nodes = 300, .frames = wish.quick ? 30 : 60};
  const double alone = watch(drop).mean_ms();
  drop.substeps = 60;
  const double mixed = watch(drop).mean_ms();
  BenchRow row;
  row.name = "mixed-300/soft_rubber, 60 substeps";
  row.add("ms", mixed);
  row.add("x alone", mixed / alone);
  rows.push_back(row);
}

std::vector<BenchRow> blocks(const BenchWish& wish) {
  std::vector<BenchRow> rows;
  set_threads(1);
  add_drops(wish, rows);
  add_resting(wish, rows);
  add_mixed(wish, rows);
  if (wish.wants("825")) add_rows("825", {4, 10, 4}, 0.45, 100, false, rows);
  if (wish.wants("3k")) add_rows("3k", {9, 9, 9}, 0.45, 60, false, rows);
  if (!wish.quick && wish.rows.empty()) {
    add_rows("28k", {20, 20, 20}, 0.45, 10, true, rows);
    add_rows("28k", {20, 20, 20}, 0.49, 10, false, rows);
    add_rows("100k", {31, 31, 31}, 0.45, 3, false, rows);
  }
  set_threads(0);
  return rows;
}

constexpr Benchmark all[] = {
    {"meshless",
     "bodies of particles dropped, beside tets; products with the stiffness, solves, steps",
     blocks}};

}  // namespace

std::span<const Benchmark> meshless_benchmarks() { return all; }

}  // namespace pliant
