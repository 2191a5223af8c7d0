#include "geometry/query/near_group.h"

#include <doctest/doctest.h>

#include "core/errors.h"
#include "geometry/mesh/primitives.h"

using namespace pliant;

TEST_CASE("what is nearest to a group of faces goes with it") {
  TriangleMesh box = box_mesh(Vec3(2, 1, 1), 0.25);
  TriangleMesh::Group right{"right", {}};
  for (int t = 0; t < int(box.triangles.size()); ++t)
    if (area_vector(box, t).normalized().x() > 0.9) right.triangles.push_back(t);
  box.groups = {right};
  const NearGroup near(box, "right");
  CHECK(near.contains({0.9, 0, 0}));
  CHECK(near.contains({2, 0, 0}));
  CHECK(!near.contains({0.9, 0.45, 0}));
  CHECK(!near.contains({-0.9, 0, 0}));
  CHECK_THROWS_AS(NearGroup(box, "left"), InputError);
}
