#include "geometry/sample/cell_fill.h"

#include <doctest/doctest.h>

#include "geometry/mesh/primitives.h"
#include "geometry/sample/crossings.h"

using namespace pliant;

TEST_CASE("following crossings measures the same fill as asking for every winding number") {
  for (TriangleMesh mesh :
       {torus_mesh(0.5, 0.2, 0.1), box_mesh({1, 0.7, 0.43}, 0.2), sphere_mesh(0.5, 0.03)}) {
    CellGrid grid = fill_with_cells(mesh, 0.13);
    const WindingNumber winding(mesh);
    const std::vector<char> all(grid.cells.size(), 1);
    measure_fill(mesh, winding, 1, false, all, grid);
    const std::vector<double> plain = grid.fill;
    measure_fill(mesh, winding, 1, true, all, grid);
    CHECK(grid.fill == plain);
  }
}

TEST_CASE("measured fill is close to the volume before any scaling") {
  const TriangleMesh mesh = torus_mesh(0.5, 0.2, 0.05);
  CellGrid grid = fill_with_cells(mesh, 0.1);
  measure_fill(mesh, WindingNumber(mesh), 1, true, std::vector<char>(grid.cells.size(), 1), grid);
  double sum = 0;
  for (int t = 0; t < int(grid.fill.size()); ++t)
    if (grid.fill[t] > 0.05) sum += grid.fill[t] * volume(grid.tets, t);
  CHECK(sum == doctest::Approx(volume(mesh)).epsilon(0.02));
}

TEST_CASE("leaving counts +1, entering -1, and what rounding would decide is left open") {
  TriangleMesh mesh = box_mesh({1, 1, 1}, 1);
  std::vector<int> all;
  for (int t = 0; t < int(mesh.triangles.size()); ++t) all.push_back(t);
  const Vec3 inside(0.11, 0.07, 0.05), beyond(2.03, 0.21, 0.13), before(-2.1, 0.17, 0.09);
  CHECK(crossings(inside, beyond, mesh, all) == 1);
  CHECK(crossings(beyond, inside, mesh, all) == -1);
  CHECK(crossings(before, beyond, mesh, all) == 0);
  CHECK(crossings(inside, Vec3(0.2, -0.3, 0.4), mesh, all) == 0);
  CHECK_FALSE(
      crossings(Vec3(0.2, 0, 0), Vec3(0.8, 1, 0.1), mesh, all).has_value());   // over an edge
  CHECK_FALSE(crossings(inside, Vec3(0.5, 0.2, 0.1), mesh, all).has_value());  // ends on the wall
}
