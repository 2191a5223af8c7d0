#include "body/contact_skin.h"

#include <doctest/doctest.h>

#include "body/contact_pressure.h"
#include "body/make_skin.h"
#include "body/test_body.h"
#include "geometry/mesh/topology.h"

using namespace pliant;
using namespace pliant::test;

namespace {

/// A box of 2 x 1 x 1 m whose nodes are 0.3 m apart, as far as its skin is told.
Body fine_box(double detail = 1, double edge = 0.05) {
  Body body = caged_box({2, 1, 1}, edge);
  Skin skin = std::move(body.skin);
  body.skin = {};
  set_skin(body, std::move(skin), {0.3, detail});
  return body;
}

}  // namespace

TEST_CASE("a skin finer than its nodes touches through some of its vertices") {
  const Body body = fine_box();
  REQUIRE(body.drawn);
  CHECK(body.skin.triangles.size() < body.drawn->skin.triangles.size() / 10);
  CHECK(is_closed({body.skin.rest, body.skin.triangles, {}}));
  CHECK(mean_edge(body.skin) > 0.7 * 0.3);
  CHECK(mean_edge(body.skin) < 1.2 * 0.3);
  for (int c = 0; c < body.skin.size(); ++c) {
    const int v = body.drawn->vertex[c];
    CHECK(body.skin.rest[c] == body.drawn->skin.rest[v]);
    CHECK(body.skin.weights.gather(c, body.nodes.position) ==
          body.drawn->skin.weights.gather(v, body.nodes.position));
  }
}

TEST_CASE("what is drawn lies within the stated distance, which is part of the gap that is kept") {
  const Body body = fine_box();
  REQUIRE(body.drawn);
  CHECK(body.drawn->outside <= body.drawn->distance);
  CHECK(body.drawn->distance < 0.05 * 0.3);
  CHECK(body.thickness == doctest::Approx(0.0025 * body.contact_scale + body.drawn->outside));
}

TEST_CASE("a skin as coarse as its nodes is touched as it is, and so is one if that is asked for") {
  CHECK_FALSE(fine_box(1, 0.25).drawn);
  CHECK_FALSE(fine_box(100).drawn);
  const Body usual = fine_box(), finer = fine_box(2), coarser = fine_box(0.5);
  CHECK(finer.skin.size() > 2 * usual.skin.size());
  CHECK(coarser.skin.size() < usual.skin.size());
}

TEST_CASE("drawn skins follow their nodes, also through an archive") {
  Body body = fine_box();
  REQUIRE(body.drawn);
  for (Vec3& p : body.nodes.position) p = 1.1 * p + Vec3(1, 2, 3);
  body.refresh_skins();
  const std::vector<Vec3> moved = body.drawn_skin().position;
  CHECK((moved[0] - (1.1 * body.drawn_skin().rest[0] + Vec3(1, 2, 3))).norm() < 1e-12);
  Archive saved = Archive::saving();
  body.archive(saved);
  Body other = fine_box();
  Archive loaded = Archive::loading(saved.bytes());
  other.archive(loaded);
  CHECK(other.drawn_skin().position == moved);
}

TEST_CASE("forces carried to what is drawn keep their sum") {
  Body body = fine_box();
  REQUIRE(body.drawn);
  body.touched.time = 0.5;
  for (int v = 0; v < body.skin.size(); ++v) {
    body.touched.impulse.push_back({1.0 * v, 2, -0.1 * v});
    body.touched.pressing.push_back({0, v == 3 ? 7.0 : 0, 0});
  }
  const std::vector<Vec3> force = contact_forces(body);
  REQUIRE(force.size() == body.drawn_skin().rest.size());
  CHECK((sum(force) - 2 * sum(body.touched.impulse)).norm() < 1e-9 * sum(force).norm());
}

TEST_CASE("for drawn vertices that are not touched the nearest ones stand") {
  const Body body = fine_box();
  REQUIRE(body.drawn);
  const std::vector<int>& vertex = body.drawn->vertex;
  CHECK(contact_vertices_for(*body.drawn, {vertex[5], vertex[2]}) == std::vector<int>{2, 5});
  std::vector<int> others;
  for (int v = 0; others.empty(); ++v)
    if (!std::binary_search(vertex.begin(), vertex.end(), v)) others.push_back(v);
  const std::vector<int> found = contact_vertices_for(*body.drawn, others);
  REQUIRE(found.size() == 1);
  CHECK((body.skin.rest[found[0]] - body.drawn_skin().rest[others[0]]).norm() < 1.2 * 0.3);
}
