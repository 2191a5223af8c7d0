#include "contact/solve/contact_rows.h"

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
  rows.build(bodies, list_of(contacts));

  const auto point = [&](const Anchor& anchor) {
    Vec3 sum = Vec3::Zero();
    for (int k = 0; k < anchor.count; ++k)
      sum += anchor.share[k] * bodies[anchor.body].skin.position[anchor.vertex[k]];
    return sum;
  };
  for (int r = 0; r < 3; ++r) {
    const int c = rows.contact[r];
    Vec3 sum = Vec3::Zero();
    for (int k = rows.start[r]; k < rows.start[r + 1]; ++k) {
      const int s = rows.slot[k];
      sum += rows.a[k] * bodies[rows.body[s]].nodes.position[rows.node[s]];
      for (int other = rows.start[r]; other < k; ++other) CHECK(rows.slot[other] != s);
    }
    CHECK((sum - (point(contacts[c].a) - point(contacts[c].b))).norm() < 1e-12);
  }

  std::size_t entries = 0;
  for (int s = 0; s < rows.slots(); ++s)
    for (int k = rows.slot_start[s]; k < rows.slot_start[s + 1]; ++k) {
      ++entries;
      if (k > rows.slot_start[s]) CHECK(rows.row[k - 1] < rows.row[k]);
      const int r = rows.row[k];
      bool found = false;
      for (int e = rows.start[r]; e < rows.start[r + 1]; ++e)
        found = found || (rows.slot[e] == s && rows.a[e] == rows.row_a[k]);
      CHECK(found);
    }
  CHECK(entries == rows.a.size());
  CHECK(rows.bodies == std::vector<int>{0, 1});
  CHECK(rows.islands.back().slot == rows.slots());
}

TEST_CASE("contacts fall into islands: by the nodes they share, or by bodies that answer whole") {
  std::vector<Body> bodies;
  bodies.push_back(block<Projective>(3, 1, 1, 0, {0, 0, 0}));
  bodies.push_back(block<Implicit>(3, 1, 1, 0, {0, 2, 0}));
  std::vector<Contact> contacts(5);
  contacts[0].a = Anchor::on_vertex(0, 3);
  contacts[1].a = Anchor::on_vertex(1, 3);
  contacts[2].a = Anchor::on_vertex(0, 5);
  contacts[3].a = Anchor::on_vertex(1, 7);
  contacts[4].a = Anchor::on_edge(0, {3, 4}, 0.5);
  const auto rows_of_islands = [&](const ContactRows& rows) {
    std::vector<std::vector<int>> found;
    for (int i = 0; i < rows.island_count(); ++i)
      found.emplace_back(rows.contact.begin() + rows.islands[i].row,
                         rows.contact.begin() + rows.islands[i + 1].row);
    return found;
  };
  ContactRows rows;
  rows.build(bodies, list_of(contacts));
  CHECK(rows_of_islands(rows) == std::vector<std::vector<int>>{{0, 4}, {1, 3}, {2}});
  for (int i = 0; i < rows.island_count(); ++i)  // entries and parts stay in their island
    for (int r = rows.islands[i].row; r < rows.islands[i + 1].row; ++r)
      for (int k = rows.start[r]; k < rows.start[r + 1]; ++k) {
        CHECK(rows.slot[k] >= rows.islands[i].slot);
        CHECK(rows.slot[k] < rows.islands[i + 1].slot);
      }
  REQUIRE(rows.parts.size() == 3);
  CHECK(rows.parts[0].body == 0);
  CHECK(rows.parts[1].body == 1);
  CHECK(rows.parts[1].end - rows.parts[1].begin == 2);
  CHECK(rows.bodies == std::vector<int>{0, 1});

  contacts[2].b = Anchor::on_vertex(1, 0);  // now the second body holds all but the first two
  rows.build(bodies, list_of(contacts));
  CHECK(rows_of_islands(rows) == std::vector<std::vector<int>>{{0, 4}, {1, 2, 3}});
}
