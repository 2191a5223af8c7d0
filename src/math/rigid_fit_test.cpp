#include "math/rigid_fit.h"

#include <doctest/doctest.h>

#include "core/random.h"

using namespace pliant;

namespace {

std::vector<Vec3> cloud(int seed, int count) {
  std::vector<Vec3> points;
  for (int i = 0; i < count; ++i)
    points.emplace_back(random_unit(seed, 3 * i), 2 * random_unit(seed, 3 * i + 1),
                        3 * random_unit(seed, 3 * i + 2));
  return points;
}

std::vector<double> weights(int seed, int count) {
  std::vector<double> w;
  for (int i = 0; i < count; ++i) w.push_back(0.1 + random_unit(seed, i));
  return w;
}

Quat turn(int seed) {
  return Quat(random_unit(seed, 0) - 0.5, random_unit(seed, 1) - 0.5, random_unit(seed, 2) - 0.5,
              random_unit(seed, 3) - 0.5)
      .normalized();
}

}  // namespace

TEST_CASE("a moved and turned shape is at distance zero, and its motion is found") {
  for (int seed = 0; seed < 20; ++seed) {
    const std::vector<Vec3> from = cloud(seed, 30);
    const std::vector<double> w = weights(seed + 100, 30);
    const Pose truth{turn(seed + 200), Vec3(4, -5, 6)};
    std::vector<Vec3> to;
    for (const Vec3& p : from) to.push_back(truth.apply(p));
    CHECK(shape_distance(from, to, w) < 1e-13);
    const Pose found = best_rigid_fit(from, to, w);
    CHECK(std::abs(found.rotation.dot(truth.rotation)) == doctest::Approx(1).epsilon(1e-13));
  }
}

TEST_CASE("no other rigid motion near the best one fits better") {
  const std::vector<Vec3> from = cloud(1, 20), to = cloud(2, 20);
  const std::vector<double> w = weights(3, 20);
  const auto squares = [&](const Pose& pose) {
    double sum = 0;
    for (int i = 0; i < 20; ++i) sum += w[i] * (pose.apply(from[i]) - to[i]).squaredNorm();
    return sum;
  };
  const Pose best = best_rigid_fit(from, to, w);
  for (int axis = 0; axis < 3; ++axis)
    for (const double by : {-1e-3, 1e-3}) {
      Pose other = best;
      other.position += by * Vec3::Unit(axis);
      CHECK(squares(other) > squares(best));
      other = best;
      other.rotation = Quat(Eigen::AngleAxisd(by, Vec3::Unit(axis))) * other.rotation;
      CHECK(squares(other) > squares(best));
    }
}

TEST_CASE("a mirrored shape is not the same shape; points and lines have a distance too") {
  const std::vector<Vec3> from = cloud(5, 40);
  const std::vector<double> w(40, 1.0);
  std::vector<Vec3> mirrored = from, line = from;
  for (Vec3& p : mirrored) p.x() *= -1;
  for (Vec3& p : line) p = Vec3(p.x(), 0, 0);
  CHECK(shape_distance(from, mirrored, w) > 0.1);
  CHECK(best_rigid_fit(from, mirrored, w).rotation.toRotationMatrix().determinant() > 0);
  CHECK(shape_distance(line, line, w) < 1e-14);
  CHECK(shape_distance(std::vector<Vec3>(40, Vec3::Ones()), std::vector<Vec3>(40, Vec3::Zero()),
                       w) == 0);
}
