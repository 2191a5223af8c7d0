#include "geometry/track/tracker.h"

#include <cmath>

#include "core/parallel.h"
#include "geometry/mesh/primitives.h"
#include "geometry/track/track_testing.h"

using namespace pliant;
using namespace pliant::test;
using track::TrackSettings;

namespace {

// Keeps volumes: y by the factor, x and z by the root of its inverse.
Vec3 squeezed(const Vec3& p, double factor) {
  const double wider = 1 / std::sqrt(factor);
  return {p.x() * wider, p.y() * factor, p.z() * wider};
}

// Stretches along x, most in the middle.
Vec3 necked(const Vec3& p) {
  const double narrow = 0.995 - 0.02 * std::exp(-30 * p.x() * p.x());
  return {p.x() * 1.012, p.y() * narrow, p.z() * narrow};
}

// LeVeque 1996: a divergence-free swirl that stretches a ball to a sheet.
Vec3 swirl(const Vec3& p, double speed) {
  const auto s = [](double x) { return std::sin(M_PI * x); };
  const auto s2 = [](double x) { return std::sin(2 * M_PI * x); };
  return speed * Vec3(2 * s(p.x()) * s(p.x()) * s2(p.y()) * s2(p.z()),
                      -s2(p.x()) * s(p.y()) * s(p.y()) * s2(p.z()),
                      -s2(p.x()) * s2(p.y()) * s(p.z()) * s(p.z()));
}
Vec3 swirled(const Vec3& p, double speed) {  // midpoint rule
  return p + swirl(p + 0.5 * swirl(p, speed), speed);
}

Moved two_spheres(int steps_apart = 0) {
  const TriangleMesh ball = sphere_mesh(0.3, 0.04);
  Moved pair(joined(ball, ball, Vec3(0.7, 0.05, 0.02)), {.longest = 0.05});
  for (Vec3& p : pair.surface.points) p.x() -= 0.35;
  pair.surface.frame = steps_apart;
  return pair;
}

Vec3 towards_each_other(const Moved& pair, const Vec3& p, int number) {
  return p + Vec3(pair.surface.piece[number] == 0 ? 0.006 : -0.006, 0, 0);
}

}  // namespace

TEST_CASE("a ball squeezed flat and pulled back is closed after every step and keeps its volume") {
  Moved ball(sphere_mesh(0.3, 0.04), {.longest = 0.05});
  const double volume = volume_of(ball.surface);
  for (int i = 0; i < 60; ++i) ball.step([](const Vec3& p, int) { return squeezed(p, 0.975); });
  CHECK(ball.total.splits > 1000);
  for (int i = 0; i < 60; ++i) ball.step([](const Vec3& p, int) { return squeezed(p, 1 / 0.975); });
  CHECK(ball.total.collapses > 500);
  CHECK(volume_of(ball.surface) == doctest::Approx(volume).epsilon(0.02));
  CHECK(ball.most_volume_change < 2e-3);
  CHECK(ball.patched == 0);
  CHECK(euler(ball.surface) == 2);
  CHECK(crossings(ball.surface) == 0);
}

TEST_CASE("a surface at rest stays as it is") {
  Moved ball(sphere_mesh(0.3, 0.04), {.longest = 0.05});
  ball.step([](const Vec3& p, int) { return p; });
  const std::vector<Vec3> points = ball.surface.points;
  for (int i = 0; i < 5; ++i) {
    const track::TrackChanges changes = ball.step([](const Vec3& p, int) { return p; });
    CHECK(!changes.triangles);
    CHECK(changes.placed.empty());
    for (int v = 0; v < int(changes.vertex.size()); ++v) REQUIRE(changes.vertex[v] == v);
  }
  CHECK(ball.surface.points == points);
}

TEST_CASE("two balls meet, become one, and part again when they are pulled") {
  Moved pair = two_spheres();
  CHECK(pair.surface.pieces() == 2);
  int merged = -1;
  std::vector<std::array<int, 2>> at_merge;
  for (int i = 0; i < 30; ++i) {
    const track::TrackChanges changes =
        pair.step([&](const Vec3& p, int v) { return towards_each_other(pair, p, v); });
    if (merged < 0 && pair.surface.pieces() == 1) {
      merged = i;
      at_merge = changes.pieces;
    }
    if (merged >= 0) break;
  }
  REQUIRE(merged > 0);
  CHECK(at_merge == std::vector<std::array<int, 2>>{{0, 0}, {1, 0}});
  int parted = -1;
  for (int i = 0; i < 120 && parted < 0; ++i) {
    const track::TrackChanges changes = pair.step([](const Vec3& p, int) { return necked(p); });
    if (pair.surface.pieces() == 2) {
      parted = i;
      CHECK(changes.pieces == std::vector<std::array<int, 2>>{{0, 0}, {0, 1}});
    }
  }
  CHECK(parted > 0);
  CHECK(euler(pair.surface) == 4);
  CHECK(pair.total.rebuilds == 0);
  CHECK(pair.most_volume_change < 0.02);
}

