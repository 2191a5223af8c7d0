#include "studies/tets_bench.h"

#include <chrono>
#include <fmt/format.h>

#include "core/parallel.h"
#include "studies/blocks.h"

namespace pliant {
namespace {

struct Bar {
  const char* name;
  Eigen::Vector3i cells;
};

/// A bar of unit cross-section, both ends held, stretched by 5 % and twisted by 0.1 rad.
World bar_world(const Bar& bar) {
  const double length = double(bar.cells.x()) / bar.cells.y();
  World world =
      block_world({.cells = bar.cells, .size = {length, 1, 1}, .young = 1e6, .substeps = 20});
  hold(world, nodes_at(world, 0, 0));
  Handle& end = hold(world, nodes_at(world, 0, length));
  end.motion.pivot = {length, 0.5, 0.5};
  end.motion.keys = {{0, Vec3(0.05 * length, 0, 0), Quat(Eigen::AngleAxisd(0.1, Vec3::UnitX()))}};
  return world;
}

BenchRow time_bar(const Bar& bar, int threads_used, int repeats) {
  set_threads(threads_used);
  BenchRow row;
  row.name = fmt::format("{}/plain/20x1", bar.name);
  row.threads = threads_used;
  World world = bar_world(bar);
  play(world, 2);  // away from rest, caches warm
  row.ms_per_frame = std::numeric_limits<double>::infinity();
  for (int r = 0; r < repeats; ++r) {  // noise only adds time: the minimum is the honest number
    const auto start = std::chrono::steady_clock::now();
    play(world, 1);
    const std::chrono::duration<double, std::milli> taken =
        std::chrono::steady_clock::now() - start;
    row.ms_per_frame = std::min(row.ms_per_frame, taken.count());
  }
  const Measures measures = world.bodies[0].method->measure(world.bodies[0].nodes);
  row.ns_per_element = 1e6 * row.ms_per_frame / (20.0 * measures.elements);
  row.x_plain = 1;
  row.error = measures.volume / measures.rest_volume - 1;
  row.hash = hex(state_hash(world));
  set_threads(0);
  return row;
}

std::vector<BenchRow> bars(bool quick) {
  const Bar small{"bar-1k", {12, 4, 4}}, large{"bar-10k", {32, 8, 8}};
  std::vector<BenchRow> rows = {time_bar(small, 1, quick ? 5 : 25)};
  if (!quick) rows.push_back(time_bar(large, 1, 10));
  return rows;
}

constexpr Benchmark all[] = {
    {"tets", "bars of tets, 20 substeps of one sweep per 1/60 s frame", bars}};

}  // namespace

std::span<const Benchmark> tets_benchmarks() { return all; }

}  // namespace pliant
