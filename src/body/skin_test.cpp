#include "body/skin.h"

#include <doctest/doctest.h>

#include "body/test_body.h"

using namespace pliant;
using namespace pliant::test;

TEST_CASE("the volume of a box is that of a box, far from the origin too") {
  for (const double far : {0.0, 1e4}) {
    Body body = caged_box({2, 1, 3}, 0.4);
    for (Vec3& p : body.nodes.position) p += Vec3(far, -far, far);
    body.skin.refresh(body.nodes.position);
    CHECK(volume(body.skin) == doctest::Approx(6).epsilon(1e-9));
  }
}

TEST_CASE("stretching the nodes by F changes the volume by det F") {
  Body body = caged_box({2, 1, 3}, 0.4);
  Mat3 F;
  F << 1.2, 0.3, 0, -0.1, 0.9, 0.2, 0, 0.4, 1.1;
  for (Vec3& p : body.nodes.position) p = F * p;
  body.skin.refresh(body.nodes.position);
  CHECK(volume(body.skin) == doctest::Approx(6 * F.determinant()).epsilon(1e-12));
  for (Triangle& t : body.skin.triangles) std::swap(t[1], t[2]);
  CHECK(volume(body.skin) == doctest::Approx(-6 * F.determinant()).epsilon(1e-12));
}

TEST_CASE("a skin of nothing has no volume and no edges") {
  const Skin skin;
  CHECK(volume(skin) == 0);
  CHECK(mean_edge(skin) == 0);
}

TEST_CASE("the mean edge of a cube of two triangles a side is (2 + sqrt 2) / 3 of its edge") {
  const Body body = caged_box({1, 1, 1}, 1);
  REQUIRE(body.skin.triangles.size() == 12);
  CHECK(mean_edge(body.skin) == doctest::Approx((2 + std::sqrt(2.0)) / 3).epsilon(1e-12));
}
