#include "studies/track_bench.h"

#include <fmt/format.h>

#include "core/parallel.h"
#include "geometry/mesh/primitives.h"
#include "geometry/query/self_intersections.h"
#include "geometry/track/tracker.h"
#include "studies/stopwatch.h"

namespace pliant {
namespace {

struct Played {
  double ms = 0;        // of a step, the fastest
  double patch_ms = 0;  // of a step with a patch, the mean
  int patches = 0;
  int operations = 0;
  int steps = 0;
};

// Steps with a flow, each timed.
template <class Flow>
Played play(track::Tracker& tracker, track::TrackedSurface& surface, int steps, const Flow& flow) {
  Played played;
  played.ms = std::numeric_limits<double>::infinity();
  for (int i = 0; i < steps; ++i) {
    for (int p = 0; p < int(surface.points.size()); ++p)
      surface.points[p] = flow(surface.points[p], p);
    track::TrackChanges changes;
    const double ms = milliseconds_of([&] { changes = tracker.advance(surface); });
    const track::TrackReport& r = changes.report;
    played.operations += r.splits + r.collapses + r.flips;
    ++played.steps;
    if (r.cells > 0) {
      ++played.patches;
      played.patch_ms += ms;
    } else {
      played.ms = std::min(played.ms, ms);
    }
  }
  if (played.patches > 0) played.patch_ms /= played.patches;
  return played;
}

BenchRow row_of(const std::string& name, const Played& played, track::TrackedSurface& surface) {
  const double triangles = double(surface.triangles.size());
  BenchRow row{.name = name, .threads = threads(), .figures = {}, .hash = ""};
  row.add("triangles", triangles);
  row.add("ops/step", double(played.operations) / played.steps);
  row.add("ms/step", played.ms);
  row.add("us/triangle", 1e3 * played.ms / triangles);
  Archive archive = Archive::hashing();
  surface.archive(archive);
  row.hash = fmt::format("{:016x}", archive.hash());
  return row;
}

BenchRow stretching(const BenchWish& wish) {
  const double edge = wish.quick ? 0.04 : 0.0142;
  track::Tracker tracker(sphere_mesh(0.75, edge), {.longest = 1.25 * edge});
  track::TrackedSurface surface = tracker.begin();
  tracker.advance(surface);
  const Played played = play(tracker, surface, wish.quick ? 4 : 15, [](const Vec3& p, int) {
    return Vec3(p.x() * 1.01, p.y() / 1.02, p.z() * 1.01);
  });
  return row_of("track-stretch", played, surface);
}

BenchRow merging(const BenchWish& wish) {
  const double edge = wish.quick ? 0.03 : 0.012;
  TriangleMesh balls = sphere_mesh(0.3, edge);
  const int each = int(balls.points.size()), faces = int(balls.triangles.size());
  for (int p = 0; p < each; ++p) balls.points.push_back(balls.points[p] + Vec3(0.62, 0.03, 0));
  for (int t = 0; t < faces; ++t) {
    Triangle moved = balls.triangles[t];
    for (int& p : moved) p += each;
    balls.triangles.push_back(moved);
  }
  track::Tracker tracker(balls, {.longest = 1.5 * edge});
  track::TrackedSurface surface = tracker.begin();
  const Played played = play(tracker, surface, 20, [&](const Vec3& p, int number) {
    return Vec3(p + Vec3(surface.piece[number] == 0 && surface.pieces() > 1 ? 0.004 : 0, 0, 0));
  });
  BenchRow row = row_of("track-merge", played, surface);
  row.add("patches", played.patches);
  row.add("ms/patched", played.patch_ms);
  return row;
}

std::vector<BenchRow> track_rows(const BenchWish& wish) {
  std::vector<BenchRow> rows;
  if (wish.wants("track-quiet")) rows.push_back(quiet_tracking(wish));
  if (wish.wants("track-stretch")) rows.push_back(stretching(wish));
  if (wish.wants("track-merge")) rows.push_back(merging(wish));
  return rows;
}

constexpr Benchmark all[] = {
    {"track", "surfaces that change their triangles; search = find_self_intersections",
     track_rows}};

}  // namespace

BenchRow quiet_tracking(const BenchWish& wish) {
  const double edge = wish.quick ? 0.04 : 0.0142;
  track::Tracker tracker(sphere_mesh(0.75, edge), {.longest = 1.8 * edge});
  track::TrackedSurface surface = tracker.begin();
  for (int i = 0; i < 3; ++i) tracker.advance(surface);  // what the given triangles need
  const Quat turn(Eigen::AngleAxisd(0.01, Vec3(1, 2, 3).normalized()));
  const Played played =
      play(tracker, surface, wish.quick ? 4 : 10, [&](const Vec3& p, int) { return turn * p; });
  BenchRow row = row_of("track-quiet", played, surface);
  TriangleMesh mesh;
  mesh.points = surface.points;
  mesh.triangles = surface.triangles;
  const double search =
      fastest_of(wish.quick ? 2 : 3, [&] { find_self_intersections(mesh, Bvh(mesh)); });
  row.add("search/step", search / played.ms);
  return row;
}

std::span<const Benchmark> track_benchmarks() { return all; }

}  // namespace pliant
