#include "methods/meshless/mls.h"

#include <doctest/doctest.h>

#include "core/errors.h"
#include "core/random.h"

using namespace pliant;
using namespace pliant::meshless;

namespace {

/// A grid of n^3 particles of unit spacing, moved about at random by up to `jitter`.
Neighbours cloud(int n, double jitter) {
  std::vector<Vec3> points;
  for (int k = 0; k < n * n * n; ++k) {
    Vec3 p(k % n, k / n % n, k / n / n);
    for (int d = 0; d < 3; ++d) p[d] += jitter * (2 * random_unit(4, 3 * k + d) - 1);
    points.push_back(p);
  }
  return {points, 1.0};
}

Vec3 place(int seed, double size) {
  return {size * random_unit(seed, 0), size * random_unit(seed, 1), size * random_unit(seed, 2)};
}

}  // namespace

TEST_CASE("functions reproduce constants and linear fields, and so do their gradients") {
  for (const double jitter : {0.0, 0.2}) {
    const Neighbours particles = cloud(6, jitter);
    for (int seed = 0; seed < 200; ++seed) {
      const Vec3 x = place(seed, 5);
      const Shape shape = shape_at(particles, x);
      double sum = 0;
      Vec3 at = Vec3::Zero(), slope = Vec3::Zero();
      Mat3 identity = Mat3::Zero();
      for (std::size_t i = 0; i < shape.node.size(); ++i) {
        const Vec3 away = particles.points()[shape.node[i]] - x;
        sum += shape.value[i];
        at += shape.value[i] * away;
        slope += shape.gradient[i];
        identity += away * shape.gradient[i].transpose();
      }
      CHECK(std::abs(sum - 1) < 1e-12);
      CHECK(at.norm() < 1e-12);
      CHECK(slope.norm() < 1e-12);
      CHECK((identity - Mat3::Identity()).norm() < 1e-12);
    }
  }
}

TEST_CASE("gradients are the change of values while the support keeps its radius") {
  const Neighbours particles = cloud(6, 0.2);
  const double eps = 1e-6;
  for (int seed = 0; seed < 20; ++seed) {
    const Vec3 x = place(seed, 5);
    const Shape here = shape_at(particles, x);
    for (int d = 0; d < 3; ++d) {
      const Shape up = shape_within(particles, x + eps * Vec3::Unit(d), here.radius);
      const Shape down = shape_within(particles, x - eps * Vec3::Unit(d), here.radius);
      if (up.node != here.node || down.node != here.node) continue;  // one came or went
      for (std::size_t i = 0; i < here.node.size(); ++i)
        CHECK(here.gradient[i][d] ==
              doctest::Approx((up.value[i] - down.value[i]) / (2 * eps)).epsilon(1e-6).scale(1));
    }
  }
}

TEST_CASE("on a regular grid there are 16 to 35 neighbours, and the matrices are good") {
  const Neighbours particles = cloud(9, 0);
  for (int seed = 0; seed < 200; ++seed) {
    const Shape shape = shape_at(particles, place(seed, 8));
    CHECK(shape.node.size() >= 14);
    CHECK(shape.node.size() <= 36);
    CHECK(shape.condition < 25);
  }
}

TEST_CASE("far outside the cloud linear fields are still exact") {
  const Neighbours particles = cloud(4, 0);
  const Shape shape = shape_at(particles, {5, 1.5, 1.5});
  Vec3 at = Vec3::Zero();
  for (std::size_t i = 0; i < shape.node.size(); ++i)
    at += shape.value[i] * particles.points()[shape.node[i]];
  CHECK((at - Vec3(5, 1.5, 1.5)).norm() < 1e-10);
}

TEST_CASE("particles in one plane are refused") {
  std::vector<Vec3> flat;
  for (int k = 0; k < 25; ++k) flat.emplace_back(k % 5, k / 5, 0);
  CHECK_THROWS_AS(shape_at(Neighbours(flat, 1), {2, 2, 0}), InputError);
}
