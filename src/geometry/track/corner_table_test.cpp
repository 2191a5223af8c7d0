#include "geometry/track/corner_table.h"

#include <doctest/doctest.h>

#include "core/random.h"
#include "geometry/mesh/primitives.h"
#include "geometry/track/invariant.h"

using namespace pliant;
using track::CornerTable;

namespace {

void check_neighbours(const CornerTable& table) {
  for (int c = 0; c < 3 * table.size(); ++c) {
    if (table.is_dead(c / 3)) continue;
    const int o = table.opposite(c);
    REQUIRE(table.opposite(o) == c);
    REQUIRE(table.at(table.next(c)) == table.at(table.previous(o)));
    REQUIRE(table.at(table.previous(c)) == table.at(table.next(o)));
    REQUIRE(table.at(table.corner_of(table.at(c))) == table.at(c));
  }
}

}  // namespace

TEST_CASE("splits, flips and collapses keep a surface closed and its table right") {
  const TriangleMesh ball = sphere_mesh(1, 0.5);
  std::vector<Vec3> points = ball.points;
  CornerTable table;
  table.take(ball.triangles, int(points.size()));
  int collapses = 0;
  std::vector<int> a, b;
  for (std::uint64_t i = 0; i < 600; ++i) {
    const int c = int(random_unit(5, i) * 3 * table.size());
    if (table.is_dead(c / 3)) continue;
    const int x = table.at(c), y = table.at(table.opposite(c));
    const int p = table.at(table.next(c)), q = table.at(table.previous(c));
    if (i % 3 == 0) {
      points.push_back(0.5 * (points[p] + points[q]));
      table.split(c, int(points.size()) - 1);
    } else if (i % 3 == 1) {
      if (table.corner_opposite(x, y) < 0 && table.valence(p, 4) > 3 && table.valence(q, 4) > 3)
        table.flip(c);
    } else {
      table.ring(p, a);
      table.ring(q, b);
      int common = 0;
      for (const int v : a) common += int(std::count(b.begin(), b.end(), v));
      if (common != 2 || table.valence(x, 4) <= 3 || table.valence(y, 4) <= 3) continue;
      table.collapse(c);
      ++collapses;
    }
    check_neighbours(table);
  }
  CHECK(collapses > 20);
  std::vector<int> kept;
  CHECK(track::broken(points, table.give(kept)) == "");
}

TEST_CASE("a point of three triangles leaves one behind") {
  TriangleMesh ball = sphere_mesh(1, 0.5);
  CornerTable table;
  // A point in the middle of a triangle.
  const Triangle t = ball.triangles[4];
  const int m = int(ball.points.size());
  ball.points.push_back(Vec3::Zero());
  ball.triangles[4] = {m, t[0], t[1]};
  ball.triangles.push_back({m, t[1], t[2]});
  ball.triangles.push_back({m, t[2], t[0]});
  table.take(ball.triangles, int(ball.points.size()));
  REQUIRE(table.valence(m, 9) == 3);
  table.remove_valence_three(table.corner_of(m));
  check_neighbours(table);
  std::vector<int> kept;
  CHECK(track::broken(ball.points, table.give(kept)) == "");
  CHECK(kept.size() + 2 == ball.triangles.size());
}

TEST_CASE("the judge of surfaces finds every kind of flaw") {
  const TriangleMesh ball = sphere_mesh(1, 0.5);
  CHECK(track::broken(ball.points, ball.triangles) == "");
  std::vector<Triangle> open = ball.triangles;
  open.pop_back();
  CHECK(track::broken(ball.points, open) != "");
  std::vector<Triangle> twice = ball.triangles;
  twice.push_back(twice[3]);
  CHECK(track::broken(ball.points, twice) != "");
  std::vector<Triangle> turned = ball.triangles;
  std::swap(turned[5][0], turned[5][1]);
  CHECK(track::broken(ball.points, turned) != "");
  // Two balls that share a point.
  std::vector<Vec3> points = ball.points;
  std::vector<Triangle> touching = ball.triangles;
  for (const Vec3& p : ball.points) points.push_back(p + Vec3(3, 0, 0));
  const int first = int(ball.points.size());
  for (Triangle t : ball.triangles) {
    for (int& p : t) p = p == 0 ? 0 : p + first;
    touching.push_back(t);
  }
  CHECK(track::broken(points, touching) == "a point has two fans");
  points = ball.points;
  points[4].x() = std::nan("");
  CHECK(track::broken(points, ball.triangles) == "a point is not finite");
}
