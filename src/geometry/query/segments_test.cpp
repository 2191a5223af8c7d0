#include "geometry/query/segments.h"

#include <doctest/doctest.h>

#include "math/test_random.h"

using namespace pliant;
using namespace pliant::test;

TEST_CASE("no other pair of points of two segments is nearer than the one found") {
  for (int i = 0; i < 500; ++i) {
    Vec3 end[4];
    for (int k = 0; k < 4; ++k) end[k] = random_vector(1, 4 * i + k);
    if (i % 5 == 1) end[3] = end[2] + (end[1] - end[0]);  // parallel
    if (i % 5 == 2) end[1] = end[0];                      // a point
    if (i % 7 == 3) end[3] = end[2];
    const SegmentPair pair = closest_between_segments(end[0], end[1], end[2], end[3]);
    CHECK(pair.s >= 0);
    CHECK(pair.s <= 1);
    CHECK(pair.t >= 0);
    CHECK(pair.t <= 1);
    const auto distance = [&](double s, double t) {
      return (end[0] + s * (end[1] - end[0]) - end[2] - t * (end[3] - end[2])).norm();
    };
    CHECK(pair.distance == doctest::Approx(distance(pair.s, pair.t)));
    for (int s = 0; s <= 20; ++s)
      for (int t = 0; t <= 20; ++t) CHECK(distance(s / 20.0, t / 20.0) >= pair.distance - 1e-12);
  }
}

TEST_CASE("a passage is found exactly when the point changes sides inside the triangle") {
  int found = 0, missed = 0;
  for (int i = 0; i < 2000; ++i) {
    // Everything moves; where the point passes is chosen beforehand.
    MovingTriangle moving;
    for (int k = 0; k < 3; ++k)
      for (int end = 0; end < 2; ++end)
        moving.corner[k][end] = random_vector(2, 6 * i + 2 * k + end);
    const double when = 0.05 + 0.9 * random_unit(3, i);
    Vec3 share(random_unit(4, i), random_unit(5, i), random_unit(6, i));
    share /= share.sum();
    const bool beside = i % 2 == 1;
    if (beside) share = Vec3(-0.2, 0.5, 0.7);
    Vec3 there = Vec3::Zero();
    for (int k = 0; k < 3; ++k)
      there += share[k] * ((1 - when) * moving.corner[k][0] + when * moving.corner[k][1]);
    const Vec3 speed = 3 * random_vector(7, i);
    moving.point[0] = there - when * speed;
    moving.point[1] = there + (1 - when) * speed;
    const std::optional<Passage> passage = first_passage(moving);
    if (!beside) {
      // An earlier one is possible; this one is not to be missed.
      REQUIRE(passage.has_value());
      CHECK(passage->time <= when + 1e-9);
      if (std::abs(passage->time - when) < 1e-9) {
        CHECK((passage->share - share).norm() < 1e-6);
        ++found;
      }
    } else if (!passage) {
      ++missed;
    }
    if (!passage) continue;
    // Wherever it is, it is true: the point lies in the triangle then.
    Vec3 in_triangle = Vec3::Zero();
    for (int k = 0; k < 3; ++k)
      in_triangle += passage->share[k] * ((1 - passage->time) * moving.corner[k][0] +
                                          passage->time * moving.corner[k][1]);
    const Vec3 x = (1 - passage->time) * moving.point[0] + passage->time * moving.point[1];
    CHECK((in_triangle - x).norm() < 1e-6);
    CHECK(passage->share.minCoeff() > -1e-8);
  }
  CHECK(found > 500);
  CHECK(missed > 300);
}

TEST_CASE("resting in the plane, and triangles without area, are no passages") {
  MovingTriangle still;
  const Vec3 corners[3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  for (int k = 0; k < 3; ++k) still.corner[k][0] = still.corner[k][1] = corners[k];
  still.point[0] = still.point[1] = {0.2, 0.2, 0};
  CHECK(!first_passage(still));
  still.point[1] = {0.2, 0.2, -1};  // leaves the plane it stood in
  CHECK(!first_passage(still));
  for (int k = 0; k < 3; ++k) still.corner[k][0] = still.corner[k][1] = Vec3::Zero();
  still.point[0] = {0, 0, 1};
  CHECK(!first_passage(still));
}

TEST_CASE("edges that pass each other cross where both are at that time, others do not") {
  int found = 0, missed = 0;
  for (int i = 0; i < 2000; ++i) {
    // One edge crosses the other at a place and a time that we choose; both are moved besides.
    const double time = 0.05 + 0.9 * random_unit(41, i);
    const double s = random_unit(42, i), t = random_unit(43, i) * 2.4 - 0.7;  // often beside
    const Vec3 along_p = random_vector(44, i), along_q = random_vector(45, i);
    const Vec3 meet = random_vector(46, i), way_p = random_vector(47, i),
               way_q = random_vector(48, i);
    MovingEdges moving;
    for (int k = 0; k < 2; ++k) {
      moving.p[0][k] = meet - s * along_p + (k - time) * way_p;
      moving.p[1][k] = moving.p[0][k] + along_p;
      moving.q[0][k] = meet - t * along_q + (k - time) * way_q;
      moving.q[1][k] = moving.q[0][k] + along_q;
    }
    const auto crossing = first_crossing(moving);
    if (t > 0.02 && t < 0.98) {
      REQUIRE(crossing);
      CHECK(crossing->time == doctest::Approx(time).epsilon(1e-6));
      CHECK(crossing->s == doctest::Approx(s).epsilon(1e-5));
      CHECK(crossing->t == doctest::Approx(t).epsilon(1e-5));
      ++found;
    } else if (t < -0.02 || t > 1.02) {
      CHECK(!crossing);
      ++missed;
    }
  }
  CHECK(found > 500);
  CHECK(missed > 500);
}
