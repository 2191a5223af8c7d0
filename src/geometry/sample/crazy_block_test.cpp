#include "geometry/sample/crazy_block.h"

#include <doctest/doctest.h>

#include "geometry/sample/tet_block.h"

using namespace pliant;

TEST_CASE("the quality of a regular block is known") {
  const TetQuality q = quality(tet_block({2, 2, 2}, {2, 2, 2}));
  CHECK(q.least_angle == doctest::Approx(45));
  CHECK(q.edge_ratio == doctest::Approx(std::sqrt(2.0)));
  CHECK(q.least_volume == doctest::Approx(5.0 / 6));
}

TEST_CASE("a crazy block is as bad as promised, and still fills its cube without overlap") {
  for (const int cells : {6, 10}) {
    const TetMesh mesh = crazy_block(cells, 2);
    CHECK(mesh.tets.size() == std::size_t(5 * cells * cells * cells));
    const TetQuality q = quality(mesh);
    CHECK(q.least_angle < 0.3);
    CHECK(q.edge_ratio >= 67);
    // All positive and of the right sum: nothing can overlap.
    CHECK(q.least_volume > 0);
    CHECK(volume(mesh) == doctest::Approx(8).epsilon(1e-12));
    for (const Vec3& p : mesh.points) CHECK(((p.array() >= 0) && (p.array() <= 2)).all());
  }
}

TEST_CASE("a crazy block is the same each time, and another for another seed") {
  CHECK(crazy_block(4, 1, 5).points == crazy_block(4, 1, 5).points);
  CHECK(crazy_block(4, 1, 5).points != crazy_block(4, 1, 6).points);
}
