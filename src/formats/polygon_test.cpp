#include "formats/polygon.h"

#include <cmath>
#include <doctest/doctest.h>
#include <numeric>

#include "core/random.h"

using namespace pliant;

static std::vector<Triangle> cut(const std::vector<Vec3>& points) {
  std::vector<int> corners(points.size());
  std::iota(corners.begin(), corners.end(), 0);
  std::vector<Triangle> triangles;
  PolygonCutter cutter;
  cutter.cut(corners, points, triangles);
  CHECK(cutter.given_up() == 0);
  return triangles;
}

static Vec3 area(const std::vector<Vec3>& p, const Triangle& t) {
  return 0.5 * (p[t[1]] - p[t[0]]).cross(p[t[2]] - p[t[0]]);
}

// The triangles of a simple planar polygon face its way, none is flat, and together they cover it
// once: then the areas without sign sum to the area with sign.
static void check_cut(const std::vector<Vec3>& polygon) {
  Vec3 whole = Vec3::Zero();
  for (std::size_t i = 1; i + 1 < polygon.size(); ++i)
    whole += area(polygon, {0, int(i), int(i) + 1});
  const std::vector<Triangle> triangles = cut(polygon);
  CHECK(triangles.size() == polygon.size() - 2);
  double sum = 0;
  for (const Triangle& t : triangles) {
    CHECK(area(polygon, t).dot(whole) > 0);
    sum += area(polygon, t).norm();
  }
  CHECK(sum == doctest::Approx(whole.norm()).epsilon(1e-12));
}

TEST_CASE("convex, concave and straight-cornered polygons are covered exactly once") {
  check_cut({{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}});
  check_cut({{0, 0, 0}, {2, 1, 0}, {0, 2, 0}, {0.5, 1, 0}});  // dart
  check_cut({{0.5, 1, 0}, {0, 0, 0}, {2, 1, 0}, {0, 2, 0}});  // its dent first
  check_cut({{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {2, 1, 0}});    // straight corner
  check_cut(
      {{0, 0, 0}, {3, 0, 0}, {3, 3, 0}, {2, 3, 0}, {2, 1, 0}, {1, 1, 0}, {1, 3, 0}, {0, 3, 0}});
}

TEST_CASE("random stars of 5 to 60 corners in random planes are covered exactly once") {
  for (int seed = 0; seed < 60; ++seed) {
    const auto unit = [&, k = 0]() mutable { return random_unit(seed, k++); };
    auto draw = unit;
    const int corners = 5 + seed;
    const Quat turn = Quat(draw() - 0.5, draw() - 0.5, draw() - 0.5, draw() - 0.5).normalized();
    std::vector<Vec3> star;
    for (int i = 0; i < corners; ++i) {
      const double angle = 2 * M_PI * i / corners, r = 0.2 + draw();
      star.push_back(turn * Vec3(r * std::cos(angle), r * std::sin(angle), 0) + Vec3(3, -7, 2));
    }
    check_cut(star);
  }
}

TEST_CASE("repeated and too few corners give only triangles with three different ones") {
  const std::vector<Vec3> points = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
  PolygonCutter cutter;
  const auto count = [&](std::vector<int> corners) {
    std::vector<Triangle> triangles;
    const int n = cutter.cut(corners, points, triangles);
    for (const Triangle& t : triangles) CHECK((t[0] != t[1] && t[1] != t[2] && t[2] != t[0]));
    return n;
  };
  CHECK(count({}) == 0);
  CHECK(count({0}) == 0);
  CHECK(count({0, 1}) == 0);
  CHECK(count({0, 0, 1, 1, 0}) == 0);
  CHECK(count({0, 1, 0, 1}) == 0);
  CHECK(count({0, 1, 1, 2}) == 1);
  CHECK(count({0, 1, 2, 2, 3, 0}) == 2);
}

TEST_CASE("flat, crossing and absurd polygons end") {
  const std::vector<Vec3> line = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {3, 0, 0}, {1, 0, 0}};
  const std::vector<Vec3> bow = {{0, 0, 0}, {2, 2, 0}, {2, 0, 0}, {0, 1, 0}};
  const std::vector<Vec3> huge = {{0, 0, 0}, {1e300, 0, 0}, {1e300, 1e300, 0}, {0, 1e300, 1}};
  for (const auto& polygon : {line, bow, huge}) CHECK(cut(polygon).size() <= polygon.size() - 2);
}

TEST_CASE("a comb of 20000 corners is cut or given up in bounded time, always completely") {
  std::vector<Vec3> comb;
  for (int i = 0; i < 10000; ++i) {
    comb.emplace_back(i, 0, 0);
    comb.emplace_back(i + 0.5, 100, 0);
  }
  comb.emplace_back(10000, -1, 0);
  comb.emplace_back(0, -1, 0);
  std::reverse(comb.begin(), comb.end());
  std::vector<int> corners(comb.size());
  std::iota(corners.begin(), corners.end(), 0);
  std::vector<Triangle> triangles;
  PolygonCutter cutter;
  CHECK(cutter.cut(corners, comb, triangles) == int(comb.size()) - 2);
}
