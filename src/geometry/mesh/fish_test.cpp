#include "geometry/mesh/fish.h"

#include <cmath>
#include <doctest/doctest.h>

#include "core/errors.h"
#include "geometry/mesh/topology.h"

using namespace pliant;

TEST_CASE("a fish is one closed, even surface that faces outwards, however coarse") {
  for (const double edge : {1.0, 0.1, 0.02, 0.011}) {
    const TriangleMesh fish = fish_mesh(1, edge);
    const Topology found = topology(fish);
    CHECK(found.closed);
    CHECK(found.oriented());
    CHECK(found.crowded_edges == 0);
    CHECK(found.shells == 1);
    CHECK(int(fish.points.size()) - found.edges + int(fish.triangles.size()) == 2);
    CHECK(volume(fish) > 0);
    double least = 1;
    for (int t = 0; t < int(fish.triangles.size()); ++t)
      least = std::min(least, area_vector(fish, t).norm());
    CHECK(least > 0);
  }
  CHECK(fish_mesh(1, 0.011).triangles.size() == doctest::Approx(20000).epsilon(0.06));
}

TEST_CASE("a fish is as long as asked, and scales") {
  const TriangleMesh fish = fish_mesh(1, 1.0 / 64), large = fish_mesh(2, 1.0 / 32);
  CHECK(bounds(fish.points).extent().x() == doctest::Approx(1).epsilon(1e-12));
  CHECK(volume(large) == doctest::Approx(8 * volume(fish)).epsilon(1e-12));
  CHECK_THROWS_AS(fish_mesh(1, 1e-6), InputError);
}

TEST_CASE("right and left of a fish are mirror images") {
  const TriangleMesh fish = fish_mesh(1, 0.02);
  double right = 0, left = 0;
  for (const Vec3& p : fish.points) {
    right = std::max(right, p.z());
    left = std::min(left, p.z());
  }
  CHECK(right == -left);
  Vec3 centre = Vec3::Zero();  // of volume, times it
  for (const Triangle& t : fish.triangles) {
    const Vec3 &a = fish.points[t[0]], &b = fish.points[t[1]], &c = fish.points[t[2]];
    centre += a.dot(b.cross(c)) / 24 * (a + b + c);
  }
  CHECK(std::abs(centre.z()) < 1e-6 * volume(fish));
  CHECK(centre.x() / volume(fish) < -0.1);  // a fish is heaviest before its middle
}
