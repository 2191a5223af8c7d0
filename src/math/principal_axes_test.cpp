#include "math/principal_axes.h"

#include <doctest/doctest.h>

#include "math/test_random.h"

using namespace pliant;

TEST_CASE("principal axes put a symmetric matrix together again, and are at right angles") {
  for (int seed = 0; seed < 20; ++seed) {
    const Mat3 any = test::random_matrix(seed);
    const Mat3 A = any + any.transpose();
    const PrincipalAxes axes = principal_axes(A);
    const Mat3& V = axes.directions;
    CHECK((V * axes.values.asDiagonal() * V.transpose() - A).norm() < 1e-12);
    CHECK((V.transpose() * V - Mat3::Identity()).norm() < 1e-13);
    CHECK(axes.values[0] <= axes.values[1]);
    CHECK(axes.values[1] <= axes.values[2]);
    CHECK((principal_values(A) - axes.values).norm() < 1e-12);
  }
}

TEST_CASE("the shortest solution solves, and leaves alone what the matrix does not see") {
  for (int seed = 0; seed < 20; ++seed) {
    const Mat3 any = test::random_matrix(seed);
    const Vec3 b = test::random_vector(99, std::uint64_t(seed));
    const Mat3 full = any * any.transpose() + 0.1 * Mat3::Identity();
    CHECK((full * shortest_solution(full, b) - b).norm() < 1e-12);

    const Vec3 n = any.col(0).normalized(), u = n.unitOrthogonal(), v = n.cross(u);
    const Mat3 flat = 2 * u * u.transpose() + 0.3 * v * v.transpose();
    const Vec3 x = shortest_solution(flat, b);
    CHECK((flat * x - (b - n * n.dot(b))).norm() < 1e-12);
    CHECK(std::abs(x.dot(n)) < 1e-12);
  }
  CHECK(shortest_solution(Mat3::Zero(), Vec3(1, 2, 3)) == Vec3::Zero());
}
