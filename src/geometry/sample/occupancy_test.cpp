#include "geometry/sample/occupancy.h"

#include <doctest/doctest.h>

#include "geometry/mesh/primitives.h"

using namespace pliant;

/// Two cubes of 1 m beside each other.
static TriangleMesh two_cubes(double gap) {
  TriangleMesh mesh = box_mesh({1, 1, 1}, 0.5), other = mesh;
  for (const Vec3& p : other.points) mesh.points.push_back(p + Vec3(1 + gap, 0, 0));
  const int first = int(other.points.size());
  for (const Triangle& t : other.triangles)
    mesh.triangles.push_back({first + t[0], first + t[1], first + t[2]});
  return mesh;
}

TEST_CASE("Pieces that a voxel cannot tell apart are one, others stay apart, and none is lost") {
  for (const double gap : {0.0, 0.05, 0.6}) {
    CAPTURE(gap);
    const Occupancy solid(two_cubes(gap), 2000);
    CHECK(solid.pieces == (gap < 0.1 ? 1 : 2));
    CHECK(solid.left_out == 0);
    CHECK(solid.volume() == doctest::Approx(2).epsilon(0.1));
  }
}

TEST_CASE("There is no way through the solid between two pieces") {
  const Occupancy solid(two_cubes(0.6), 2000);
  SolidDistance distance(solid);
  const int here = solid.near({0, 0, 0}), there = solid.near({1.6, 0, 0}),
            beside = solid.near({0.4, 0.3, 0});
  CHECK(distance.within(here, beside, 1, 10));
  CHECK(!distance.within(here, there, 10, 10));
}
