#include "geometry/sample/cell_grid.h"

#include <algorithm>
#include <doctest/doctest.h>
#include <limits>
#include <map>
#include <numbers>
#include <sstream>
#include <string>

#include "core/errors.h"
#include "core/parallel.h"
#include "geometry/mesh/primitives.h"
#include "geometry/mesh/test_broken.h"
#include "geometry/mesh/test_models.h"
#include "geometry/mesh/topology.h"
#include "geometry/query/winding_number.h"

using namespace pliant;

namespace {

double filled_volume(const CellGrid& grid) {
  double sum = 0;
  for (int t = 0; t < int(grid.fill.size()); ++t) sum += grid.fill[t] * volume(grid.tets, t);
  return sum;
}

// No face belongs to more than two tets, none is crossed by another's diagonal, and all tets are
// positive.
bool fits_together(const CellGrid& grid) {
  std::map<Triangle, int> uses;
  for (int t = 0; t < int(grid.tets.tets.size()); ++t) {
    if (!(volume(grid.tets, t) > 0)) return false;
    for (int skip = 0; skip < 4; ++skip) {
      Triangle face;
      for (int v = 0, n = 0; v < 4; ++v)
        if (v != skip) face[n++] = grid.tets.tets[t][v];
      std::sort(face.begin(), face.end());
      if (++uses[face] > 2) return false;
    }
  }
  // A face between two kept cells must be used twice; count those from the cells.
  std::map<std::array<int, 3>, int> number;
  for (int c = 0; c < int(grid.cells.size()); ++c)
    number[{grid.cells[c].x(), grid.cells[c].y(), grid.cells[c].z()}] = c;
  int between = 0;
  for (const Eigen::Vector3i& at : grid.cells)
    for (int axis = 0; axis < 3; ++axis)
      between +=
          int(number.count({at.x() + (axis == 0), at.y() + (axis == 1), at.z() + (axis == 2)}));
  const auto twice =
      std::count_if(uses.begin(), uses.end(), [](const auto& u) { return u.second == 2; });
  return twice == 2 * between + 4 * int(grid.cells.size());  // and the middle tet's four faces
}

double worst_attachment(const CellGrid& grid, const TriangleMesh& surface) {
  double worst = 0;
  for (int p = 0; p < int(surface.points.size()); ++p)
    worst = std::max(worst, (grid.skin.gather(p, grid.tets.points) - surface.points[p]).norm());
  return worst;
}

void check_grid(const CellGrid& grid, const TriangleMesh& surface) {
  const double size = bounds(surface.points).extent().maxCoeff();
  CHECK(fits_together(grid));
  REQUIRE(grid.skin.rows() == int(surface.points.size()));
  CHECK(worst_attachment(grid, surface) < 1e-12 * size);
  for (const double w : grid.skin.weight) REQUIRE((w > 0 && w <= 1));
  REQUIRE(grid.fill.size() == grid.tets.tets.size());
  REQUIRE(grid.fill.size() == 5 * grid.cells.size());
  for (const double f : grid.fill) REQUIRE((f > 0 && f <= 1));
}

// An L of three unit squares, one deep: its inner walls lie in planes of the grid.
TriangleMesh l_shape() {
  TriangleMesh mesh;
  const double outline[6][2] = {{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 2}};
  for (const double z : {0.0, 1.0})
    for (const auto& p : outline) mesh.points.emplace_back(p[0], p[1], z);
  const int front[4][3] = {{0, 1, 2}, {0, 2, 3}, {0, 3, 4}, {0, 4, 5}};
  for (const auto& t : front) {
    mesh.triangles.push_back({t[0] + 6, t[1] + 6, t[2] + 6});
    mesh.triangles.push_back({t[0], t[2], t[1]});
  }
  for (int i = 0; i < 6; ++i) {
    const int next = (i + 1) % 6;
    mesh.triangles.push_back({i, next, next + 6});
    mesh.triangles.push_back({i, next + 6, i + 6});
  }
  return mesh;
}

TriangleMesh turned(TriangleMesh mesh) {
  const Quat turn(Eigen::AngleAxisd(0.7, Vec3(1, 2, 3).normalized()));
  for (Vec3& p : mesh.points) p = turn * p + Vec3(3, -1, 2);
  return mesh;
}

std::string message(const TriangleMesh& surface, double cell, int most = 1000) {
  try {
    fill_with_cells(surface, cell, most);
  } catch (const InputError& error) {
    return error.problems().at(0).what;
  }
  return "no error";
}

}  // namespace

