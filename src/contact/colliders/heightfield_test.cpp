#include "contact/colliders/heightfield.h"

#include <cmath>
#include <doctest/doctest.h>

#include "contact/colliders/collider_distance.h"
#include "contact/colliders/collider_sweep.h"
#include "contact/test_scene.h"
#include "geometry/query/bvh.h"
#include "geometry/query/segments.h"

using namespace pliant;
using namespace pliant::test;

namespace {

Heightfield hills() {
  std::vector<double> heights;
  for (int r = 0; r < 9; ++r)
    for (int c = 0; c < 13; ++c) heights.push_back(0.3 * std::sin(0.9 * c) * std::cos(0.7 * r));
  return Heightfield(13, heights, {3, 2});
}

/// The triangles of hills() and of the level ground around them, a few metres wide.
TriangleMesh with_surroundings() {
  std::vector<double> wide;
  for (int r = -12; r < 21; ++r)
    for (int c = -12; c < 25; ++c) {
      const int cc = std::clamp(c, 0, 12), rr = std::clamp(r, 0, 8);
      wide.push_back(0.3 * std::sin(0.9 * cc) * std::cos(0.7 * rr));
    }
  return Heightfield(37, wide, {9, 8}).surface();
}

HeightfieldShape shape_of(const Heightfield& field) {
  return {std::make_shared<const Heightfield>(field)};
}

}  // namespace

TEST_CASE("the nearest point of a heightfield is that of its triangles, above, below and beside") {
  const Heightfield field = hills();
  CHECK(field.surface().triangles.size() == 2 * 12 * 8);
  const TriangleMesh all = with_surroundings();
  int beyond = 0;
  for (int i = 0; i < 400; ++i) {
    const Vec3 p = random_vector(31, std::uint64_t(i)).cwiseProduct(Vec3(2, 0.8, 1.5));
    beyond += std::abs(p.x()) > 1.5 || std::abs(p.z()) > 1 ? 1 : 0;
    const SurfacePoint judge = closest_point_brute_force(all, p, 10);
    const auto hit = shape_distance(shape_of(field), p);
    REQUIRE(hit);
    CHECK(std::abs(hit->gap) == doctest::Approx(judge.distance).epsilon(1e-9));
    CHECK((hit->gap < 0) == (p.y() < field.below(p).point.y()));
    CHECK(distance_bound(shape_of(field), p) <= std::max(0.0, hit->gap + 1e-12));
    CHECK(hit->normal.norm() == doctest::Approx(1));
    CHECK(hit->gap == doctest::Approx(hit->normal.dot(p - hit->point)));
    const auto near = shape_distance(shape_of(field), p, 0.1);
    if (judge.distance < 0.1 || hit->gap < 0) CHECK(near.has_value());
    else CHECK(!near.has_value());
  }
  CHECK(beyond > 50);
}

TEST_CASE("the nearest point of a heightfield is found from afar, above, below and beside it") {
  const HeightfieldShape shape = shape_of(hills());
  const TriangleMesh surface = shape.field->surface();
  // Far away, and with a reach that has no end, in a time that does not grow with either.
  for (const double far : {1e3, 1e6, 1e9}) {
    for (const Vec3& way : {Vec3(0, 1, 0), Vec3(0.6, 1, -0.3), Vec3(0, -1, 0), Vec3(-1, -0.2, 0.5)})
      CHECK(shape.field->closest(far * way, 1e12));
    CHECK_FALSE(shape.field->closest(far * Vec3(0.1, 1, 0), 0.5 * far));
  }
  for (int i = 0; i < 300; ++i) {
    const Vec3 p = random_vector(37, std::uint64_t(i)).cwiseProduct(Vec3(2, 3, 2));
    double nearest = (p - shape.field->below(p).point).norm();
    for (const Triangle& t : surface.triangles)
      nearest = std::min(nearest, closest_on_triangle(p, surface.points[t[0]], surface.points[t[1]],
                                                      surface.points[t[2]])
                                      .distance);
    const auto hit = shape.field->closest(p, 100);
    REQUIRE(hit);
    // Level ground beyond the rim may be nearer still.
    CHECK(std::sqrt(hit->squared_distance) < nearest + 1e-12);
    CHECK(hit->squared_distance == doctest::Approx((hit->point - p).squaredNorm()));
  }
}

TEST_CASE("gap and normal agree: moving along the normal changes the gap by as much") {
  const HeightfieldShape shape = shape_of(hills());
  for (int i = 0; i < 100; ++i) {
    const Vec3 p = random_vector(33, std::uint64_t(i)).cwiseProduct(Vec3(1.5, 0.6, 1));
    const auto hit = shape_distance(shape, p);
    const double eps = 1e-6;
    const auto further = shape_distance(shape, p + eps * hit->normal);
    if (std::abs(hit->gap) < 1e-3) continue;
    CHECK(std::abs((further->gap - hit->gap) / eps - 1) < 1e-3);
  }
}

