#include "contact/own_motion.h"

#include <doctest/doctest.h>
#include <limits>

#include "contact/test_scene.h"

using namespace pliant;
using namespace pliant::test;

namespace {

constexpr double h = 1.0 / 600, step = 1.0 / 60;

OwnMotion::Limits no_limits() {
  constexpr double endless = std::numeric_limits<double>::infinity();
  return {.most = endless, .steady = endless, .near = 0.1, .shivers = 0, .spread = 1};
}

Nodes some_nodes(int count) {
  std::vector<Vec3> points;
  for (int i = 0; i < count; ++i) points.push_back(random_vector(1, std::uint64_t(i)));
  return Nodes::at(points);
}

template <class Place>
void move(Nodes& nodes, const Place& place) {
  nodes.previous = nodes.position;
  for (int i = 0; i < nodes.size(); ++i) nodes.position[i] = place(i);
}

}  // namespace

TEST_CASE("a body that flies and tumbles does not stray from itself, nor one that goes on evenly") {
  for (const int count : {1, 3, 40, 501}) {
    Nodes nodes = some_nodes(count);
    const std::vector<Vec3> rest = nodes.position;
    const auto at = [&](double substeps) {
      return [&, substeps](int i) {
        const Eigen::AngleAxisd turn(0.01 * substeps, Vec3(1, 2, 3).normalized());
        const double swells = 1 + 1e-4 * substeps;
        return Vec3(turn * (swells * rest[i]) + substeps * Vec3(0.05, -0.02, 0.01));
      };
    };
    move(nodes, at(1));
    OwnMotion motion;
    motion.start_here(nodes, h, step, no_limits());
    for (int k = 2; k < 100; ++k) {
      move(nodes, at(k));
      motion.follow(nodes);
      // Turning alone makes things that are near each other go this far in a substep.
      CHECK(motion.step_off() < 1.5 * 0.1 * 0.01);
      CHECK(!motion.strayed(nodes, 1e-2, h));
    }
  }
}

TEST_CASE("distances are off by no more than a motion that has not strayed allows") {
  const double slack = 0.05;
  int held = 0, strayed = 0;
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    Nodes nodes = some_nodes(37);
    move(nodes, [&](int i) {
      return Vec3(nodes.position[i] + 0.01 * random_vector(seed + 10, std::uint64_t(i)));
    });
    OwnMotion motion;
    motion.start_here(nodes, h, step, no_limits());
    const std::vector<Vec3> start = nodes.position;
    std::vector<Vec3> went;
    for (const auto& p : nodes.position) went.push_back(motion.way(p, nodes.previous[went.size()]));
    for (int k = 1; k < 12; ++k) {
      const Eigen::AngleAxisd turn(0.02, random_vector(seed, std::uint64_t(k)).normalized());
      move(nodes, [&](int i) {
        const auto shake = random_vector(seed + 20, std::uint64_t(100 * k + i));
        return Vec3(turn * (nodes.position[i] + went[i] + 1e-3 * double(k) * shake));
      });
      motion.follow(nodes);
      if (motion.strayed(nodes, slack, h)) {
        ++strayed;
        break;
      }
      ++held;
      double worst = 0;
      for (int i = 0; i < nodes.size(); ++i)
        for (int j = 0; j < i; ++j) {
          const Vec3 foreseen = start[i] - start[j] + k * (went[i] - went[j]);
          const double distance = (nodes.position[i] - nodes.position[j]).norm();
          worst = std::max(worst, std::abs(distance - foreseen.norm()));
        }
      CHECK(worst <= slack);
    }
  }
  CHECK(held > 10);
  CHECK(strayed > 2);
}

TEST_CASE("what shivers is foreseen to stay, and where it is lost no motion holds") {
  const double slack = 0.05;
  Nodes nodes = some_nodes(64);
  const std::vector<Vec3> rest = nodes.position;
  const auto shivering = [&](int k) {
    return [&, k](int i) {
      return Vec3(rest[i] + (k % 2 ? 1e-3 : -1e-3) * random_vector(5, std::uint64_t(i)));
    };
  };
  OwnMotion::Limits limits = no_limits();
  limits.shivers = 0.01;
  OwnMotion motion;
  move(nodes, shivering(0));
  move(nodes, shivering(1));
  motion.start_here(nodes, h, step, limits);
  int k = 2;
  for (; !motion.strayed(nodes, slack, h); ++k) {
    move(nodes, shivering(k));
    motion.follow(nodes);
  }
  CHECK(k < 20);  // it does not go on as it did
  motion.start_here(nodes, h, step, limits);
  for (int more = 0; more < 100; ++more, ++k) {
    move(nodes, shivering(k));
    motion.follow(nodes);
    CHECK(!motion.strayed(nodes, slack, h));
  }
  nodes.position[17].x() = std::numeric_limits<double>::quiet_NaN();
  motion.follow(nodes);
  CHECK(motion.strayed(nodes, slack, h));
}
