#include "studies/tets_bench.h"

#include <chrono>
#include <fmt/format.h>
#include <limits>

#include "core/parallel.h"
#include "methods/tets/tets_method.h"
#include "studies/blocks.h"

namespace pliant {
namespace {

struct Bar {
  const char* name;
  Eigen::Vector3i cells;
  int repeats;
};
constexpr int substeps = 20;

struct KernelName {
  const char* name;
  tets::Kernel kernel;
};
constexpr KernelName kernels[] = {
    {"plain", tets::Kernel::plain}, {"tets", tets::Kernel::tets}, {"cells", tets::Kernel::cells}};

/// A bar of unit cross-section, both ends held, stretched by 5 % and twisted by 0.1 rad.
World bar_world(const Bar& bar, tets::Kernel kernel) {
  const double length = double(bar.cells.x()) / bar.cells.y();
  World world = block_world({.cells = bar.cells,
                             .size = {length, 1, 1},
                             .young = 1e6,
                             .substeps = substeps,
                             .kernel = kernel});
  hold(world, nodes_at(world, 0, 0));
  Handle& end = hold(world, nodes_at(world, 0, length));
  end.motion.pivot = {length, 0.5, 0.5};
  end.motion.keys = {{0, Vec3(0.05 * length, 0, 0), Quat(Eigen::AngleAxisd(0.1, Vec3::UnitX()))}};
  return world;
}

/// Milliseconds; noise only adds time, so the minimum is the honest number.
double fastest_of(int repeats, const auto& work) {
  double best = std::numeric_limits<double>::infinity();
  for (int r = 0; r < repeats; ++r) {
    const auto start = std::chrono::steady_clock::now();
    work();
    const std::chrono::duration<double, std::milli> taken =
        std::chrono::steady_clock::now() - start;
    best = std::min(best, taken.count());
  }
  return best;
}

BenchRow time_bar(const Bar& bar, const KernelName& kernel, int thread_count) {
  set_threads(thread_count);
  BenchRow row;
  row.name = fmt::format("{}/{}/{}x1", bar.name, kernel.name, substeps);
  row.threads = thread_count;
  World world = bar_world(bar, kernel.kernel);
  play(world, 2);  // away from rest, caches warm
  row.ms_per_frame = fastest_of(bar.repeats, [&] { play(world, 1); });
  const Body& body = world.bodies[0];
  const Measures measures = body.method->measure(body.nodes);
  row.ns_per_element = 1e6 * row.ms_per_frame / (double(substeps) * measures.elements);
  row.error = measures.volume / measures.rest_volume - 1;
  row.hash = hex(state_hash(world));
  // The limit: nothing but the projections of one sweep, on one thread.
  if (tets::WideSolver* wide = static_cast<tets::TetsMethod&>(*body.method).wide()) {
    const double sweep = fastest_of(
        5 * bar.repeats, [&] { tets::sweep_batches(wide->batches(), wide->floats(), nullptr); });
    row.x_limit = row.ms_per_frame / (substeps * sweep);
    row.lane_fill = wide->batches().lane_fill();
    row.colors = wide->batches().colors();
  }
  set_threads(0);
  return row;
}

std::vector<BenchRow> bars(bool quick) {
  std::vector<Bar> list = {{"bar-1k", {12, 4, 4}, quick ? 5 : 50}};
  if (!quick) {
    list.push_back({"bar-10k", {32, 8, 8}, 15});
    list.push_back({"bar-100k", {80, 16, 16}, 4});
  }
  std::vector<BenchRow> rows;
  for (const Bar& bar : list) {
    double plain = 0;
    for (const KernelName& kernel : kernels)
      for (const int thread_count : {1, 2}) {
        const bool is_plain = kernel.kernel == tets::Kernel::plain;
        if (is_plain && thread_count > 1) continue;  // it sweeps on one thread only
        BenchRow row = time_bar(bar, kernel, thread_count);
        if (is_plain) plain = row.ms_per_frame;
        row.x_plain = plain / row.ms_per_frame;
        rows.push_back(std::move(row));
      }
  }
  return rows;
}

constexpr Benchmark all[] = {
    {"tets", "bars of tets, 20 substeps of one sweep per 1/60 s frame", bars}};

}  // namespace

std::span<const Benchmark> tets_benchmarks() { return all; }

}  // namespace pliant
