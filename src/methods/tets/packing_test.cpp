#include "methods/tets/packing.h"

#include <algorithm>
#include <doctest/doctest.h>
#include <numeric>
#include <set>

#include "methods/shared/coloring.h"
#include "methods/tets/test_bodies.h"

using namespace pliant;
using namespace pliant::tets;

namespace {

struct Packed {
  std::vector<int> corners;
  int lanes;
  Packing packing;

  Packed(const std::vector<Tet>& tets, int nodes, int wanted) : lanes(wanted) {
    std::vector<int> sequence(tets.size());
    std::iota(sequence.begin(), sequence.end(), 0);
    for (const Tet& tet : tets) corners.insert(corners.end(), tet.begin(), tet.end());
    packing = pack(corners, 4, color_greedily(corners, 4, sequence, nodes).order, nodes, lanes);
  }

  int batches() const { return int(packing.element.size()) / lanes; }
  double fill() const { return double(corners.size() / 4) / double(packing.element.size()); }

  /// Whether nodes of so many batches are all different.
  bool are_apart(int batch, int count) const {
    std::set<int> used;
    for (int i = batch * lanes; i < (batch + count) * lanes; ++i) {
      const int e = packing.element[i];
      for (int k = 0; e >= 0 && k < 4; ++k)
        if (!used.insert(corners[std::size_t(4 * e + k)]).second) return false;
    }
    return true;
  }
};

void check(const Packed& packed) {
  std::vector<int> elements = packed.packing.element;
  std::erase(elements, -1);
  std::sort(elements.begin(), elements.end());
  REQUIRE(elements.size() == packed.corners.size() / 4);
  for (int e = 0; e < int(elements.size()); ++e) CHECK(elements[e] == e);
  const std::vector<int>& start = packed.packing.start;
  REQUIRE(start.front() == 0);
  REQUIRE(start.back() == packed.batches());
  for (std::size_t run = 0; run + 1 < start.size(); ++run) {
    CHECK(start[run] < start[run + 1]);
    CHECK(packed.are_apart(start[run], 1));
    for (int b = start[run]; b + 1 < start[run + 1]; ++b) CHECK(packed.are_apart(b, 2));
  }
}

}  // namespace

TEST_CASE("batches that follow each other in a run share no node, and every tet is in one") {
  for (const int lanes : {1, 4, 8, 16})
    for (const Eigen::Vector3i& cells : {Eigen::Vector3i(1, 1, 1), {3, 2, 2}, {9, 7, 8}}) {
      CAPTURE(lanes);
      const TetMesh mesh = block(cells.x(), cells.y(), cells.z(), cells.cast<double>());
      check(Packed(mesh.tets, int(mesh.points.size()), lanes));
    }
}

TEST_CASE("tets around one node are packed one by one") {
  std::vector<Tet> fan;
  for (int i = 0; i < 50; ++i) fan.push_back({0, 3 * i + 1, 3 * i + 2, 3 * i + 3});
  const Packed packed(fan, 151, 8);
  check(packed);
  CHECK(packed.batches() == 50);
}

TEST_CASE("lanes are used even where a colour hardly fills a batch") {
  const TetMesh mesh = block(8, 8, 8, {1, 1, 1});  // 67 tets a colour
  CHECK(Packed(mesh.tets, int(mesh.points.size()), 16).fill() > 0.97);
  CHECK(Packed(mesh.tets, int(mesh.points.size()), 8).fill() > 0.99);
  CHECK(pack({}, 4, {}, 0, 8).element.empty());
}
