#include "geometry/track/plane_cut.h"

#include <doctest/doctest.h>

#include "geometry/mesh/primitives.h"
#include "geometry/track/cap.h"
#include "geometry/track/track_testing.h"
#include "math/test_random.h"

using namespace pliant;
using namespace pliant::test;

namespace {

TriangleMesh hollow_ball() {
  TriangleMesh hole = sphere_mesh(0.15, 0.05);
  for (Triangle& t : hole.triangles) std::swap(t[1], t[2]);
  return joined(sphere_mesh(0.3, 0.05), hole, Vec3(0.05, 0.02, 0));
}

}  // namespace

TEST_CASE("any cut through a hollow ball or a ring leaves closed halves of the same volume") {
  for (const TriangleMesh& mesh : {hollow_ball(), torus_mesh(0.3, 0.1, 0.04)}) {
    for (std::uint64_t i = 0; i < 30; ++i) {
      Moved body(mesh, {.longest = 0.08});
      const double volume = volume_of(body.surface);
      track::PlaneCut cut;
      cut.point = 0.1 * random_vector(3, i);
      cut.normal = random_vector(4, i);
      const track::TrackChanges changes = body.tracker.cut(body.surface, cut);
      body.check();
      CHECK(changes.triangles);
      CHECK(volume_of(body.surface) == doctest::Approx(volume).epsilon(1e-12));
      CHECK(body.surface.pieces() >= 2);
      // Each piece lies on one side.
      std::vector<int> sides(std::size_t(body.surface.pieces()), 0);
      for (std::size_t p = 0; p < body.surface.points.size(); ++p) {
        const double height = (body.surface.points[p] - cut.point).dot(cut.normal.normalized());
        if (std::abs(height) > 1e-12) sides[body.surface.piece[p]] |= height > 0 ? 1 : 2;
      }
      for (const int side : sides) CHECK(side != 3);
      // Caps are inner material, and there are no others.
      for (std::size_t t = 0; t < body.surface.triangles.size(); ++t) {
        bool flat = true;
        for (const int p : body.surface.triangles[t])
          flat = flat &&
                 std::abs((body.surface.points[p] - cut.point).dot(cut.normal.normalized())) < 1e-9;
        REQUIRE((body.surface.source[t] < 0) == flat);
      }
    }
  }
}

TEST_CASE(
    "a cut does not heal while the halves lie side by side, and they unite when they meet again") {
  Moved bar(box_mesh(Vec3(1, 0.3, 0.3), 0.05), {.longest = 0.05});
  track::PlaneCut cut;
  cut.normal = Vec3(1, 0.2, 0);
  bar.tracker.cut(bar.surface, cut);
  CHECK(bar.surface.pieces() == 2);
  for (int i = 0; i < 5; ++i) bar.step([](const Vec3& p, int) { return p; });
  CHECK(bar.surface.pieces() == 2);
  CHECK(bar.patched == 0);
  const std::vector<int> piece = bar.surface.piece;
  const auto drawn = [&](double by) {
    return [&, by](const Vec3& p, int v) {
      return Vec3(p + Vec3(bar.surface.piece[v] == 0 ? -by : by, 0, 0) *
                          (bar.surface.points[0].x() < 0 ? 1 : -1));
    };
  };
  for (int i = 0; i < 20; ++i) bar.step(drawn(0.01));
  CHECK(bar.surface.pieces() == 2);
  for (int i = 0; i < 22 && bar.surface.pieces() == 2; ++i) bar.step(drawn(-0.01));
  CHECK(bar.surface.pieces() == 1);
}

TEST_CASE(
    "cut faces are flat and apart, and stay so when the triangles at their edges are improved") {
  Moved bar(box_mesh(Vec3(1, 0.3, 0.3), 0.05), {.longest = 0.05});
  bar.step([](const Vec3& p, int) { return p; });
  track::PlaneCut cut;
  cut.normal = Vec3(1, 0.3, 0.1);
  cut.clearance = 0.01;
  bar.tracker.cut(bar.surface, cut);
  bar.check();
  for (int i = 0; i < 4; ++i) bar.step([](const Vec3& p, int) { return p; });
  CHECK(bar.patched == 0);
  CHECK(crossings(bar.surface) == 0);
  for (std::size_t t = 0; t < bar.surface.triangles.size(); ++t) {
    if (bar.surface.source[t] >= 0) continue;
    for (const int p : bar.surface.triangles[t]) {
      const double height = std::abs(bar.surface.points[p].dot(cut.normal.normalized()));
      REQUIRE(height == doctest::Approx(0.01).epsilon(1e-9));
    }
  }
}

TEST_CASE("a cut within a polygon spares what is not wholly within it") {
  const TriangleMesh ball = sphere_mesh(0.3, 0.05);
  Moved pair(joined(ball, ball, Vec3(1, 0, 0)), {.longest = 0.08});
  track::PlaneCut cut;
  cut.normal = Vec3::UnitY();
  cut.within = {{Vec3(-0.4, 0, -0.4), Vec3(0.5, 0, -0.4), Vec3(0.5, 0, 0.4), Vec3(-0.4, 0, 0.4)}};
  std::vector<char> placed(pair.surface.points.size(), 0);
  CHECK(track::cut_by_plane(pair.surface, cut, pair.tracker.original(), placed) == 1);
  pair.step([](const Vec3& p, int) { return p; });
  CHECK(pair.surface.pieces() == 3);
  track::PlaneCut miss;
  miss.point = Vec3(0, 5, 0);
  CHECK(!pair.tracker.cut(pair.surface, miss).triangles);
}

TEST_CASE("a cap covers what its loops bound, holes left out") {
  std::vector<Vec2> place;
  const auto ring = [&](double radius, const Vec2& centre, int count, bool hole) {
    std::vector<int> loop;
    for (int i = 0; i < count; ++i) {
      const double angle = 2 * M_PI * i / count;
      loop.push_back(int(place.size()));
      place.push_back(centre + radius * Vec2(std::cos(angle), std::sin(angle)));
    }
    if (hole) std::reverse(loop.begin(), loop.end());
    return loop;
  };
  const auto area = [](double radius, int count) {
    return 0.5 * count * radius * radius * std::sin(2 * M_PI / count);
  };
  const std::vector<std::vector<int>> loops = {
      ring(1, Vec2(0, 0), 40, false), ring(0.2, Vec2(0.4, 0.1), 15, true),
      ring(0.3, Vec2(-0.4, 0), 20, true), ring(0.1, Vec2(-0.4, 0.05), 9, false),
      ring(0.5, Vec2(3, 0), 12, false)};
  const std::size_t given = place.size();
  double covered = 0;
  for (const Triangle& t : track::cap_loops(loops, place)) {
    const Vec2 a = place[t[1]] - place[t[0]], b = place[t[2]] - place[t[0]];
    CHECK(a.x() * b.y() > a.y() * b.x());
    covered += 0.5 * (a.x() * b.y() - a.y() * b.x());
  }
  CHECK(place.size() == given);
  CHECK(covered == doctest::Approx(area(1, 40) - area(0.2, 15) - area(0.3, 20) + area(0.1, 9) +
                                   area(0.5, 12)));
}
