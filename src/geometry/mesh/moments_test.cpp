#include "geometry/mesh/moments.h"

#include <doctest/doctest.h>
#include <numbers>

#include "geometry/mesh/primitives.h"

using namespace pliant;

namespace {

/// About the centre of mass.
Mat3 inertia(const TriangleMesh& mesh) { return inertia_of(moments(mesh, Vec3::Zero()).spread()); }

}  // namespace

TEST_CASE("volume, centre and inertia of a box are those of the textbook, wherever it lies") {
  const Vec3 size(0.3, 1.1, 2.0), place(4, -7, 3);
  const Mat3 turn = Quat(Eigen::AngleAxisd(0.7, Vec3(1, 2, -1).normalized())).toRotationMatrix();
  TriangleMesh box = box_mesh(size, 0.4);
  for (Vec3& p : box.points) p = turn * p + place;
  for (const Vec3& origin : {Vec3(Vec3::Zero()), place, Vec3(-2, 5, 1)}) {
    const Moments found = moments(box, origin);
    const double mass = size.prod();
    CHECK(found.mass == doctest::Approx(mass).epsilon(1e-12));
    CHECK((found.centre() + origin - place).norm() < 1e-12);
    const Vec3 squares = size.cwiseAbs2();
    const Vec3 diagonal = mass / 12 * (Vec3::Constant(squares.sum()) - squares);
    const Mat3 expected = turn * diagonal.asDiagonal() * turn.transpose();
    CHECK((inertia_of(found.spread()) - expected).norm() < 1e-11);
  }
}

TEST_CASE("moments of finer and finer spheres and cylinders tend to the textbook's, as edge^2") {
  const double pi = std::numbers::pi;
  double before[2] = {0, 0};
  for (const double edge : {0.1, 0.05}) {
    const double ball = 4.0 / 3 * pi;
    const Mat3 of_ball = inertia(sphere_mesh(1, edge));
    const Mat3 of_rod = inertia(cylinder_mesh(0.5, 2, edge));
    const double rod = pi * 0.25 * 2;
    const Vec3 expected(rod * (3 * 0.25 + 4) / 12, rod * 0.25 / 2, rod * (3 * 0.25 + 4) / 12);
    const double error[2] = {(of_ball - 0.4 * ball * Mat3::Identity()).norm() / (0.4 * ball),
                             (of_rod - Mat3(expected.asDiagonal())).norm() / expected.norm()};
    CHECK(error[0] < 0.03);
    CHECK(error[1] < 0.03);
    if (before[0] > 0) {
      CHECK(before[0] / error[0] == doctest::Approx(4).epsilon(0.15));
      CHECK(before[1] / error[1] == doctest::Approx(4).epsilon(0.3));
    }
    before[0] = error[0], before[1] = error[1];
  }
}

TEST_CASE("tets of a box sum up to the box, and a mirrored tet counts negative") {
  const std::array<Vec3, 4> tet = {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, 1)};
  const Moments found = moments(tet);
  CHECK(found.mass == doctest::Approx(1.0 / 6));
  CHECK((found.centre() - Vec3::Constant(0.25)).norm() < 1e-15);
  CHECK(found.second(0, 0) == doctest::Approx(1.0 / 60));   // integral of x^2 over the unit tet
  CHECK(found.second(0, 1) == doctest::Approx(1.0 / 120));  // of x y
  CHECK(moments({tet[0], tet[2], tet[1], tet[3]}).mass == doctest::Approx(-1.0 / 6));
}