TEST_CASE("a path enters a heightfield where small steps along it first find the inside") {
  const HeightfieldShape shape = shape_of(hills());
  int entered = 0;
  for (int i = 0; i < 200; ++i) {
    const Vec3 from = random_vector(35, std::uint64_t(i)).cwiseProduct(Vec3(2, 0.6, 1.4));
    const Vec3 to = random_vector(36, std::uint64_t(i)).cwiseProduct(Vec3(2, 0.6, 1.4));
    const auto inside = [&](const Vec3& p) { return p.y() < shape.field->below(p).point.y(); };
    const auto hit = sweep(shape, from, to);
    if (inside(from)) {
      CHECK(!hit);
      continue;
    }
    double judge = 2;
    for (int k = 0; k <= 2000 && judge > 1; ++k)
      if (inside(from + k / 2000.0 * (to - from))) judge = k / 2000.0;
    if (judge > 1 && hit) {  // a crest cut between two small steps
      const double at = (hit->point - from).norm() / (to - from).norm();
      CHECK(inside(from + (at + 1e-5) * (to - from)));
      continue;
    }
    CHECK((judge <= 1) == hit.has_value());
    if (!hit) continue;
    ++entered;
    CHECK(std::abs((hit->point - from).norm() / (to - from).norm() - judge) < 1e-3);
    CHECK(std::abs(hit->point.y() - shape.field->below(hit->point).point.y()) < 1e-9);
  }
  CHECK(entered > 40);
}

TEST_CASE("a path enters a heightfield where it first goes down through one of its triangles") {
  const Heightfield field = hills();
  const TriangleMesh all = with_surroundings();
  int entered = 0, beyond = 0, missed = 0;
  for (int i = 0; i < 4000; ++i) {
    const auto n = std::uint64_t(i);
    Vec3 from = random_vector(41, n).cwiseProduct(Vec3(4.4, 0.6, 3.9));
    Vec3 to = random_vector(42, n).cwiseProduct(Vec3(4.4, 0.6, 3.9));
    if (i % 3 == 0) to = from + 0.1 * (to - from);
    if (i % 5 == 0) to.x() = from.x();
    if (i % 7 == 0) to.z() = from.z();
    if (i % 11 == 0) to.y() = from.y();
    const auto entry = field.enter(from, to);
    double judge = 2;
    Vec3 face = Vec3::Zero();
    for (const Triangle& t : all.triangles) {
      const Vec3 &a = all.points[t[0]], &b = all.points[t[1]], &c = all.points[t[2]];
      const double at = cross_triangle(a, b, c, from, to - from, true);
      if (at >= judge) continue;
      judge = at;
      face = (b - a).cross(c - a).normalized();
    }
    if (from.y() < field.below(from).point.y()) judge = 2;
    REQUIRE(entry.has_value() == (judge <= 1));
    if (!entry) {
      ++missed;
      continue;
    }
    ++entered;
    const Vec3 at = from + entry->at * (to - from);
    beyond += std::abs(at.x()) > 1.5 || std::abs(at.z()) > 1 ? 1 : 0;
    CHECK(std::abs(entry->at - judge) * (to - from).norm() < 1e-9);
    CHECK((entry->face - face).norm() < 1e-9);
  }
  CHECK(entered > 500);
  CHECK(beyond > 200);
  CHECK(missed > 500);
}

TEST_CASE("a path over millions of cells enters a heightfield in a time that does not grow") {
  const Heightfield field = hills();
  // The ground beyond the corner is level: where the path comes to its height is known.
  const double height = field.below({1e6, 0, 1e6}).point.y();
  for (const double far : {1e3, 1e6, 1e9})
    for (int i = 0; i < 1000; ++i) {
      const Vec3 from(10 + i, height + 1, 10), to(10 + far, height - 1, 10 + 0.7 * far);
      const auto entry = field.enter(from, to);
      REQUIRE(entry);
      CHECK(entry->at == doctest::Approx(0.5).epsilon(1e-6));
      CHECK((entry->face - Vec3::UnitY()).norm() < 1e-12);
      CHECK_FALSE(field.enter(from, from + far * Vec3(-1, 1, -0.7)));
      const Vec3 over(-far, 1, -0.3 * far), under(far, -1, 0.3 * far);
      REQUIRE(field.enter(over, under));
    }
}

TEST_CASE("blocks fall onto hills, however fast, and rest there") {
  for (const double speed : {0.0, 60.0}) {
    Scene scene;
    scene.bodies.push_back(block<Projective>(3, 0.3, 2, 2e4, {-0.4, 0.6, -0.3}));
    Collider ground;
    ground.shape = shape_of(hills());
    scene.colliders.push_back(ground);
    set_velocity(scene.bodies[0], {0, -speed, 0});
    double lowest = 0;
    for (int i = 0; i < 60; ++i) {
      scene.step(1.0 / 60, 20);
      for (const Vec3& p : scene.bodies[0].skin.position)
        if (i > 5) lowest = std::min(lowest, shape_distance(ground.shape, p)->gap);
    }
    CHECK(lowest > -2e-3);
  }
}
