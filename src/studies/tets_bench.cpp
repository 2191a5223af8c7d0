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

/// What a kernel took at best, and what came out.
struct Timed {
  static constexpr double unknown = std::numeric_limits<double>::infinity();
  double frame = unknown, bare = unknown, limit = unknown;  // [ms]
  int elements = 0;
  double volume = 0, energy = 0;  // of the rest volume, [J]: after the same frames for all kernels
  int runs = 0, blocks = 0;       // of a wide kernel
  double lane_fill = 0;
  std::string hash;
};

std::string row_name(const Bar& bar, const KernelName& kernel, int substeps) {
  return fmt::format("{}/{}/{}x1", bar.name, kernel.name, substeps);
}

/// A bar in memory of its own: where that lies decides several per cent of the time.
void time_once(const Bar& bar, const KernelName& kernel, int substeps, int thread_count, int frames,
               Timed& timed) {
  set_threads(thread_count);
  World world = bar_world(bar, {.young = 1e6, .substeps = substeps, .kernel = kernel.kernel});
  far_end(world).motion = stretched_and_twisted(bar);
  play(world, 2);  // away from rest, caches warm
  const Body& body = world.bodies[0];
  const Measures measures = body.method->measure(body.nodes);
  timed.elements = measures.elements;
  timed.energy = measures.elastic_energy;
  timed.volume = measures.volume / measures.rest_volume;
  timed.frame = std::min(timed.frame, fastest_of(frames, [&] { play(world, 1); }));
  timed.hash = hex(state_hash(world));
  set_threads(0);
  tets::WideSolver* solver = static_cast<tets::TetsMethod&>(*body.method).wide();
  if (!solver || thread_count > 1) return;
  const tets::WideBatches& batches = solver->batches();
  timed.runs = batches.runs(), timed.blocks = batches.blocks();
  timed.lane_fill = batches.lane_fill();
  TetsLimit limit(batches, solver->floats());
  // As many sweeps as a frame has, as often: the shorter a time, the better the chance that nothing
  // disturbs it.
  const auto sweep_frame = [&](const auto& sweep) {
    return fastest_of(frames,
                      [&] {
                        for (int s = 0; s < substeps; ++s) sweep();
                      }) /
           substeps;
  };
  timed.limit = std::min(timed.limit, sweep_frame([&] { limit.sweep(); }));
  timed.bare = std::min(
      timed.bare, sweep_frame([&] { tets::sweep_batches(batches, solver->floats(), nullptr); }));
}

BenchRow row_of(const Bar& bar, const KernelName& kernel, int substeps, int thread_count,
                const Timed& timed) {
  BenchRow row;
  row.name = row_name(bar, kernel, substeps);
  row.threads = thread_count;
  const double per_tet = 1e6 / timed.elements;  // nanoseconds
  row.add("ms/frame", timed.frame);
  row.add("ns/tet", per_tet * timed.frame / substeps);
  row.add("volume", timed.volume);
  if (timed.runs > 0) {
    row.add("bare ns/tet", per_tet * timed.bare);
    row.add("limit ns/tet", per_tet * timed.limit);
    row.add("x limit", timed.frame / (substeps * timed.limit));
    row.add("runs", timed.runs / timed.blocks);
    row.add("blocks", timed.blocks);
    row.add("lane fill", timed.lane_fill);
  }
  row.hash = timed.hash;
  return row;
}

/// One and two threads, in turns: a machine that is slower for a while is so for both.
void add_wide(const Bar& bar, const KernelName& kernel, int substeps, int repeats,
              const std::optional<Timed>& judge, std::vector<BenchRow>& rows) {
  const int turns = std::min(repeats, 5), frames = (repeats + turns - 1) / turns;
  Timed by_threads[2];
  for (int turn = 0; turn < turns; ++turn)
    for (const int thread_count : {1, 2})
      time_once(bar, kernel, substeps, thread_count, frames, by_threads[thread_count - 1]);
  for (const int thread_count : {1, 2}) {
    const Timed& timed = by_threads[thread_count - 1];
    rows.push_back(row_of(bar, kernel, substeps, thread_count, timed));
    BenchRow& row = rows.back();
    if (judge) row.add("x plain", judge->frame * substeps / 20 / timed.frame);
    if (judge && substeps == 20) row.add("energy error", timed.energy / judge->energy - 1);
    if (thread_count > 1) row.add("x 1 thread", by_threads[0].frame / timed.frame);
  }
}

std::vector<BenchRow> bars(const BenchWish& wish) {
  struct Size {
    Bar bar;
    int repeats;
  };
  // Fast ones often, so that each has its moments without disturbance.
  std::vector<Size> sizes = {{bar_1k, wish.quick ? 5 : 2000}};
  if (!wish.quick) sizes.insert(sizes.end(), {{bar_10k, 500}, {bar_100k, 50}, {bar_1m, 3}});
  std::vector<BenchRow> rows;
  for (const auto& [bar, repeats] : sizes) {
    std::optional<Timed> judge;  // judges others only where it is wanted itself
    if (wish.wants(row_name(bar, plain, 20))) {
      time_once(bar, plain, 20, 1, std::max(2, repeats / 25), judge.emplace());
      rows.push_back(row_of(bar, plain, 20, 1, *judge));
    }
    for (const KernelName& kernel : wide)
      for (const int substeps : {20, 64}) {
        if (substeps == 64 && wish.quick) continue;
        if (!wish.wants(row_name(bar, kernel, substeps))) continue;
        add_wide(bar, kernel, substeps, substeps == 20 ? repeats : std::max(2, repeats / 3), judge,
                 rows);
      }
  }
  return rows;
}

constexpr Benchmark all[] = {
    {"tets",
     "bars of tets, one sweep per substep; x plain: times faster than one tet after the other in "
     "double; bare: the projections of one sweep and nothing else, on one thread; limit: the least "
     "that a sweep of this kind can be, in another kernel that has no contact, handles, checks or "
     "care for rounding; runs: of batches that one thread solves, or threads share, without a "
     "break; energy error: against plain",
     bars}};

}  // namespace

std::span<const Benchmark> tets_benchmarks() { return all; }

}  // namespace pliant