TEST_CASE("cells fill closed surfaces with their volume, fit together and hold every point") {
  for (const TriangleMesh& mesh :
       {sphere_mesh(0.5, 0.1), torus_mesh(0.5, 0.2, 0.08), turned(box_mesh({1, 0.5, 0.3}, 0.2)),
        capsule_mesh(0.2, 0.8, 0.1), turned(l_shape())}) {
    for (const int count : {30, 700}) {
      const CellGrid grid = fill_with_cells(mesh, cell_size_for(mesh, count));
      check_grid(grid, mesh);
      CHECK(filled_volume(grid) == doctest::Approx(volume(mesh)).epsilon(1e-10));
    }
  }
}

TEST_CASE("a box that the cells divide is filled exactly, also when its file had seven digits") {
  for (const double noise : {0.0, 1e-8, -1e-8}) {
    TriangleMesh mesh = box_mesh({0.8, 0.2, 0.4}, 0.2);
    for (Vec3& p : mesh.points) p.x() *= 1 + noise;
    const CellGrid grid = fill_with_cells(mesh, 0.1);
    CHECK(grid.cells.size() == 8 * 2 * 4);
    for (const double f : grid.fill) CHECK(f == doctest::Approx(1).epsilon(1e-6));
  }
}

TEST_CASE("walls in planes of the grid keep the cells behind them and none before them") {
  const TriangleMesh mesh = l_shape();
  const CellGrid grid = fill_with_cells(mesh, 0.25);
  check_grid(grid, mesh);
  CHECK(grid.cells.size() == 3 * 64);
  CHECK(*std::min_element(grid.fill.begin(), grid.fill.end()) == 1);
}

TEST_CASE("kept cells are exactly those with a piece of the solid: none inside is missing") {
  const TriangleMesh mesh = torus_mesh(0.5, 0.2, 0.1);
  const CellGrid grid = fill_with_cells(mesh, 0.08);
  std::map<std::array<int, 3>, bool> kept;
  for (const Eigen::Vector3i& c : grid.cells) kept[{c.x(), c.y(), c.z()}] = true;
  const Box box = bounds(mesh.points);
  for (double x = box.low.x(); x < box.high.x(); x += 0.031)
    for (double y = box.low.y(); y < box.high.y(); y += 0.031)
      for (double z = box.low.z(); z < box.high.z(); z += 0.031) {
        if (winding_number_brute_force(mesh, {x, y, z}) < 0.5) continue;
        const Vec3 at = (Vec3(x, y, z) - grid.origin).cwiseQuotient(grid.cell).array().floor();
        REQUIRE(kept.count({int(at.x()), int(at.y()), int(at.z())}) == 1);
      }
}

TEST_CASE(
    "the measured fill follows the surface: tets deep inside are full, those outside nearly "
    "empty") {
  const TriangleMesh mesh = sphere_mesh(0.5, 0.05);
  const CellGrid grid = fill_with_cells(mesh, 0.1);
  for (int t = 0; t < int(grid.fill.size()); ++t) {
    double nearest = 1, farthest = 0;
    for (const int p : grid.tets.tets[t]) {
      nearest = std::min(nearest, grid.tets.points[p].norm());
      farthest = std::max(farthest, grid.tets.points[p].norm());
    }
    if (farthest < 0.48) CHECK(grid.fill[t] > 0.95);
    if (nearest > 0.5) CHECK(grid.fill[t] < 0.06);
  }
}

TEST_CASE("open, inverted and flat-lying surfaces are filled too") {
  TriangleMesh open = sphere_mesh(0.5, 0.1);
  std::erase_if(open.triangles, [&](const Triangle& t) { return open.points[t[0]].y() > 0.35; });
  TriangleMesh used;
  for (const Triangle& t : open.triangles)
    for (const int p : t) used.points.push_back(open.points[p]);
  for (int t = 0; t < int(open.triangles.size()); ++t)
    used.triangles.push_back({3 * t, 3 * t + 1, 3 * t + 2});
  const CellGrid grid = fill_with_cells(used, 0.1);
  check_grid(grid, used);
  CHECK(filled_volume(grid) > 0.75 * volume(sphere_mesh(0.5, 0.1)));

  TriangleMesh inverted = torus_mesh(0.5, 0.2, 0.1);
  const double enclosed = volume(inverted);
  for (Triangle& t : inverted.triangles) std::swap(t[0], t[1]);
  CHECK(filled_volume(fill_with_cells(inverted, 0.1)) == doctest::Approx(enclosed).epsilon(1e-10));

  // A step of two sheets, each in a plane of the grid: nothing is inside, but no point may be lost.
  TriangleMesh sheets;
  sheets.points = {{0, 0, 0}, {1, 0, 0}, {1, 0, 1}, {0, 0, 1}, {1, 1, 0}, {1, 1, 1}};
  sheets.triangles = {{0, 1, 2}, {0, 2, 3}, {1, 4, 5}, {1, 5, 2}};
  const CellGrid step = fill_with_cells(sheets, 0.25);
  check_grid(step, sheets);
  CHECK(step.cells.size() >= 16 + 16 - 4);
  CHECK(step.cells.size() < 64);
}

