#include "studies/stretch_bench.h"

#include <fmt/format.h>

#include "core/parallel.h"
#include "geometry/sample/tet_block.h"
#include "studies/bars.h"
#include "studies/stopwatch.h"
#include "studies/tet_equilibrium.h"

// Bars pulled to 1.5 times their length in a third of a second, by us and by Newton's method on the
// same energy (backward Euler, one step per frame): speed is worth something only with the error.

namespace pliant {
namespace {

constexpr double young = 1e6, density = 1000, frame = 1.0 / 60, stretch = 1.5;
constexpr double poissons[] = {0.41, 0.45, 0.49, 0.495, 0.4995};

struct Pull {
  Bar bar;
  int frames;
};

struct Outcome {
  double ms = 0;      // per frame
  double volume = 0;  // ratio
  double energy = 0;  // [J]
  NewtonReport newton;
};

Outcome pull_by_newton(const Pull& pull, double poisson, LinearSolver solver) {
  const TetMesh mesh = tet_block(pull.bar.cells(), {pull.bar.length(), 1, 1});
  const std::size_t count = mesh.points.size();
  std::vector<char> held(count);
  for (std::size_t i = 0; i < count; ++i)
    held[i] = mesh.points[i].x() == 0 || mesh.points[i].x() == pull.bar.length();
  TetEnergy energy(mesh, NeoHookean::from(young, poisson), held);
  std::vector<Vec3> position = mesh.points, velocity(count, Vec3::Zero()), guess(count);
  Outcome outcome;
  const double taken = milliseconds_of([&] {
    for (int f = 1; f <= pull.frames; ++f) {
      const std::vector<Vec3> before = position;
      for (std::size_t i = 0; i < count; ++i) {
        guess[i] = position[i] + frame * velocity[i];
        if (held[i]) position[i].x() = mesh.points[i].x() * (1 + (stretch - 1) * f / pull.frames);
      }
      energy.set_inertia(density, frame, guess);
      const NewtonReport report = find_equilibrium(
          energy, position, {.step = 1e-3 / pull.bar.across, .gradient = 0, .solver = solver});
      outcome.newton.iterations += report.iterations;
      outcome.newton.linear_iterations += report.linear_iterations;
      for (std::size_t i = 0; i < count; ++i) velocity[i] = (position[i] - before[i]) / frame;
    }
  });
  outcome.ms = taken / pull.frames;
  outcome.volume = volume(TetMesh{position, mesh.tets}) / volume(mesh);
  outcome.energy = energy.elastic_energy(position);
  return outcome;
}

Outcome pull_by_tets(const Pull& pull, double poisson, int substeps) {
  Outcome outcome;
  outcome.ms = std::numeric_limits<double>::infinity();
  for (int repeat = 0; repeat < 3; ++repeat) {
    World world = bar_world(pull.bar, {.young = young, .poisson = poisson, .substeps = substeps});
    far_end(world).motion = pulled_to(stretch, pull.bar, pull.frames * frame);
    outcome.ms = std::min(outcome.ms, pace(pull.frames, [&](int) { play(world, 1); }));
    const Measures measures = world.bodies[0].method->measure(world.bodies[0].nodes);
    outcome.volume = measures.volume / measures.rest_volume;
    outcome.energy = measures.elastic_energy;
  }
  return outcome;
}

std::vector<BenchRow> stretch15(const BenchWish& wish) {
  set_threads(1);
  std::vector<Pull> pulls = {{bar_1k, 30}};
  if (!wish.quick) pulls.push_back({bar_10k, 20});
  std::vector<BenchRow> rows;
  for (const Pull& pull : pulls)
    for (const double poisson : poissons) {
      if (wish.quick && poisson != 0.49) continue;
      const std::string name = fmt::format("stretch15-{}-nu{:g}", pull.bar.name, poisson);
      if (!wish.wants(name, {"/newton-cholesky", "/newton-cg", "/20x1", "/64x1"})) continue;
      const auto add = [&](const char* how, const Outcome& outcome) -> BenchRow& {
        BenchRow& row = rows.emplace_back();
        row.name = name + "/" + how;
        row.add("ms/frame", outcome.ms);
        row.add("volume", outcome.volume);
        return row;
      };
      Outcome newton;
      newton.ms = std::numeric_limits<double>::infinity();
      for (const LinearSolver solver :
           {LinearSolver::cholesky, LinearSolver::conjugate_gradients}) {
        const bool factor = solver == LinearSolver::cholesky;
        const Outcome found = pull_by_newton(pull, poisson, solver);
        BenchRow& row = add(factor ? "newton-cholesky" : "newton-cg", found);
        row.add("newton its/frame", double(found.newton.iterations) / pull.frames);
        if (!factor) row.add("cg its/frame", double(found.newton.linear_iterations) / pull.frames);
        // The faster one is the clock, the factor's answer the truth.
        newton.ms = std::min(newton.ms, found.ms);
        if (factor) newton.volume = found.volume, newton.energy = found.energy;
      }
      for (const int substeps : {20, 64}) {
        const Outcome found = pull_by_tets(pull, poisson, substeps);
        BenchRow& row = add(substeps == 20 ? "20x1" : "64x1", found);
        row.add("volume error", found.volume / newton.volume - 1);
        row.add("energy error", found.energy / newton.energy - 1);
        row.add("x newton", newton.ms / found.ms);
      }
    }
  set_threads(0);
  return rows;
}

constexpr Benchmark all[] = {
    {"tets-stretch15",
     "bars pulled to 1.5 times, one thread, against Newton's method on the same energy; x newton: "
     "times faster than the faster of its two solvers",
     stretch15}};

}  // namespace

std::span<const Benchmark> stretch_benchmarks() { return all; }

}  // namespace pliant
