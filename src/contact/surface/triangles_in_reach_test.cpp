#include "contact/surface/triangles_in_reach.h"

#include <doctest/doctest.h>

#include "contact/test_scene.h"
#include "geometry/query/bvh.h"

using namespace pliant;
using namespace pliant::test;

TEST_CASE(
    "no triangle within reach is left out, flat ones neither, and most that are farther are; none "
    "is "
    "nearer than the nearest is said to be") {
  int far = 0, left_out = 0;
  for (int i = 0; i < 5000; ++i) {
    Skin skin;
    std::vector<Candidate> candidates;
    for (int t = 0; t < 1 + i % triangles_at_once; ++t) {
      for (int k = 0; k < 3; ++k)
        skin.position.push_back(0.2 * random_vector(1, 12 * i + 3 * t + k));
      // Needles, and triangles that are a line or a point.
      Vec3* corner = &skin.position[std::size_t(3 * t)];
      if (i % 5 == 1) corner[2] = corner[0] + 0.3 * (corner[1] - corner[0]) + 1e-7 * corner[2];
      if (i % 5 == 2) corner[2] = 0.5 * (corner[0] + corner[1]);
      if (i % 5 == 3) corner[1] = corner[2] = corner[0];
      skin.triangles.push_back({3 * t, 3 * t + 1, 3 * t + 2});
      candidates.push_back({t, 0});
    }
    const Vec3 p = 0.2 * random_vector(2, i);
    double least = 1e9;
    for (std::size_t t = 0; t < candidates.size(); ++t) {
      const std::vector<Vec3>& x = skin.position;
      least =
          std::min(least, closest_on_triangle(p, x[3 * t], x[3 * t + 1], x[3 * t + 2]).distance);
    }
    const double nearest = distance_to_nearest(p, skin, candidates);
    CHECK(nearest <= least);
    if (i % 5 == 0) CHECK(nearest > (1 - 1e-4) * least);
    const double reach = 0.15 * random_unit(3, i);
    const double over = i % 2 ? 0 : 0.2 * random_unit(4, i);
    const unsigned bits = triangles_in_reach(p, skin, candidates, reach, over);
    CHECK((bits >> candidates.size()) == 0);
    for (std::size_t t = 0; t < candidates.size(); ++t) {
      const std::vector<Vec3>& x = skin.position;
      const SurfacePoint at = closest_on_triangle(p, x[3 * t], x[3 * t + 1], x[3 * t + 2]);
      const bool wanted = at.distance <= reach || (at.share.minCoeff() > 0 && at.distance <= over);
      const bool is_in = bits >> t & 1;
      if (wanted) CHECK(is_in);
      if (i % 5 != 0 || wanted) continue;
      ++far;
      left_out += is_in ? 0 : 1;
    }
  }
  CHECK(far > 500);
  CHECK(left_out > 0.7 * far);
}