TEST_CASE("a stray point that no triangle uses hangs on a node and spoils nothing") {
  TriangleMesh mesh = box_mesh({1, 1, 1}, 0.5);
  mesh.points.push_back({1000, 0, 0});
  mesh.points.push_back(Vec3::Constant(std::numeric_limits<double>::quiet_NaN()));
  const CellGrid grid = fill_with_cells(mesh, 0.25);
  CHECK(grid.cells.size() == 64);
  CHECK(grid.skin.rows() == int(mesh.points.size()));
}

TEST_CASE("cells do not depend on the number of threads") {
  const TriangleMesh mesh = torus_mesh(0.5, 0.2, 0.1);
  set_threads(1);
  const CellGrid one = fill_with_cells(mesh, 0.07);
  set_threads(3);
  const CellGrid three = fill_with_cells(mesh, 0.07);
  set_threads(0);
  CHECK(one.tets.points == three.tets.points);
  CHECK(one.tets.tets == three.tets.tets);
  CHECK(one.fill == three.fill);
  CHECK(one.skin.weight == three.skin.weight);
}

TEST_CASE("surfaces that cannot be filled are refused in a sentence") {
  CHECK(message({}, 0.1) == "has no triangles");
  TriangleMesh sheet = box_mesh({1, 1, 1}, 1);
  for (Vec3& p : sheet.points) p.y() = 0.5;
  CHECK(message(sheet, 0.1) == "has zero volume (extent x, y, z = 1, 0, 1 m)");
  TriangleMesh broken = box_mesh({1, 1, 1}, 1);
  broken.points[3].z() = std::numeric_limits<double>::infinity();
  CHECK(message(broken, 0.1) == "has a point that is not finite (point 3)");
  CHECK(message(box_mesh({1, 1, 1}, 1), 0.05).find("would be filled with about 8000 cells") == 0);
  CHECK(message(box_mesh({1, 1, 1}, 1), 1e-200).find("would be filled with") == 0);
  CHECK(message(box_mesh({1, 1, 1}, 1), 0).find("cannot be filled with cells of 0 m") == 0);
  CHECK(message(box_mesh({1, 1, 1}, 1), 0.1, 1000) == "no error");
}

TEST_CASE("cell_size_for gives about as many cells' worth of volume as asked, within bounds") {
  const TriangleMesh mesh = sphere_mesh(0.5, 0.1);
  const double cell = cell_size_for(mesh, 1000);
  CHECK(volume(mesh) / std::pow(cell, 3) == doctest::Approx(1000).epsilon(1e-9));
  const double across = bounds(mesh.points).extent().maxCoeff();
  CHECK(cell_size_for(mesh, 1) == doctest::Approx(across / 3));
  CHECK(cell_size_for(mesh, 1'000'000'000) == doctest::Approx(across / 200));
  CHECK(cell_size_for({}, 100) > 0);
}

TEST_CASE("real models are filled: closed, in cells that fit, every point held") {
  const std::vector<test::NamedModel> models = test::real_models();
  if (models.empty()) MESSAGE("no models at " << test::model_folder().string() << "; skipped");
  for (const auto& [name, mesh] : models) {
    INFO(name);
    const CellGrid grid = fill_with_cells(mesh, cell_size_for(mesh, 500));
    check_grid(grid, mesh);
    if (is_closed(mesh)) CHECK(filled_volume(grid) == doctest::Approx(volume(mesh)).epsilon(1e-9));
  }
}

TEST_CASE("where a surface overlaps itself its volume counts once") {
  const TriangleMesh ball = sphere_mesh(0.5, 0.08);
  const TriangleMesh two = test::joined(ball, ball, Vec3(0.5, 0, 0));
  const CellGrid grid = fill_with_cells(two, 0.08);
  double filled = 0;
  for (std::size_t t = 0; t < grid.fill.size(); ++t)
    filled += grid.fill[t] * volume(grid.tets, int(t));
  // Two balls less the lens they share: pi (4 r + d) (2 r - d)^2 / 12.
  const double lens = std::numbers::pi * 2.5 * 0.25 / 12;
  CHECK(filled == doctest::Approx(2 * volume(ball) - lens).epsilon(0.02));
}
