#include "studies/tets_bench.h"

#include <fmt/format.h>
#include <optional>

#include "core/parallel.h"
#include "methods/tets/tets_method.h"
#include "studies/bars.h"
#include "studies/stopwatch.h"
#include "studies/tets_limit.h"

// Bars of tets: the whole frame against the plain version and against its bare projections.

namespace pliant {
namespace {

struct KernelName {
  const char* name;
  tets::Kernel kernel;
};
constexpr KernelName plain = {"plain", tets::Kernel::plain};
constexpr KernelName wide[] = {{"tets", tets::Kernel::tets}, {"cells", tets::Kernel::cells}};

struct Timed {
  BenchRow row;
  double ms = 0;
  double energy = 0;  // [J] after the same frames for all kernels
};

std::string row_name(const Bar& bar, const KernelName& kernel, int substeps) {
  return fmt::format("{}/{}/{}x1", bar.name, kernel.name, substeps);
}

Timed time_bar(const Bar& bar, const KernelName& kernel, int substeps, int thread_count,
               int repeats) {
  set_threads(thread_count);
  World world = bar_world(bar, {.young = 1e6, .substeps = substeps, .kernel = kernel.kernel});
  far_end(world).motion = stretched_and_twisted(bar);
  play(world, 2);  // away from rest, caches warm
  const Body& body = world.bodies[0];
  const Measures measures = body.method->measure(body.nodes);
  Timed timed;
  timed.energy = measures.elastic_energy;
  // In turns: a machine that is slower for a while is so for all.
  tets::WideSolver* solver = static_cast<tets::TetsMethod&>(*body.method).wide();
  std::optional<TetsLimit> limit;
  if (solver) limit.emplace(solver->batches(), solver->floats());
  const int turns = std::min(repeats, 5), frames = (repeats + turns - 1) / turns;
  double least = std::numeric_limits<double>::infinity(), bare = least;
  timed.ms = least;
  for (int turn = 0; turn < turns; ++turn) {
    timed.ms = std::min(timed.ms, fastest_of(frames, [&] { play(world, 1); }));
    if (!solver) continue;
    const int sweeps = std::max(5 * frames, 8);
    least = std::min(least, fastest_of(sweeps, [&] { limit->sweep(); }));
    bare = std::min(bare, fastest_of(sweeps, [&] {
                      tets::sweep_batches(solver->batches(), solver->floats(), nullptr);
                    }));
  }
  BenchRow& row = timed.row;
  row.name = row_name(bar, kernel, substeps);
  row.threads = thread_count;
  row.add("ms/frame", timed.ms);
  row.add("ns/tet", 1e6 * timed.ms / (double(substeps) * measures.elements));
  if (solver) {
    row.add("bare ns/tet", 1e6 * bare / measures.elements);
    row.add("limit ns/tet", 1e6 * least / measures.elements);
    if (thread_count == 1) row.add("x limit", timed.ms / (substeps * least));
    row.add("colors", solver->batches().colors() / solver->batches().blocks());
    row.add("blocks", solver->batches().blocks());
    row.add("lane fill", solver->batches().lane_fill());
  }
  row.add("volume", measures.volume / measures.rest_volume);
  row.hash = hex(state_hash(world));
  set_threads(0);
  return timed;
}

std::vector<BenchRow> bars(const BenchWish& wish) {
  struct Size {
    Bar bar;
    int repeats;
  };
  std::vector<Size> sizes = {{bar_1k, wish.quick ? 5 : 300}};
  if (!wish.quick) sizes.insert(sizes.end(), {{bar_10k, 60}, {bar_100k, 12}, {bar_1m, 3}});
  std::vector<BenchRow> rows;
  for (const auto& [bar, repeats] : sizes) {
    std::optional<Timed> judge;  // judges others only where it is wanted itself
    if (wish.wants(row_name(bar, plain, 20))) {
      judge = time_bar(bar, plain, 20, 1, std::max(2, repeats / 15));
      rows.push_back(judge->row);
    }
    for (const KernelName& kernel : wide)
      for (const int substeps : {20, 64}) {
        if (substeps == 64 && wish.quick) continue;
        if (!wish.wants(row_name(bar, kernel, substeps))) continue;
        double one_thread = 0;
        for (const int thread_count : {1, 2}) {
          Timed timed = time_bar(bar, kernel, substeps, thread_count,
                                 substeps == 20 ? repeats : std::max(2, repeats / 3));
          if (thread_count == 1) one_thread = timed.ms;
          if (judge) timed.row.add("x plain", judge->ms * substeps / 20 / timed.ms);
          if (thread_count > 1) timed.row.add("x 1 thread", one_thread / timed.ms);
          if (judge && substeps == 20)
            timed.row.add("energy error", timed.energy / judge->energy - 1);
          rows.push_back(std::move(timed.row));
        }
      }
  }
  return rows;
}

constexpr Benchmark all[] = {
    {"tets",
     "bars of tets, one sweep per substep; x plain: times faster than one tet after the other in "
     "double; bare: the projections of one sweep and nothing else, on one thread; limit: the least "
     "that a sweep of this kind can be, in another kernel that has no contact, handles, checks or "
     "care for rounding; energy error: against plain",
     bars}};

}  // namespace

std::span<const Benchmark> tets_benchmarks() { return all; }

}  // namespace pliant
