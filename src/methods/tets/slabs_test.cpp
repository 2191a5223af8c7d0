#include "methods/tets/slabs.h"

#include <algorithm>
#include <doctest/doctest.h>
#include <set>

#include "methods/tets/test_bodies.h"

using namespace pliant;
using namespace pliant::tets;

namespace {

struct Slabbed {
  std::vector<int> corners;
  Slabs slabs;

  Slabbed(const TetMesh& mesh, int count) {
    std::vector<Vec3> centres;
    for (const Tet& tet : mesh.tets) {
      corners.insert(corners.end(), tet.begin(), tet.end());
      centres.emplace_back(0.25 * (mesh.points[tet[0]] + mesh.points[tet[1]] + mesh.points[tet[2]] +
                                   mesh.points[tet[3]]));
    }
    slabs = cut_into_slabs(corners, 4, centres, int(mesh.points.size()), count);
  }

  std::set<int> nodes(int slab) const {
    std::set<int> found;
    for (const int e : slabs.elements(slab))
      found.insert(corners.begin() + 4 * e, corners.begin() + 4 * e + 4);
    return found;
  }
};

}  // namespace

TEST_CASE(
    "slabs have every element once, about equally many, and share nodes with neighbours only") {
  for (const Vec3& size : {Vec3(2, 0.5, 0.4), Vec3(0.5, 2, 0.4), Vec3(0.4, 0.5, 2)}) {
    const Eigen::Vector3i cells = (10 * size).cast<int>();
    const Slabbed cut(block(cells.x(), cells.y(), cells.z(), size), 8);
    std::vector<int> sorted = cut.slabs.order;
    std::sort(sorted.begin(), sorted.end());
    REQUIRE(sorted.size() == cut.corners.size() / 4);
    for (int e = 0; e < int(sorted.size()); ++e) CHECK(sorted[e] == e);
    REQUIRE(cut.slabs.size() == 8);
    for (int a = 0; a < 8; ++a) {
      CHECK(std::abs(int(cut.slabs.elements(a).size()) - int(sorted.size()) / 8) <= 1);
      for (int b = a + 1; b < 8; ++b) {
        std::vector<int> both;
        const std::set<int> of_a = cut.nodes(a), of_b = cut.nodes(b);
        std::set_intersection(of_a.begin(), of_a.end(), of_b.begin(), of_b.end(),
                              std::back_inserter(both));
        CHECK(both.empty() == (b > a + 1));
      }
    }
  }
}

TEST_CASE("a short body has fewer slabs than asked for, or one") {
  CHECK(Slabbed(block(8, 3, 3, {0.8, 0.3, 0.3}), 64).slabs.size() == 8);  // one layer of cells each
  CHECK(Slabbed(block(3, 3, 3, {0.3, 0.3, 0.3}), 64).slabs.size() == 1);
  CHECK(Slabbed(block(8, 3, 3, {0.8, 0.3, 0.3}), 0).slabs.size() == 1);
}
