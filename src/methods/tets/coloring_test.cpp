#include "methods/shared/coloring.h"

#include <cstdlib>
#include <doctest/doctest.h>
#include <fstream>
#include <numeric>
#include <set>

#include "methods/tets/test_bodies.h"
#include "methods/tets/wide_batches.h"

using namespace pliant;
using namespace pliant::tets;

namespace {

std::vector<int> flat(const std::vector<Tet>& tets) {
  std::vector<int> corners;
  for (const Tet& tet : tets) corners.insert(corners.end(), tet.begin(), tet.end());
  return corners;
}

std::vector<int> counted(std::size_t n) {
  std::vector<int> sequence(n);
  std::iota(sequence.begin(), sequence.end(), 0);
  return sequence;
}

/// Every element once, and no node twice in a colour.
bool is_valid(const Coloring& coloring, const std::vector<int>& corners, int width) {
  std::vector<int> sorted = coloring.order;
  std::sort(sorted.begin(), sorted.end());
  if (sorted != counted(corners.size() / std::size_t(width))) return false;
  if (coloring.start.front() != 0 || coloring.start.back() != int(sorted.size())) return false;
  for (int color = 0; color < coloring.colors(); ++color) {
    std::set<int> used;
    for (int i = coloring.start[color]; i < coloring.start[color + 1]; ++i)
      for (int k = 0; k < width; ++k)
        if (!used.insert(corners[std::size_t(coloring.order[i] * width + k)]).second) return false;
  }
  return true;
}

/// TetGen's .node and .ele, without checks.
TetMesh read_tetgen(const std::string& path) {
  TetMesh mesh;
  std::ifstream nodes(path + ".node"), tets(path + ".ele");
  int count = 0, unused = 0, first = 0;
  nodes >> count >> unused >> unused >> unused;
  for (int i = 0, number = 0; i < count && nodes; ++i) {
    Vec3& p = mesh.points.emplace_back();
    nodes >> number >> p.x() >> p.y() >> p.z();
    if (i == 0) first = number;
  }
  tets >> count >> unused >> unused;
  for (int i = 0; i < count && tets; ++i) {
    Tet& t = mesh.tets.emplace_back();
    tets >> unused >> t[0] >> t[1] >> t[2] >> t[3];
    for (int& corner : t) corner -= first;
  }
  return mesh;
}

}  // namespace

TEST_CASE("tets of one colour share no node, however the mesh is made") {
  TetMesh mesh = block(7, 5, 3, {0.7, 0.5, 0.3});
  std::vector<Tet> some;  // holes, and a random order
  for (std::size_t i = 0; i < mesh.tets.size(); ++i)
    if (random_unit(3, i) < 0.7) some.push_back(mesh.tets[i * 211 % mesh.tets.size()]);
  const std::vector<int> corners = flat(some);
  const Coloring coloring =
      color_greedily(corners, 4, counted(some.size()), int(mesh.points.size()));
  CHECK(is_valid(coloring, corners, 4));
  CHECK(coloring.colors() <= 4 * 31 + 1);  // a tet meets at most 31 others at each corner
}

TEST_CASE("tets of a scanned figure are coloured with few colours") {
  const char* folder = std::getenv("PLIANT_MODELS");
  const TetMesh mesh =
      read_tetgen(std::string(folder ? folder : "../shared/models") + "/tets/armadillo_4k");
  if (mesh.tets.empty()) {
    MESSAGE("armadillo_4k not found, skipped");
    return;
  }
  const std::vector<int> corners = flat(mesh.tets);
  std::vector<int> at_node(mesh.points.size(), 0);
  for (const int node : corners) ++at_node[node];
  const int most = *std::max_element(at_node.begin(), at_node.end());
  const Coloring coloring =
      color_greedily(corners, 4, counted(mesh.tets.size()), int(mesh.points.size()));
  CHECK(is_valid(coloring, corners, 4));
  CHECK(coloring.colors() >= most);
  CHECK(coloring.colors() <= 2 * most);
}

TEST_CASE("a node with hundreds of tets takes hundreds of colours") {
  std::vector<Tet> fan;
  for (int i = 0; i < 300; ++i) fan.push_back({0, 3 * i + 1, 3 * i + 2, 3 * i + 3});
  const std::vector<int> corners = flat(fan);
  const Coloring coloring = color_greedily(corners, 4, counted(300), 901);
  CHECK(coloring.colors() == 300);
  CHECK(is_valid(coloring, corners, 4));
}

TEST_CASE("eight colours are enough for cells, by parity or greedily") {
  const TetMesh mesh = block(5, 4, 3, {5, 4, 3});
  std::vector<Eigen::Vector3i> grid;
  for (int k = 0; k < 3; ++k)
    for (int j = 0; j < 4; ++j)
      for (int i = 0; i < 5; ++i) grid.emplace_back(i, j, k);
  const auto cells = find_cells(mesh.tets);
  REQUIRE(cells);
  std::vector<int> corners;
  for (const TetCell& cell : *cells)
    corners.insert(corners.end(), cell.corner.begin(), cell.corner.end());
  const Coloring by_parity = color_by_parity(grid);
  const Coloring greedy = color_greedily(corners, 8, counted(grid.size()), int(mesh.points.size()));
  CHECK(is_valid(by_parity, corners, 8));
  CHECK(is_valid(greedy, corners, 8));
  CHECK(by_parity.colors() == 8);
  CHECK(greedy.colors() == 8);
}

TEST_CASE("cells are found only where all tets come in fives around a middle one") {
  TetMesh mesh = block(2, 2, 2, {1, 1, 1});
  CHECK(find_cells(mesh.tets)->size() == 8);
  std::swap(mesh.tets[3], mesh.tets[4]);
  CHECK_FALSE(find_cells(mesh.tets));
  std::swap(mesh.tets[3], mesh.tets[4]);
  mesh.tets.pop_back();
  CHECK_FALSE(find_cells(mesh.tets));
  CHECK_FALSE(find_cells({}));
}

TEST_CASE("points ordered by place have their neighbours near") {
  std::vector<Vec3> points;
  for (int i = 0; i < 1000; ++i) points.push_back(random_vector(8, i));
  const std::vector<int> order = order_by_place(points);
  double ordered = 0, given = 0;
  for (std::size_t i = 1; i < points.size(); ++i) {
    ordered += (points[order[i]] - points[order[i - 1]]).norm();
    given += (points[i] - points[i - 1]).norm();
  }
  CHECK(ordered < 0.25 * given);
  CHECK(order_by_place({}).empty());
}
