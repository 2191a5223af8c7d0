#include "formats/cad_domain.h"

#include <doctest/doctest.h>

using namespace pliant;

/// Parameters 0 to 4 and 0 to 1.
static NurbsPatch band() {
  NurbsPatch patch;
  patch.u = {1, {0, 0, 1, 2, 3, 4, 4}};
  patch.v = {1, {0, 0, 1, 1}};
  return patch;
}

static void add_rectangle(NurbsPatch& patch, const Vec2& low, const Vec2& high) {
  const int first = int(patch.domain.size());
  patch.domain.insert(patch.domain.end(),
                      {low, Vec2(high.x(), low.y()), high, Vec2(low.x(), high.y())});
  patch.triangles.push_back({first, first + 1, first + 2});
  patch.triangles.push_back({first, first + 2, first + 3});
}

static double area(const NurbsPatch& patch) {
  double sum = 0;
  for (const auto& [a, b, c] : patch.triangles) {
    const Vec2 p = patch.domain[b] - patch.domain[a], q = patch.domain[c] - patch.domain[a];
    sum += 0.5 * (p.x() * q.y() - p.y() * q.x());
  }
  return sum;
}

TEST_CASE("a domain inside its knots stays as it is") {
  NurbsPatch patch = band();
  add_rectangle(patch, {1, 0}, {4, 1});
  const NurbsPatch before = patch;
  CHECK(wrap_domain(patch, {4, 0}));
  CHECK(patch.domain == before.domain);
  CHECK(patch.triangles == before.triangles);
}

TEST_CASE("a domain beyond the seam of a closed patch is cut there and keeps its area and sense") {
  for (const double from : {-1.0, 3.0, 6.5, -31.25}) {
    NurbsPatch patch = band();
    add_rectangle(patch, {from, 0.25}, {from + 3, 0.75});
    CHECK(wrap_domain(patch, {4, 0}));
    CHECK(area(patch) == doctest::Approx(1.5));
    for (const Vec2& at : patch.domain) CHECK((at.x() >= 0 && at.x() <= 4));
    for (const auto& [a, b, c] : patch.triangles) {
      double low = 4, high = 0;
      for (const int corner : {a, b, c}) {
        low = std::min(low, patch.domain[corner].x());
        high = std::max(high, patch.domain[corner].x());
      }
      CHECK(high - low <= 3);
    }
  }
}

TEST_CASE("a domain that runs round more than twice is cut at each turn") {
  NurbsPatch patch = band();
  add_rectangle(patch, {-1, 0}, {8.2, 1});
  CHECK(wrap_domain(patch, {4, 0}));
  CHECK(area(patch) == doctest::Approx(9.2));
}

TEST_CASE("pieces on either side of the seam have the same corners along it") {
  NurbsPatch patch = band();
  add_rectangle(patch, {3, 0.1}, {5, 0.9});
  REQUIRE(wrap_domain(patch, {4, 0}));
  std::vector<double> left, right;
  for (const Vec2& at : patch.domain) {
    if (at.x() == 0) left.push_back(at.y());
    if (at.x() == 4) right.push_back(at.y());
  }
  std::sort(left.begin(), left.end());
  std::sort(right.begin(), right.end());
  CHECK(left.size() == 3);
  CHECK(left == right);
}

TEST_CASE("rounding is clamped, more than that is told") {
  NurbsPatch patch = band();
  add_rectangle(patch, {-1e-6, 0}, {4, 1 + 1e-7});
  CHECK(wrap_domain(patch, {0, 0}));
  for (const Vec2& at : patch.domain) CHECK((at.x() >= 0 && at.y() <= 1));
  add_rectangle(patch, {1, 0}, {2, 1.5});
  CHECK(!wrap_domain(patch, {4, 0}));
  patch = band();
  add_rectangle(patch, {1e9, 0}, {1e9 + 1, 1});
  CHECK(!wrap_domain(patch, {4, 0}));
  patch.domain[0].x() = std::nan("");
  CHECK(!wrap_domain(patch, {4, 0}));
}