TEST_CASE("a bar that is stretched necks and splits, and loses hardly any volume by it") {
  Moved bar(box_mesh(Vec3(1.2, 0.3, 0.3), 0.05), {.longest = 0.05});
  int steps = 0;
  for (; steps < 200 && bar.surface.pieces() == 1; ++steps)
    bar.step([](const Vec3& p, int) { return necked(p); });
  CHECK(bar.surface.pieces() == 2);
  for (int i = 0; i < 10; ++i) bar.step([](const Vec3& p, int) { return necked(p); });
  CHECK(euler(bar.surface) == 4);
  CHECK(bar.total.rebuilds == 0);
  CHECK(bar.most_volume_change < 0.005);
}

TEST_CASE("a fold whose sides are pressed together closes") {
  // A horseshoe: half a ring whose ends are pushed through each other would be.
  TriangleMesh shoe = box_mesh(Vec3(1.4, 0.15, 0.3), 0.05);
  for (Vec3& p : shoe.points) {
    const double angle = p.x() / 0.7 * 1.35, radius = 0.5 - p.y();
    p = Vec3(radius * std::cos(angle), radius * std::sin(angle), p.z());
  }
  if (volume(shoe) < 0)
    for (Triangle& t : shoe.triangles) std::swap(t[1], t[2]);
  Moved fold(shoe, {.longest = 0.05});
  for (int i = 0; i < 60; ++i)
    fold.step([](const Vec3& p, int) {
      return Vec3(p.x(), p.y() - 0.01 * std::tanh(p.y() / 0.1), p.z());
    });
  CHECK(fold.patched > 0);
  CHECK(fold.total.rebuilds == 0);
  CHECK(fold.surface.pieces() == 1);
  CHECK(crossings(fold.surface) < 10);
}

TEST_CASE("a swirl that stretches a ball to a sheet and back leaves no flaw") {
  Moved ball(sphere_mesh(0.15, 0.02), {.longest = 0.025});
  for (Vec3& p : ball.surface.points) p += Vec3::Constant(0.35);
  const double volume = volume_of(ball.surface);
  for (int i = 0; i < 40; ++i) ball.step([](const Vec3& p, int) { return swirled(p, 0.02); });
  CHECK(ball.total.splits > 500);
  for (int i = 0; i < 40; ++i) ball.step([](const Vec3& p, int) { return swirled(p, -0.02); });
  CHECK(volume_of(ball.surface) == doctest::Approx(volume).epsilon(0.03));
  for (const Vec3& p : ball.surface.points)
    CHECK((p - Vec3::Constant(0.35)).norm() == doctest::Approx(0.15).epsilon(0.05));
  CHECK(ball.total.rebuilds == 0);
}

TEST_CASE("on flat faces every vertex is the image of its origin, however the body is stretched") {
  const TriangleMesh box = box_mesh(Vec3(0.4, 0.3, 0.2), 0.1);
  Moved bar(box, {.longest = 0.05});
  double stretch = 1;
  for (int i = 0; i < 30; ++i) {
    bar.step([](const Vec3& p, int) { return squeezed(p, 0.97); });
    stretch *= 0.97;
  }
  CHECK(bar.total.splits > 500);
  REQUIRE(bar.patched == 0);
  double worst = 0;
  for (std::size_t p = 0; p < bar.surface.points.size(); ++p) {
    const Vec3 from = bar.tracker.original().point(bar.surface.origin[p]);
    worst = std::max(worst, (squeezed(from, stretch) - bar.surface.points[p]).norm());
  }
  CHECK(worst < 1e-12);
}

TEST_CASE("far from a merge points, numbers and origins stay the same to the bit") {
  Moved pair = two_spheres();
  for (int i = 0; i < 7; ++i)
    pair.step([&](const Vec3& p, int v) { return towards_each_other(pair, p, v); });
  track::TrackedSurface before = pair.surface;
  for (int i = 0; i < 10; ++i) {
    before = pair.surface;
    const track::TrackChanges changes =
        pair.step([&](const Vec3& p, int v) { return towards_each_other(pair, p, v); });
    if (changes.report.cells == 0) continue;
    for (int v = 0; v < int(before.points.size()); ++v) {
      if (std::abs(before.points[v].x()) < 0.2) continue;
      const int now = changes.vertex[v];
      REQUIRE(now >= 0);
      REQUIRE((pair.surface.points[now] - before.points[v]).cwiseAbs().sum() ==
              doctest::Approx(0.006).epsilon(1e-9));
      REQUIRE(pair.surface.origin[now].triangle == before.origin[v].triangle);
      REQUIRE(pair.surface.origin[now].second == before.origin[v].second);
    }
    return;
  }
  FAIL("they did not meet");
}

