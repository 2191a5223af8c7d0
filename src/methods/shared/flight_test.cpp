#include "methods/shared/flight.h"

#include <doctest/doctest.h>

#include "math/test_random.h"

using namespace pliant;
using namespace pliant::test;

namespace {

/// Flying about, every fifth held; then a run of free ones.
Nodes moving(int count) {
  std::vector<Vec3> points;
  for (int i = 0; i < count; ++i) points.push_back(random_vector(1, i));
  Nodes nodes = Nodes::at(points);
  for (int i = 0; i < count; ++i) {
    nodes.mass[i] = 0.5 + i % 3;
    nodes.velocity[i] = random_vector(2, i);
    nodes.force[i] = random_vector(3, i);
    nodes.held[i] = i < count / 2 && i % 5 == 0;
    nodes.target[i] = random_vector(4, i);
  }
  return nodes;
}

}  // namespace

TEST_CASE("a free node flies by its velocity and force, a held one goes to its target") {
  const double h = 0.01;
  for (const int count : {1, 3, 4, 7, 50}) {
    CAPTURE(count);
    const Nodes start = moving(count);
    Nodes nodes = start;
    fly(nodes, 0, count, h);
    for (int i = 0; i < count; ++i) {
      CAPTURE(i);
      CHECK(nodes.previous[i] == start.position[i]);
      CHECK(nodes.mobility[i] == (start.held[i] ? 0 : 1 / start.mass[i]));
      const Vec3 velocity = start.velocity[i] + h * nodes.mobility[i] * start.force[i];
      const Vec3 there = start.held[i] ? start.target[i] : Vec3(start.position[i] + h * velocity);
      CHECK((nodes.position[i] - there).norm() < 1e-15);
    }
  }
}

TEST_CASE("only the asked nodes move, and pieces give the same bits as the whole") {
  Nodes whole = moving(50), pieces = whole;
  fly(whole, 0, 50, 0.01);
  const int cuts[] = {0, 1, 6, 17, 38, 50};
  for (int c = 0; c + 1 < 6; ++c) {
    const std::vector<Vec3> before = pieces.position;
    fly(pieces, cuts[c], cuts[c + 1], 0.01);
    for (int i = cuts[c + 1]; i < 50; ++i) CHECK(pieces.position[i] == before[i]);
  }
  CHECK(pieces.position == whole.position);
  CHECK(pieces.velocity == whole.velocity);
  CHECK(pieces.previous == whole.previous);
}

TEST_CASE("velocities are ways over time, so that flying with them again goes as far") {
  Nodes nodes = moving(23);
  fly(nodes, 0, 23, 0.01);
  velocities_from_ways(nodes, 3, 23, 0.01);
  for (int i = 3; i < 23; ++i)
    CHECK((nodes.previous[i] + 0.01 * nodes.velocity[i] - nodes.position[i]).norm() < 1e-15);
}
