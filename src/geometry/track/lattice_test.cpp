#include "geometry/track/lattice.h"

#include <doctest/doctest.h>

#include "geometry/mesh/primitives.h"
#include "geometry/query/winding_number.h"
#include "geometry/track/track_testing.h"
#include "math/test_random.h"

using namespace pliant;
using track::Lattice;

TEST_CASE("nodes are wound round as often as the solid angle says") {
  TriangleMesh hole = sphere_mesh(0.2, 0.1);
  for (Triangle& t : hole.triangles) std::swap(t[1], t[2]);
  const TriangleMesh ball = sphere_mesh(0.4, 0.1);
  // A hollow ball, and another one that overlaps it.
  const TriangleMesh mesh =
      test::joined(test::joined(ball, hole, Vec3::Zero()), ball, Vec3(0.5, 0.1, 0));
  const WindingNumber winding(mesh);
  for (const double shift : {0.0, 0.3}) {
    Lattice lattice;
    REQUIRE(lattice.lay(mesh.points, mesh.triangles, 0.07, Vec3(shift, 0.7 * shift, 0.1)));
    lattice.scan(mesh.triangles);
    for (std::size_t n = 0; n < lattice.nodes(); ++n) {
      const Lattice::Node at = lattice.node(n);
      const double exact = winding.at(lattice.to_space(Vec3(at[0], at[1], at[2])));
      if (std::abs(exact - std::round(exact)) > 0.1) continue;  // on the surface
      REQUIRE(int(lattice.winding[n]) == int(std::lround(exact)));
    }
  }
}

TEST_CASE("rows sum to zero when all points lie in the lattice's planes") {
  const TriangleMesh box = box_mesh(Vec3(1, 1, 1), 0.25);
  Lattice lattice;
  REQUIRE(lattice.lay(box.points, box.triangles, 0.125, Vec3::Zero()));
  lattice.scan(box.triangles);
  int inside = 0;
  for (int axis = 0; axis < 3; ++axis)
    for (std::size_t l = 0; l < lattice.lines(axis); ++l) {
      int sum = 0;
      for (const Lattice::Crossing& c : lattice.line(axis, l)) sum += c.turn;
      REQUIRE(sum == 0);
    }
  for (std::size_t n = 0; n < lattice.nodes(); ++n) inside += lattice.inside[n];
  CHECK(inside == 8 * 8 * 8);
}

TEST_CASE("no lattice is laid about points that are not finite or too far apart") {
  TriangleMesh ball = sphere_mesh(0.4, 0.1);
  Lattice lattice;
  CHECK(lattice.lay(ball.points, ball.triangles, 0.1, Vec3::Zero()));
  ball.points[3] = Vec3(1e5, 1e5, 1e5);
  CHECK(!lattice.lay(ball.points, ball.triangles, 0.1, Vec3::Zero()));
  ball.points[3] = Vec3(0, std::nan(""), 0);
  CHECK(!lattice.lay(ball.points, ball.triangles, 0.1, Vec3::Zero()));
}
