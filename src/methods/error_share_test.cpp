#include "methods/error_share.h"

#include <doctest/doctest.h>

#include "geometry/nurbs/primitives.h"
#include "methods/nurbs/nurbs.h"

using namespace pliant;

TEST_CASE(
    "the error energy is a small share of what smooth loads do to a beam, of a stretch none") {
  Solid solid;
  solid.patches = nurbs_beam({1, 0.2, 0.2}, 3);
  solid.surface = tessellate(solid.patches, 0.1, 1e-3).mesh;
  solid.material = elastic_material(1e5, 0.4, 1000, 2);
  nurbs::Settings settings;
  settings.kinematics.voxels = 1500;
  Body beam = settings.create(solid);
  const std::optional<double> share = error_share_under_smooth_loads(beam);
  REQUIRE(share);
  CHECK(*share > 0);
  CHECK(*share < 0.1);
  for (Vec3& x : beam.nodes.position) x = Vec3(1.5 * x.x(), x.y(), x.z());
  CHECK(std::abs(*error_share(beam)) < 1e-9);  // affine motion costs nothing
}