TEST_CASE("the surface is the same for any number of threads, and after it was saved") {
  std::vector<std::uint64_t> hashes;
  for (const int count : {1, 2, 3, 7}) {
    set_threads(count);
    Moved pair = two_spheres();
    for (int i = 0; i < 20; ++i)
      pair.step([&](const Vec3& p, int v) { return towards_each_other(pair, p, v); });
    hashes.push_back(hash_of(pair.surface));
  }
  set_threads(0);
  Moved pair = two_spheres();
  for (int i = 0; i < 20; ++i) {
    pair.step([&](const Vec3& p, int v) { return towards_each_other(pair, p, v); });
    if (i % 5 != 4) continue;
    Archive saved = Archive::saving();
    pair.surface.archive(saved);
    Moved other = two_spheres();  // a tracker that has seen nothing
    Archive loaded = Archive::loading(saved.bytes());
    other.surface.archive(loaded);
    pair = std::move(other);
  }
  hashes.push_back(hash_of(pair.surface));
  CHECK(pair.surface.pieces() == 1);
  for (const std::uint64_t hash : hashes) CHECK(hash == hashes.front());
}

TEST_CASE("pieces that may not merge pass into each other and stay two") {
  const TriangleMesh ball = sphere_mesh(0.3, 0.04);
  Moved pair(joined(ball, ball, Vec3(0.7, 0, 0)), {.longest = 0.05, .merge = false});
  for (Vec3& p : pair.surface.points) p.x() -= 0.35;
  for (int i = 0; i < 30; ++i)
    pair.step([&](const Vec3& p, int v) { return towards_each_other(pair, p, v); });
  CHECK(pair.surface.pieces() == 2);
  CHECK(pair.patched == 0);
  CHECK(pair.tracker.inside().piece_at(Vec3(-0.3, 0, 0)) == 0);
  CHECK(pair.tracker.inside().piece_at(Vec3(0.3, 0, 0)) == 1);
}

TEST_CASE("where matter gives no support the surface is drawn back until it parts") {
  Moved bar(box_mesh(Vec3(1.2, 0.3, 0.3), 0.05), {.longest = 0.05});
  bar.matter.supports = [](const Vec3& p) { return std::abs(p.x()) > 0.1; };
  for (int i = 0; i < 10; ++i) bar.step([](const Vec3& p, int) { return p; });
  CHECK(bar.surface.pieces() == 2);
  // What was inside until now belongs to no triangle of the original.
  int bare = 0;
  for (const int source : bar.surface.source) bare += source < 0;
  CHECK(bare > 50);
}

TEST_CASE("points that are not finite or too far apart are left as they are, and said so") {
  Moved ball(sphere_mesh(0.3, 0.04), {.longest = 0.05});
  ball.surface.points[7].x() = std::nan("");
  CHECK(ball.tracker.advance(ball.surface).report.out_of_range);
  ball.surface.points[7] = Vec3(1e7, 0, 0);
  CHECK(ball.tracker.advance(ball.surface).report.out_of_range);
}

TEST_CASE("a hollow belongs to the piece round it") {
  TriangleMesh hole = sphere_mesh(0.15, 0.04);
  for (Triangle& t : hole.triangles) std::swap(t[1], t[2]);
  const TriangleMesh ball = sphere_mesh(0.3, 0.04);
  Moved pair(joined(joined(ball, ball, Vec3(0.7, 0, 0)), hole, Vec3(0.7, 0, 0)), {.longest = 0.05});
  pair.step([](const Vec3& p, int) { return p; });
  CHECK(pair.surface.pieces() == 2);
  const track::Inside& inside = pair.tracker.inside();
  CHECK(inside.piece_at(Vec3(0, 0, 0)) == 0);
  CHECK(inside.piece_at(Vec3(0.7, 0, 0)) == -1);
  CHECK(inside.piece_at(Vec3(0.7, 0.22, 0)) == 1);
}

TEST_CASE("a walk through the inside goes round a slit, not through it") {
  // A horseshoe, nearly closed.
  TriangleMesh shoe = box_mesh(Vec3(2.9, 0.15, 0.2), 0.05);
  for (Vec3& p : shoe.points) {
    const double angle = p.x() / 0.5 + M_PI, radius = 0.5 - p.y();
    p = Vec3(radius * std::cos(angle), radius * std::sin(angle), p.z());
  }
  if (volume(shoe) < 0)
    for (Triangle& t : shoe.triangles) std::swap(t[1], t[2]);
  Moved ring(shoe, {.longest = 0.05});
  ring.step([](const Vec3& p, int) { return p; });
  const Vec3 here(0.5 * std::cos(0.4), 0.5 * std::sin(0.4), 0);
  const Vec3 near(0.5 * std::cos(0.7), 0.5 * std::sin(0.7), 0);
  const Vec3 across(here.x(), -here.y(), 0);
  const track::Inside& inside = ring.tracker.inside();
  REQUIRE(inside.contains(here));
  REQUIRE(inside.contains(across));
  track::Inside::Walk walk;
  inside.walk_from(here, 20, walk);
  CHECK(walk.steps_to(near) == walk.least_steps(near));
  CHECK(walk.steps_to(across) == -1);
  CHECK(walk.least_steps(across) < 20);
}
