#include "geometry/query/triangle_box.h"

#include <doctest/doctest.h>

#include "core/random.h"

using namespace pliant;

namespace {

// Sutherland's clipping: what is left of the triangle inside the box. Empty exactly when they are
// apart.
bool meets_by_clipping(const std::array<Vec3, 3>& triangle, const Vec3& centre, const Vec3& half) {
  std::vector<Vec3> polygon(triangle.begin(), triangle.end());
  for (int side = 0; side < 6; ++side) {
    const int axis = side / 2;
    const double sign = side % 2 ? 1 : -1;
    const auto beyond = [&](const Vec3& p) { return sign * (p[axis] - centre[axis]) - half[axis]; };
    std::vector<Vec3> left;
    for (std::size_t i = 0; i < polygon.size(); ++i) {
      const Vec3 a = polygon[i], b = polygon[(i + 1) % polygon.size()];
      const double da = beyond(a), db = beyond(b);
      if (da <= 0) left.push_back(a);
      if ((da < 0 && db > 0) || (da > 0 && db < 0)) left.push_back(a + da / (da - db) * (b - a));
    }
    polygon = left;
  }
  return !polygon.empty();
}

}  // namespace

TEST_CASE("a triangle meets a box exactly when clipping leaves something of it") {
  int met = 0, near_miss = 0;
  for (int i = 0; i < 20000; ++i) {
    std::array<Vec3, 3> triangle;
    for (int k = 0; k < 9; ++k)
      triangle[k / 3][k % 3] = 4 * random_unit(2, std::uint64_t(9 * i + k)) - 2;
    const Vec3 half(0.5, 0.7, 0.3);
    const bool expected = meets_by_clipping(triangle, {0.1, 0.2, 0.3}, half);
    REQUIRE(triangle_meets_box(triangle, {0.1, 0.2, 0.3}, half) == expected);
    met += expected;
    near_miss += !expected;
  }
  CHECK(met > 2000);
  CHECK(near_miss > 2000);
}

TEST_CASE("touching counts as meeting, and a box around the whole triangle does too") {
  const std::array<Vec3, 3> triangle = {Vec3(1, 0, 0), Vec3(1, 1, 0), Vec3(1, 0, 1)};
  CHECK(triangle_meets_box(triangle, Vec3::Zero(), Vec3::Constant(1)));
  CHECK_FALSE(triangle_meets_box(triangle, Vec3::Zero(), Vec3::Constant(0.999)));
  CHECK(triangle_meets_box(triangle, Vec3::Zero(), Vec3::Constant(9)));
}
