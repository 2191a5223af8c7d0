#include "studies/clusters_bench.h"

#include <fmt/format.h>
#include <numeric>

#include "core/parallel.h"
#include "geometry/mesh/primitives.h"
#include "studies/blocks.h"
#include "studies/clusters_table.h"
#include "studies/group_blocks.h"
#include "studies/stopwatch.h"
#include "studies/track_bench.h"

namespace pliant {
namespace {

/// Nanoseconds per member of nothing but one sweep, on this thread.
double bare_sweep(shape_law::WideSolver& solver, double members, int repeats) {
  return 1e6 / members *
         fastest_of(repeats, [&] { shape_law::sweep_batches(solver.batches(), solver.floats()); });
}

/// Clusters beside groups of 27: in turns, so that a machine that is slow for a while is so for
/// both.
BenchRow sweeps(const BenchWish& wish) {
  set_threads(1);
  ClustersSetup setup;
  setup.radius = wish.quick ? 0.1 : 0.06;
  Show show(clusters_body(box_mesh({1, 1, 2}, setup.radius), setup), setup, Vec3::Zero());
  const Eigen::Vector3i cells =
      wish.quick ? Eigen::Vector3i(8, 8, 24) : Eigen::Vector3i(16, 16, 80);
  World groups = group_world({.cells = cells, .size = 0.1 * cells.cast<double>(), .blocks = true});
  for (World* world : {&show.world, &groups}) play(*world, 1);
  double members = 0;
  for (const clusters::Cluster& cluster : clusters_of(show.world).matter().clusters)
    members += double(cluster.member.size());
  const double group_members = 27.0 * groups_of(groups).measure(groups.bodies[0].nodes).elements;
  auto& method = static_cast<clusters::ClustersMethod&>(*show.body().method);
  double ours = std::numeric_limits<double>::infinity(), theirs = ours;
  for (int turn = 0; turn < 5; ++turn) {
    ours = std::min(ours, bare_sweep(*method.wide(), members, wish.quick ? 20 : 100));
    theirs = std::min(theirs,
                      bare_sweep(*groups_of(groups).wide(), group_members, wish.quick ? 20 : 100));
  }
  set_threads(0);
  BenchRow row{.name = "clusters-sweep", .threads = 1, .figures = {}, .hash = ""};
  row.add("members", members);
  row.add("ns/member", ours);
  row.add("groups of 27", theirs);
  row.add("ratio", ours / theirs);
  return row;
}

/// What contact takes to find what touches in a step, of a body that is pressed on the ground: with
/// a surface that is another one since the step before, and with one that is not.
BenchRow changed_surface(const BenchWish& wish) {
  set_threads(1);
  ClustersSetup setup;
  setup.yield = 1;  // nothing flows, but as with all that may, its surface does not meet itself
  setup.radius = wish.quick ? 0.1 : 0.05;
  Dough dough(setup);
  Show& show = dough.show;
  dough.begin_squeeze();
  show.play(0.3);
  Changes changes{.triangles = true};
  changes.vertex.resize(std::size_t(show.body().skin.size()));
  std::iota(changes.vertex.begin(), changes.vertex.end(), 0);
  changes.triangle.resize(show.body().skin.triangles.size());
  std::iota(changes.triangle.begin(), changes.triangle.end(), 0);
  double best[2] = {std::numeric_limits<double>::infinity(), 0};
  best[1] = best[0];
  for (int f = 0; f < (wish.quick ? 6 : 20); ++f) {
    const bool changed = f % 2 == 1;
    if (changed) {
      ++show.body().skin.revision;
      show.world.contact.renumber(show.body(), 0, changes);
    }
    const StepReport report = show.world.step(1.0 / 60);
    PhaseTimes times = report.times;
    best[changed] = std::min(best[changed], 1e3 * times[Phase::find_contacts]);
  }
  set_threads(0);
  BenchRow row{.name = "clusters-contact", .threads = 1, .figures = {}, .hash = ""};
  row.add("triangles", double(show.body().skin.triangles.size()));
  row.add("ms find", best[0]);
  row.add("ms find, changed", best[1]);
  row.add("ratio", best[1] / best[0]);
  return row;
}

/// A block of dough under a plate.
std::vector<BenchRow> threads_rows(const BenchWish& wish) {
  std::vector<BenchRow> rows;
  double one = 0;
  for (const int count : {1, 2}) {
    set_threads(count);
    ClustersSetup setup;
    setup.radius = wish.quick ? 0.1 : 0.06;
    Dough dough(setup);
    dough.begin_squeeze();
    dough.show.play(0.5);
    const double ms = pace(wish.quick ? 10 : 30, [&](int) { play(dough.show.world, 1); });
    BenchRow row{.name = "clusters-dough", .threads = count, .figures = {}, .hash = ""};
    row.add("particles", dough.show.body().nodes.size());
    row.add("triangles", double(dough.show.body().skin.triangles.size()));
    row.add("ms/frame", ms);
    if (count == 1) one = ms;
    else row.add("x 1 thread", one / ms);
    row.hash = hex(state_hash(dough.show.world));
    rows.push_back(row);
  }
  set_threads(0);
  return rows;
}

BenchRow table_row(const TableScene& scene, const BenchWish& wish) {
  const TableLine line = play_line(scene, !wish.quick, wish.quick ? 10 : 20);
  BenchRow row{
      .name = fmt::format("table-{}", scene.name), .threads = threads(), .figures = {}, .hash = ""};
  row.add("ms sim", line.simulation);
  row.add("topo", line.surface);
  row.add("resampling", line.resampling);
  row.add("total", line.total);
  row.add("paper", scene.paper.total);
  row.add("particles", line.particles);
  row.add("% seed", 100 * line.seeding);
  row.add("clusters", line.clusters);
  row.add("in one", line.members);
  row.add("triangles", line.triangles);
  return row;
}

std::vector<BenchRow> rows(const BenchWish& wish) {
  std::vector<BenchRow> found;
  if (wish.wants("clusters-sweep")) found.push_back(sweeps(wish));
  if (wish.wants("track-quiet")) found.push_back(quiet_tracking(wish));
  if (wish.wants("clusters-contact")) found.push_back(changed_surface(wish));
  if (wish.wants("clusters-dough"))
    for (BenchRow& row : threads_rows(wish)) found.push_back(std::move(row));
  for (const TableScene& scene : table_scenes())
    if (wish.wants(fmt::format("table-{}", scene.name))) found.push_back(table_row(scene, wish));
  return found;
}

constexpr Benchmark all[] = {
    {"clusters",
     "sweep: of a cluster's member beside one of groups of 27; track-quiet: tracking beside "
     "find_self_intersections; contact: finding where the surface has changed; table: the examples "
     "of the paper's table 1 with its law, beside its totals on a GPU; topo: surface, sim: with "
     "contact, resampling: with the skin's rows",
     rows}};

}  // namespace

std::span<const Benchmark> clusters_benchmarks() { return all; }

}  // namespace pliant
