#include "math/weights.h"

#include <cmath>
#include <doctest/doctest.h>

#include "core/random.h"

using namespace pliant;

namespace {

Weights random_weights(int rows, int nodes) {
  Weights weights;
  for (int r = 0; r < rows; ++r) {
    int ids[4];
    double shares[4];
    for (int k = 0; k < 4; ++k) {
      ids[k] = int(random_bits(7, std::uint64_t(r * 4 + k)) % std::uint64_t(nodes));
      shares[k] = 0.25;
    }
    weights.add_row(ids, shares);
  }
  return weights;
}

}  // namespace

TEST_CASE("all points at once are the same, bit for bit, as one by one") {
  for (const int rows : {1, 2, 50, 2500}) {
    const Weights weights = random_weights(rows, 20);
    std::vector<Vec3> nodes(20), points(static_cast<std::size_t>(rows));
    for (Vec3& p : nodes) p = Vec3::Random();
    weights.gather(nodes, points);
    for (int r = 0; r < rows; ++r) CHECK(points[r] == weights.gather(r, nodes));
  }
}

TEST_CASE("rows of up to four nodes are packed, and mean the same to the last bit") {
  Weights weights;
  std::vector<Vec3> nodes(30), points(200), packed(200);
  for (Vec3& p : nodes) p = Vec3::Random();
  for (int r = 0; r < 200; ++r) {
    const int count = r % 10 == 0 ? 2 : 4;
    int ids[4];
    double shares[4], sum = 0;
    for (int k = 0; k < 4; ++k) {
      ids[k] = (r + 7 * k) % 30;
      shares[k] = k < count ? random_unit(5, std::uint64_t(4 * r + k)) : 0;
      sum += shares[k];
    }
    for (double& share : shares) share /= sum;
    weights.add_row(ids, shares);
  }
  weights.gather(nodes, points);
  const Vec3 one_by_one = weights.gather(10, nodes);
  weights.pack();
  CHECK(weights.fours.size() == 200);
  weights.gather(nodes, packed);
  CHECK(packed == points);
  CHECK(weights.gather(10, nodes) == one_by_one);
  int seen = 0;
  weights.for_each(10, [&](int node, double weight) {
    CHECK(node == weights.node[weights.start[10] + seen]);
    CHECK(weight == weights.weight[weights.start[10] + seen]);
    ++seen;
  });
  CHECK(seen == weights.start[11] - weights.start[10]);
}

TEST_CASE("rows that do not fit are left as they are") {
  const double shares[] = {0.25, 0.25, 0.25, 0.125, 0.125};
  const int nodes[] = {0, 1, 2, 3, 4};
  Weights wide, lean = Weights::identity(20);
  wide.add_row(nodes, shares);
  for (Weights* weights : {&wide, &lean}) {
    weights->pack();
    CHECK(weights->fours.empty());
  }
}

TEST_CASE("boxes round ways are those round each point's, and tell what is not finite") {
  for (const int rows : {1, 2, 50, 2500}) {
    const Weights weights = random_weights(rows, 20);
    const auto some = [](std::size_t count) {
      std::vector<Vec3> points(count);
      for (Vec3& p : points) p = Vec3::Random();
      return points;
    };
    std::vector<Vec3> nodes = some(20), points(static_cast<std::size_t>(rows)), plain = points;
    const std::vector<Vec3> first = some(points.size()), second = some(points.size());
    const auto [one, two, finite] = weights.gather(nodes, points, first, second);
    weights.gather(nodes, plain);
    CHECK(points == plain);
    CHECK(finite);
    Box from_first, from_second;
    for (int r = 0; r < rows; ++r) {
      from_first.add(points[r] - first[r]);
      from_second.add(points[r] - second[r]);
    }
    CHECK(one.low == from_first.low);
    CHECK(one.high == from_first.high);
    CHECK(two.low == from_second.low);
    CHECK(two.high == from_second.high);
    nodes[std::size_t(weights.node[weights.node.size() / 2])].y() = std::nan("");
    CHECK(!weights.gather(nodes, points, first, second).finite);
  }
}

TEST_CASE("scatter is the transpose of gather, so virtual work agrees") {
  const int rows = 50, nodes = 20;
  const Weights weights = random_weights(rows, nodes);
  std::vector<Vec3> displacement(nodes), points(rows), force_on_nodes(nodes, Vec3::Zero());
  for (Vec3& d : displacement) d = Vec3::Random();
  weights.gather(displacement, points);
  double work_at_points = 0, work_at_nodes = 0;
  for (int r = 0; r < rows; ++r) {
    const Vec3 force = Vec3::Random();
    work_at_points += force.dot(points[r]);
    weights.scatter(r, force, force_on_nodes);
  }
  for (int i = 0; i < nodes; ++i) work_at_nodes += force_on_nodes[i].dot(displacement[i]);
  CHECK(work_at_nodes == doctest::Approx(work_at_points).epsilon(1e-12));
}

TEST_CASE("identity weights give the nodes back") {
  const std::vector<Vec3> nodes = {Vec3(1, 2, 3), Vec3(4, 5, 6)};
  std::vector<Vec3> points(2);
  Weights::identity(2).gather(nodes, points);
  CHECK(points == nodes);
}
