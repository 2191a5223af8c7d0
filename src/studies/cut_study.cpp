#include "studies/cut_study.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "core/hash.h"
#include "core/parallel.h"
#include "geometry/cut/cut_cells.h"
#include "geometry/mesh/fish.h"
#include "methods/groups/groups_method.h"
#include "studies/blocks.h"
#include "studies/stopwatch.h"

namespace pliant {
namespace {

constexpr int counts[] = {840, 195};

const TriangleMesh& fish() {
  static const TriangleMesh mesh = fish_mesh(1, 0.0107);
  return mesh;
}

Body fish_body(int cells, double young, double damping) {
  Solid solid;
  solid.name = "fish";
  solid.surface = fish();
  solid.material = elastic_material(young, 0.45, 1000, damping);
  groups::Settings settings;
  settings.cells = cells;
  settings.cut = true;
  return settings.create(solid);
}

/// Cut: volumes, particles, time.
PaperRow cells(bool) {
  PaperRow row;
  row.expected = "< 1e-9, 0, < 1 s";
  row.met = true;
  for (const int count : counts) {
    CutResult result;
    const double ms = milliseconds_of([&] { result = cut_into_about(fish(), count); });
    double sum = 0;
    for (const CutCells::Cell& cell : result.cells.cells) sum += cell.volume;
    const double error = std::abs(sum / volume(fish()) - 1);
    const Body body = fish_body(count, 1e5, 2);
    double off = 0;  // of a vertex from its particle
    for (std::size_t v = 0; v < fish().points.size(); ++v)
      off = std::max(off, (body.nodes.position[v] - fish().points[v]).norm());
    row.ours += fmt::format("{}{} cells: {:.0e}, {:.0e}, {:.2f} s", row.ours.empty() ? "" : "; ",
                            result.cells.cells.size(), error, off, ms / 1000);
    row.met = row.met && result.fine() && error < 1e-9 && off == 0 && ms < 1000;
  }
  row.remark = fmt::format(
      "{} triangles; error of the summed volumes, distance of vertices from particles, time to "
      "find "
      "the cell size and cut",
      fish().triangles.size());
  return row;
}

/// Dropped on the floor from half a metre, on its side.
PaperRow drop(bool quick) {
  PaperRow row;
  row.expected = "stable; 82 ms/frame both";
  row.met = true;
  double ms[2];
  for (int i = 0; i < 2; ++i) {
    World world;
    world.bodies.push_back(fish_body(counts[i], 1e5, 2));
    Body& body = world.bodies[0];
    const Mat3 turn = Eigen::AngleAxisd(1.2, Vec3::UnitX()).matrix();
    for (Vec3& p : body.nodes.position) p = turn * p + Vec3(0, 0.5, 0);
    body.refresh_skins();
    body.skin.previous = body.skin.position;
    Collider floor;
    floor.name = "floor";
    floor.shape = PlaneShape{};
    world.colliders.push_back(floor);
    world.substeps = 20;
    const double rest = volume(body.drawn_skin());
    double least = 1, deepest = 0;
    ms[i] = pace(quick ? 60 : 180, [&](int) {
      const StepReport report = world.step(1.0 / 60);
      deepest = std::max(deepest, report.max_penetration);
      least = std::min(least, volume(body.drawn_skin()) / rest);
    });
    const Measures end = body.method->measure(body.nodes);
    row.ours += fmt::format("{}{} groups: volume {:.3f} at worst, {:.3f} at the end, {:.0f} ms",
                            i == 0 ? "" : "; ", end.elements, least,
                            volume(body.drawn_skin()) / rest, ms[i]);
    row.met = row.met && is_finite(body.nodes) && least > 0.9 && deepest < 1e-3 &&
              std::abs(volume(body.drawn_skin()) / rest - 1) < 0.02 && ms[i] < 82;
  }
  row.met = row.met && ms[1] < 1.5 * ms[0];
  row.remark =
      "E = 1e5, 20 substeps, contact of every vertex included in the time; volume of the skin";
  return row;
}

/// Held at the head, hanging under its weight: sag of the tail.
PaperRow sag(bool quick) {
  double down[2];
  for (int i = 0; i < 2; ++i) {
    World world;
    world.bodies.push_back(fish_body(counts[i], 3e5, 4));
    world.gravity = {0, -9.81, 0};
    world.substeps = 20;
    Body& body = world.bodies[0];
    std::vector<int> head, tail;
    for (int n = 0; n < body.nodes.size(); ++n) {
      if (body.nodes.position[n].x() < -0.2) head.push_back(n);
      if (body.nodes.position[n].x() > 0.4) tail.push_back(n);
    }
    hold(world, head);
    const auto height = [&] {
      double sum = 0;
      for (const int n : tail) sum += body.nodes.position[n].y();
      return sum / double(tail.size());
    };
    const double before = height();
    play(world, quick ? 150 : 300);
    down[i] = before - height();
  }
  const double apart = std::abs(down[1] / down[0] - 1);
  return {
      .expected = "differ < 30 %",
      .ours = fmt::format("{:.1f}, {:.1f} cm: {:.0f} %", 100 * down[0], 100 * down[1], 100 * apart),
      .met = apart < 0.3 && down[0] > 0.005,
      .remark = "sag of the tail, head held, E = 3e5; as about 840 and 195 groups"};
}

BenchRow time_fish(int count, int thread_count, int repeats) {
  set_threads(thread_count);
  World world;
  world.bodies.push_back(fish_body(count, 1e5, 2));
  world.gravity = {0, -9.81, 0};
  world.substeps = 20;
  Body& body = world.bodies[0];
  std::vector<int> head;
  for (int n = 0; n < body.nodes.size(); ++n)
    if (body.nodes.position[n].x() < -0.45) head.push_back(n);
  hold(world, head);
  play(world, 2);
  auto& method = static_cast<groups::GroupsMethod&>(*body.method);
  const double slots = double(method.shapes().member.size());
  BenchRow row;
  row.name = fmt::format("cutcell-{}", count);
  row.threads = thread_count;
  row.add("groups", method.shapes().solids());
  row.add("particles", body.nodes.size());
  row.add("slots", slots);
  row.add("largest", method.shapes().largest());
  row.add("ms/frame", fastest_of(repeats, [&] { play(world, 1); }));
  if (groups::WideSolver* solver = method.wide()) {
    const double ms = fastest_of(
        20 * repeats, [&] { groups::sweep_batches(solver->batches(), solver->floats()); });
    row.add("ns/slot", 1e6 * ms / slots);
    row.add("colors", solver->batches().colors());
    row.add("lane fill", solver->batches().lane_fill());
  }
  row.hash = hex(state_hash(world));
  set_threads(0);
  return row;
}

std::vector<BenchRow> benchmark(const BenchWish& wish) {
  std::vector<BenchRow> rows;
  for (const int count : counts)
    for (const int thread_count : {1, 2})
      rows.push_back(time_fish(count, thread_count, wish.quick ? 3 : 20));
  return rows;
}

constexpr Experiment all[] = {
    {"P-4-cells", "a fish cut into cells (Fig. 1)", cells},
    {"P-4-drop", "the fish dropped, fine and coarse (Fig. 1)", drop},
    {"P-4-sag", "the coarse fish bends like the fine one", sag},
};

constexpr Benchmark benches[] = {
    {"groups-cut",
     "a fish of 20 000 triangles as cut cells of mixed size, 20 substeps without contact; ns/slot: "
     "bare projections on one thread per particle of a group",
     benchmark}};

}  // namespace

std::span<const Experiment> cut_experiments() { return all; }
std::span<const Benchmark> cut_benchmarks() { return benches; }

}  // namespace pliant
