#include "contact/contact_rows.h"

#include <doctest/doctest.h>

#include "contact/test_scene.h"

using namespace pliant;
using namespace pliant::test;

TEST_CASE("rows give the relative position of the anchors, with each node once, both ways round") {
  std::vector<Body> bodies;
  bodies.push_back(block<Projective>(3, 1, 1, 0, {0, 0, 0}, true));
  bodies.push_back(block<Projective>(3, 1, 1, 0, {0, 2, 0}, true));
  const int last = bodies[0].skin.size() - 1;

  std::vector<Contact> contacts(3);
  contacts[0].a = Anchor::on_vertex(0, last);  // against a collider
  contacts[1].a = Anchor::on_vertex(0, last);  // against another body's triangle
  contacts[1].b = {1, 3, {last, last - 1, 3}, {0.2, 0.3, 0.5}};
  contacts[2].a = {0, 2, {last, last - 1, 0}, {0.4, 0.6, 0}};  // against itself
  contacts[2].b = {0, 2, {last - 1, 4, 0}, {0.5, 0.5, 0}};
  ContactRows rows;
  rows.build(bodies, contacts);

  const auto point = [&](const Anchor& anchor) {
    Vec3 sum = Vec3::Zero();
    for (int k = 0; k < anchor.count; ++k)
      sum += anchor.share[k] * bodies[anchor.body].skin.position[anchor.vertex[k]];
    return sum;
  };
  for (int c = 0; c < 3; ++c) {
    Vec3 sum = Vec3::Zero();
    for (int k = rows.start[c]; k < rows.start[c + 1]; ++k) {
      const int s = rows.slot[k];
      sum += rows.a[k] * bodies[rows.body[s]].nodes.position[rows.node[s]];
      for (int other = rows.start[c]; other < k; ++other) CHECK(rows.slot[other] != s);
    }
    CHECK((sum - (point(contacts[c].a) - point(contacts[c].b))).norm() < 1e-12);
  }

  std::size_t entries = 0;
  for (int s = 0; s < rows.slots(); ++s)
    for (int k = rows.slot_start[s]; k < rows.slot_start[s + 1]; ++k) {
      ++entries;
      if (k > rows.slot_start[s]) CHECK(rows.contact[k - 1] < rows.contact[k]);
      const int c = rows.contact[k];
      bool found = false;
      for (int e = rows.start[c]; e < rows.start[c + 1]; ++e)
        found = found || (rows.slot[e] == s && rows.a[e] == rows.contact_a[k]);
      CHECK(found);
    }
  CHECK(entries == rows.a.size());
  CHECK(rows.bodies == std::vector<int>{0, 1});
  CHECK(rows.body_start.back() == rows.slots());
}
