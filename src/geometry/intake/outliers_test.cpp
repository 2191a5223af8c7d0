#include "geometry/intake/outliers.h"

#include <doctest/doctest.h>

#include "core/random.h"

using namespace pliant;

namespace {

// A square of points one apart, and some far above it.
std::vector<Vec3> square_and_dust(int side, int dust) {
  std::vector<Vec3> points;
  for (int i = 0; i < side * side; ++i) points.emplace_back(i % side, 0, i / side);
  for (int i = 0; i < dust; ++i)
    points.emplace_back(50 * i, 100 + 10 * random_unit(3, std::uint64_t(i)), 0);
  return points;
}

}  // namespace

TEST_CASE("points far from all others are left out, the others stay in their order") {
  std::vector<Vec3> points = square_and_dust(30, 20);
  const std::vector<Vec3> square(points.begin(), points.begin() + 900);
  CHECK(without_outliers(points, 5) == square);
  points.emplace_back(1e300, -1e300, 1e300);  // farther than bins can be counted
  CHECK(without_outliers(points, 5) == square);
  CHECK(without_outliers(square, 5) == square);
}

TEST_CASE("a second body is no outlier, and where many points are alone all are kept") {
  std::vector<Vec3> two = square_and_dust(30, 0);
  for (int i = 0; i < 100; ++i) two.emplace_back(200 + i % 10, 0, i / 10);
  CHECK(without_outliers(two, 5).size() == two.size());
  const std::vector<Vec3> sparse = square_and_dust(10, 40);
  CHECK(without_outliers(sparse, 5).size() == sparse.size());
  CHECK(without_outliers({}, 5).empty());
}
