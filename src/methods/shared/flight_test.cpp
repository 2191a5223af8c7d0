#include "methods/shared/flight.h"

#include <doctest/doctest.h>

#include "math/test_random.h"
#include "methods/shared/aligned_floats.h"
#include "methods/shared/inner_damping.h"
#include "methods/shared/wide_nodes.h"

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

/// Floats for these nodes, some way from the origin, the last node first.
struct Copy {
  AlignedFloats data;
  std::vector<int> slot;
  NodeFloats floats;

  explicit Copy(int count) {
    data.assign(std::size_t(NodeFloats::per_node * count), 7);
    for (int i = 0; i < count; ++i) slot.push_back(count - 1 - i);
    floats = {data.data(), slot.data(), {0.3, 2, -1}, 0.1, 0.7};
  }
};

/// As `moving`, after a substep of length h.
Nodes on_the_way(int count, double h) {
  Nodes nodes = moving(count);
  fly(nodes, 0, count, h);
  for (int i = 0; i < count; ++i) nodes.velocity[i].setConstant(77);  // not to be read
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

TEST_CASE("flying and loading in one visit is flying, then loading") {
  const double h = 0.01;
  for (const int count : {1, 4, 7, 50})
    for (const bool late : {false, true})
      for (const bool damped : {false, true})
        for (const bool released : {false, true}) {
          CAPTURE(count);
          CAPTURE(late);
          CAPTURE(damped);
          CAPTURE(released);
          Nodes one = on_the_way(count, h);
          for (int i = 0; i < count; ++i)
            if (!late) one.velocity[i] = random_vector(5, i);
          for (char& held : one.held)
            if (released) held = !held;
          const std::vector<double> share(std::size_t(count), 0.25);
          const LateVelocities velocities{late ? 1 / h : 0, damped ? share.data() : nullptr,
                                          random_vector(6, 0), random_vector(6, 1),
                                          random_vector(6, 2)};
          Nodes two = one;
          Copy once(count), twice(count);
          fly_and_load(one, 0, count, h, velocities, released, once.floats);
          std::swap(one.position, one.previous);
          fly(two, 0, count, h, velocities);
          load_floats(two, 0, count, twice.floats);
          CHECK(one.previous == two.previous);
          CHECK(one.mobility == two.mobility);
          double off = 0;
          for (int i = 0; i < count; ++i) off += (one.position[i] - two.position[i]).norm();
          CHECK(off < 1e-14 * count);
          for (int k = 0; k < NodeFloats::per_node * count; ++k)
            if (k % NodeFloats::per_node < 7)
              CHECK(once.data.data()[k] == doctest::Approx(twice.data.data()[k]).epsilon(1e-6));
        }
}

TEST_CASE(
    "gravity alone is the same as its forces, and it does not matter which stage knew mobilities") {
  const double h = 0.01;
  Nodes one = moving(50);
  one.gravity = {1, -9, 2};
  one.only_gravity = true;
  for (int i = 0; i < 50; ++i) {
    one.force[i] = one.mass[i] * one.gravity;
    one.mobility[i] = one.held[i] ? 0 : 1 / one.mass[i];
  }
  Nodes two = one, resumed = one;
  two.only_gravity = false;
  Copy floats(50);
  fly_and_load(one, 0, 50, h, {}, false, floats.floats);
  fly_and_load(two, 0, 50, h, {}, false, floats.floats);
  fly_and_load(resumed, 0, 50, h, {}, true, floats.floats);
  CHECK(resumed.previous == one.previous);  // to the bit
  for (int i = 0; i < 50; ++i) CHECK((one.previous[i] - two.previous[i]).norm() < 1e-15);
}

TEST_CASE("velocities found late are those that would have been written down") {
  const double h = 0.01;
  for (const double rate : {0.0, 3.0})
    for (const int pieces : {1, 2}) {
      CAPTURE(rate);
      CAPTURE(pieces);
      const int count = 31;
      std::vector<double> rates;
      std::vector<int> piece;
      for (int i = 0; i < count; ++i) {
        rates.push_back(rate * (1 + i % 2));
        piece.push_back(i % pieces);
      }
      InnerDamping damping(rates, piece);
      Nodes now = on_the_way(count, h), later = now;
      damping.finish(now, h);
      const LateVelocities late = damping.finish_late(later, h);
      for (int i = 0; i < count; ++i) CHECK((late.of(later, i) - now.velocity[i]).norm() < 1e-12);
    }
}
