#include "body/scramble.h"

#include <doctest/doctest.h>

#include "body/test_body.h"

using namespace pliant;

TEST_CASE("a scrambled body lies where it was told to, inside its box, at rest, skin and all") {
  for (const Scramble into : {Scramble::plane, Scramble::space, Scramble::line, Scramble::point}) {
    Body body = test::caged_box({1, 2, 3}, 0.5);
    const Box before = bounds(body.nodes.position);
    body.nodes.velocity[0] = Vec3::Ones();
    scramble(body, into, 3);
    const Box after = bounds(body.nodes.position);
    const Vec3 extent = after.extent();
    CHECK(before.contains(after.low));
    CHECK(before.contains(after.high));
    CHECK((extent.x() > 0) == (into != Scramble::point));
    CHECK((extent.y() > 0) == (into == Scramble::space));
    CHECK((extent.z() > 0) == (into == Scramble::plane || into == Scramble::space));
    CHECK(kinetic_energy(body.nodes) == 0);
    std::vector<Vec3> skin = body.skin.position;
    body.skin.refresh(body.nodes.position);
    CHECK(body.skin.position == skin);
  }
}

TEST_CASE("the same seed gives the same disorder, another seed another") {
  Body a = test::caged_box({1, 2, 3}, 0.5), b = test::caged_box({1, 2, 3}, 0.5),
       c = test::caged_box({1, 2, 3}, 0.5);
  scramble(a, Scramble::space, 1);
  scramble(b, Scramble::space, 1);
  scramble(c, Scramble::space, 2);
  CHECK(a.nodes.position == b.nodes.position);
  CHECK(a.nodes.position != c.nodes.position);
}
