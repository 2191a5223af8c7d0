#include "methods/shared/filling.h"

#include <doctest/doctest.h>

#include "geometry/mesh/primitives.h"

using namespace pliant;

namespace {

double worth(const CellGrid& grid) {
  double inside = 0;
  for (int t = 0; t < int(grid.tets.tets.size()); ++t)
    inside += grid.fill[t] * volume(grid.tets, t);
  return inside / grid.cell.prod();
}

TriangleMesh turned(TriangleMesh mesh) {
  const Eigen::AngleAxisd turn(0.6, Vec3(1, 2, 3).normalized());
  for (Vec3& p : mesh.points) p = turn * p;
  return mesh;
}

}  // namespace

TEST_CASE("a body is filled with about as many cells' worth of volume as were asked for") {
  const TriangleMesh surfaces[] = {box_mesh({1, 1, 1}, 0.2), turned(box_mesh({1, 1, 1}, 0.2)),
                                   turned(box_mesh({2, 0.3, 0.4}, 0.1)), sphere_mesh(0.5, 0.05),
                                   turned(torus_mesh(0.4, 0.1, 0.05))};
  for (const TriangleMesh& surface : surfaces)
    for (const int asked : {150, 300, 1500, 5000}) {
      const CellGrid grid = fill_surface(surface, cell_size_for(surface, asked)).grid;
      const double found = worth(grid);
      INFO(asked << " asked for, worth " << found << ", " << grid.cells.size() << " kept");
      CHECK(std::abs(found / asked - 1) < 0.2);  // cells fit the body's box along each axis
      CHECK(double(grid.cells.size()) > found * (1 - 1e-9));
    }
}

TEST_CASE("the note of a filling tells both numbers, where they differ") {
  const TriangleMesh block = box_mesh({1, 1, 1}, 0.25);
  CHECK(count_of_cells(fill_surface(block, 0.25).grid) == "64 cells of 0.25 m");
  const CellGrid grid = fill_surface(sphere_mesh(0.5, 0.1), 0.1).grid;
  CHECK(count_of_cells(grid) == std::to_string(grid.cells.size()) + " cells of 0.0998 m, worth " +
                                    std::to_string(std::lround(worth(grid))) + " by volume");
}
