#include "geometry/cut/cut_cells.h"

#include <doctest/doctest.h>
#include <limits>

#include "geometry/cut/cut_check.h"
#include "geometry/mesh/fish.h"
#include "geometry/mesh/primitives.h"
#include "geometry/mesh/test_broken.h"
#include "geometry/mesh/test_models.h"
#include "geometry/mesh/topology.h"
#include "geometry/query/self_crossing.h"
#include "geometry/query/winding_number.h"
#include "math/test_random.h"

using namespace pliant;
using test::check_cut;
using test::inside_out;
using test::joined;
using test::placed;

namespace {

CutCells cut_fine(const TriangleMesh& mesh, const CutGrid& grid, double sliver = 0.02) {
  CutResult result = cut_into_cells(mesh, grid, {.sliver = sliver, .thinness = 0});
  INFO(result.reason);
  REQUIRE(result.fine());
  return std::move(result.cells);
}

CutCells cut_and_check(const TriangleMesh& mesh, const CutGrid& grid, double sliver = 0.02) {
  CutCells cells = cut_fine(mesh, grid, sliver);
  check_cut(cells, mesh, sliver);
  return cells;
}

double total_volume(const CutCells& cells) {
  double sum = 0;
  for (const CutCells::Cell& cell : cells.cells) sum += cell.volume;
  return sum;
}

const std::vector<TriangleMesh>& shapes() {
  static const std::vector<TriangleMesh> all = {
      box_mesh({1, 0.75, 0.5}, 0.25),
      sphere_mesh(0.5, 0.2),
      cylinder_mesh(0.4, 1, 0.2),
      capsule_mesh(0.25, 0.5, 0.15),
      torus_mesh(0.5, 0.2, 0.15),
      box_mesh({1, 1, 0.01}, 1),
      joined(box_mesh(Vec3::Ones(), 0.5), inside_out(sphere_mesh(0.3, 0.15)), {0.05, 0.1, 0})};
  return all;
}

// Cells' volumes without walls: the surface alone tells how much of a column of cells lies below
// each of its patches.
std::vector<double> column_volumes(const CutCells& cells) {
  const CutGrid& grid = cells.grid;
  std::vector<double> volume(grid.nodes(), 0);
  for (int p = 0; p < cells.patches.size(); ++p) {
    const std::span<const int> loop = cells.patches[p];
    CutGrid::Place place;
    Vec3 middle = Vec3::Zero();
    for (const int point : loop) middle += cells.points[point] / double(loop.size());
    for (int axis = 0; axis < 3; ++axis) place[axis] = grid.slab(axis, middle[axis]);
    double shadow = 0, below = 0;  // signed area seen from above, volume between floor and patch
    for (std::size_t i = 2; i < loop.size(); ++i) {
      const Vec3 &a = cells.points[loop[0]], &b = cells.points[loop[i - 1]],
                 &c = cells.points[loop[i]];
      const double area = 0.5 * (b - a).cross(c - a).z();
      shadow += area;
      below += area * ((a.z() + b.z() + c.z()) / 3 - grid.plane(2, place[2]));
    }
    volume[grid.number(place)] += below;
    for (--place[2]; place[2] >= 0; --place[2]) volume[grid.number(place)] += shadow * grid.cell;
  }
  return volume;
}

}  // namespace

TEST_CASE("shapes are cut into closed cells that fill them, in 200 positions") {
  int cells = 0;
  for (int i = 0; i < 200; ++i) {
    INFO("position " << i);
    const TriangleMesh& shape = shapes()[std::size_t(i) % shapes().size()];
    const Quat turn = Quat(random_unit(1, 4 * i) - 0.5, random_unit(1, 4 * i + 1) - 0.5,
                           random_unit(1, 4 * i + 2) - 0.5, random_unit(1, 4 * i + 3) - 0.5)
                          .normalized();
    const TriangleMesh mesh = placed(shape, turn.toRotationMatrix(), 3 * test::random_vector(2, i));
    const double size = 0.1 + 0.3 * random_unit(3, i);
    cells += int(cut_and_check(mesh, cut_grid_through(mesh, size, Vec3::Zero())).cells.size());
    check_cut(cut_into_cells(mesh, size).cells, mesh);
  }
  CHECK(cells > 10000);
}

TEST_CASE("so they are where faces lie in planes, edges on lines and corners on nodes") {
  const double half = std::sqrt(0.5);
  Mat3 eighth;  // turns by 45 degrees bring diagonals onto lines
  eighth << half, -half, 0, half, half, 0, 0, 0, 1;
  TriangleMesh diamond;
  diamond.points = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
  diamond.triangles = {{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4},
                       {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}};
  std::vector<TriangleMesh> meshes = shapes();
  meshes.push_back(diamond);
  meshes.push_back(box_mesh(Vec3::Ones(), 0.125));
  for (std::size_t m = 0; m < meshes.size(); ++m) {
    for (int turn = 0; turn < 5; ++turn) {
      Mat3 rotation = Mat3::Identity();
      if (turn == 1) rotation = eighth;
      if (turn == 2) rotation << 0, 1, 0, 0, 0, 1, 1, 0, 0;
      if (turn == 3) rotation << 1, 0, 0, 0.5, 1, 0, 0.25, 0.5, 1;  // shears are fine too
      if (turn == 4) rotation << 0, -1, 0, 1, 0, 0, 0, 0, 1;
      for (const double size : {0.25, 0.125, 0.5, 0.2}) {
        for (const double shift : {0.0, 0.5, 0.0625}) {
          INFO("mesh " << m << ", turn " << turn << ", cell " << size << ", shift " << shift);
          const TriangleMesh mesh = placed(meshes[m], rotation, Vec3(shift, 0, 2 * shift));
          cut_and_check(mesh, cut_grid_through(mesh, size, Vec3::Zero()));
        }
      }
    }
  }
}

TEST_CASE("a grid through the surface's own corners cuts like one next to it") {
  const TriangleMesh box = box_mesh(Vec3::Ones(), 0.25);  // corners at all multiples of 1/4
  const CutCells on = cut_and_check(box, cut_grid_through(box, 0.25, Vec3::Zero()));
  CHECK(on.cells.size() == 64);
  for (const CutCells::Cell& cell : on.cells) CHECK(cell.volume == doctest::Approx(1.0 / 64));
  const CutCells between = cut_and_check(box, cut_grid_between(box, 0.25));
  CHECK(between.cells.size() == 125);
}

TEST_CASE("cells have the volumes that the surface alone tells") {
  for (const TriangleMesh& mesh : shapes()) {
    const CutCells cells = cut_fine(mesh, cut_grid_between(mesh, 0.17), 0);
    std::vector<double> expected = column_volumes(cells), found(expected.size(), 0);
    for (const CutCells::Cell& cell : cells.cells)
      found[cells.grid.number(cell.place)] += cell.volume;
    double worst = 0;
    for (std::size_t c = 0; c < found.size(); ++c)
      worst = std::max(worst, std::abs(found[c] - expected[c]));
    CHECK(worst < 1e-13);
  }
}

TEST_CASE("corners of the grid are particles exactly where they lie inside") {
  const TriangleMesh mesh = torus_mesh(0.5, 0.2, 0.1);
  const CutCells cells = cut_fine(mesh, cut_grid_between(mesh, 0.11), 0);
  std::vector<char> is_particle(cells.grid.nodes(), 0);
  for (const int p : cells.particles.item) {
    const Vec3& x = cells.points[p];
    CutGrid::Place at;
    for (int axis = 0; axis < 3; ++axis) at[axis] = cells.grid.slab(axis, x[axis]);
    if (cells.grid.node(at) == x) is_particle[cells.grid.number(at)] = 1;
  }
  const WindingNumber winding(mesh);
  int inside = 0;
  for (std::size_t n = 0; n < cells.grid.nodes(); ++n) {
    const bool expected = winding.inside(cells.grid.node(cells.grid.at(n)));
    CHECK(bool(is_particle[n]) == expected);
    inside += expected;
  }
  CHECK(inside > 50);
}

TEST_CASE("cells the surface does not touch are cubes of eight particles") {
  const TriangleMesh ball = sphere_mesh(0.5, 0.1);
  const CutCells cells = cut_and_check(ball, cut_grid_between(ball, 0.1));
  std::vector<char> touched(cells.cells.size(), 0);
  for (const int cell : cells.patch_cell) touched[cell] = 1;
  int cubes = 0;
  for (int c = 0; c < int(cells.cells.size()); ++c) {
    if (touched[c]) continue;
    ++cubes;
    CHECK(cells.particles[c].size() == 8);
    CHECK(cells.cells[c].volume == doctest::Approx(1e-3).epsilon(1e-12));
    CHECK((cells.cells[c].centre - cells.grid.centre(cells.cells[c].place)).norm() < 1e-14);
  }
  CHECK(cubes > 150);
}

TEST_CASE("separate parts of the solid in one cell are separate cells") {
  // A comb: teeth a tenth of a cell thick, joined by a back two cells away.
  TriangleMesh comb;
  const int teeth = 4;
  std::vector<Eigen::Vector2d> outline = {{0, 0}};
  for (int i = 0; i < teeth; ++i) {
    outline.emplace_back(0.2 * i, 3);
    outline.emplace_back(0.2 * i + 0.1, 3);
    if (i + 1 < teeth) {
      outline.emplace_back(0.2 * i + 0.1, 0.3);
      outline.emplace_back(0.2 * i + 0.2, 0.3);
    }
  }
  outline.emplace_back(0.2 * teeth - 0.1, 0);
  std::reverse(outline.begin(), outline.end());  // anticlockwise
  const int n = int(outline.size());
  for (const double z : {0.0, 0.5})
    for (const Eigen::Vector2d& p : outline) comb.points.emplace_back(p.x(), p.y(), z);
  for (int i = 0; i < n; ++i) {
    const int j = (i + 1) % n;
    comb.triangles.push_back({i, j, n + j});
    comb.triangles.push_back({i, n + j, n + i});
  }
  // Caps: the back as a fan of quads, the teeth as quads. Found by hand: points from the right.
  const auto cap = [&](int a, int b, int c) {
    comb.triangles.push_back({n + a, n + b, n + c});
    comb.triangles.push_back({a, c, b});
  };
  const auto at = [&](double x, double y) {
    for (int i = 0; i < n; ++i)
      if (std::abs(outline[i].x() - x) < 1e-9 && std::abs(outline[i].y() - y) < 1e-9) return i;
    return -1;
  };
  // The back: a strip between the feet of the teeth above and two corners below.
  const int left = at(0, 0), right = at(0.7, 0);
  std::vector<int> feet;
  for (int i = 0; i < teeth; ++i) {
    if (i > 0) feet.push_back(at(0.2 * i, 0.3));
    if (i + 1 < teeth) feet.push_back(at(0.2 * i + 0.1, 0.3));
  }
  cap(left, right, feet.back());
  for (std::size_t i = feet.size() - 1; i > 0; --i) cap(left, feet[i], feet[i - 1]);
  for (int i = 0; i < teeth; ++i) {
    const int a = i > 0 ? at(0.2 * i, 0.3) : left,
              b = i + 1 < teeth ? at(0.2 * i + 0.1, 0.3) : right;
    const int c = at(0.2 * i + 0.1, 3), d = at(0.2 * i, 3);
    if (i == 0) {
      cap(a, b, d);
      cap(b, c, d);
    } else if (i + 1 == teeth) {
      cap(a, b, c);
      cap(a, c, d);
    } else {
      cap(a, b, c);
      cap(a, c, d);
    }
  }
  REQUIRE(is_closed(comb));
  REQUIRE(is_oriented(comb));
  CHECK(volume(comb) == doctest::Approx(0.5 * (0.7 * 0.3 + teeth * 0.1 * 2.7)));

  const CutCells cells = cut_and_check(comb, cut_grid_through(comb, 1, Vec3(-0.1, -0.1, -0.1)));
  // One cell around the back, then two or three pieces of each tooth above it.
  std::map<int, int> in_layer;
  for (const CutCells::Cell& cell : cells.cells) ++in_layer[cell.place[1]];
  CHECK(in_layer[0] == 1);
  CHECK(in_layer[1] == teeth);
  CHECK(in_layer[2] == teeth);
  for (const CutCells::Cell& cell : cells.cells)
    if (cell.place[1] == 1) CHECK(cell.volume == doctest::Approx(0.05));
}

TEST_CASE("hollows work inside a cell, through walls and across lines, with things in them") {
  const TriangleMesh box = box_mesh(Vec3::Constant(4), 1);
  const CutGrid grid = cut_grid_through(box, 1, Vec3::Constant(0.5));
  const TriangleMesh hollow = inside_out(sphere_mesh(0.3, 0.2)), small = sphere_mesh(0.15, 0.1);
  struct Case {
    const char* where;
    Vec3 at;
    int cells;  // beside the 125 of the box; the island adds its own
  };
  for (const Case& c :
       {Case{"in a cell", {0, 0, 0}, 1}, Case{"through a wall", {0.5, 0, 0}, 2},
        Case{"across a line", {0.5, 0.5, 0}, 4}, Case{"round a node", {0.5, 0.5, 0.5}, 8}}) {
    INFO(std::string(c.where));
    const Vec3 at = c.at + Vec3(0.01, 0.02, 0.03);
    const TriangleMesh with_hollow = joined(box, hollow, at);
    const CutCells cells = cut_and_check(with_hollow, grid, 0);
    CHECK(cells.cells.size() == 125);
    const CutCells with_island = cut_and_check(joined(with_hollow, small, at), grid, 0);
    CHECK(int(with_island.cells.size()) == 125 + c.cells);
    CHECK(total_volume(with_island) == doctest::Approx(64 + volume(hollow) + volume(small)));
  }
}

TEST_CASE("slivers join the neighbour with the largest common wall") {
  // One cell and a fiftieth of a second one along x, two hundredths along y.
  const TriangleMesh box =
      placed(box_mesh({1.015, 1.01, 1}, 2), Mat3::Identity(), 0.5 * Vec3(1.015, 1.01, 1));
  const CutGrid grid = cut_grid_through(box, 1, Vec3::Zero());
  // The top lies in a plane of the grid: four cells of no volume above it are never kept.
  CHECK(cut_and_check(box, grid, 0).cells.size() == 4);
  const CutCells merged = cut_and_check(box, grid);
  CHECK(merged.cells.size() == 1);
  CHECK(merged.merged == 7);
  CHECK(merged.walls.empty());
  CHECK(int(merged.particles.item.size()) == merged.surface_points);
  // Two cells side by side and a shaving over both: each part joins the cell below it, not the
  // other shaving.
  const TriangleMesh pair =
      placed(box_mesh({2, 1.01, 0.5}, 4), Mat3::Identity(), Vec3(1, 0.505, 0.25));
  const CutCells halves = cut_and_check(pair, cut_grid_through(pair, 1, Vec3(0, 0, -0.25)));
  REQUIRE(halves.cells.size() == 2);
  CHECK(halves.cells[0].volume == doctest::Approx(0.505));
  CHECK(halves.cells[1].volume == doctest::Approx(0.505));
}

TEST_CASE("cut_into_about gives about as many cells as asked") {
  for (const TriangleMesh& mesh : {sphere_mesh(0.5, 0.1), torus_mesh(0.5, 0.1, 0.06)})
    for (const int count : {60, 200, 850}) {
      const CutResult result = cut_into_about(mesh, count);
      REQUIRE(result.fine());
      check_cut(result.cells, mesh);
      CHECK(double(result.cells.cells.size()) == doctest::Approx(count).epsilon(0.15));
    }
}

TEST_CASE("a fish with thin fins is cut, finely and coarsely, in any direction") {
  const TriangleMesh fish = fish_mesh(1, 0.011);
  for (const int count : {840, 195}) {
    const CutResult result = cut_into_about(fish, count);
    INFO(result.reason);
    REQUIRE(result.fine());
    check_cut(result.cells, fish);
    CHECK(double(result.cells.cells.size()) == doctest::Approx(count).epsilon(0.1));
  }
  for (int i = 0; i < 6; ++i) {
    const Mat3 turn = Eigen::AngleAxisd(i + 1.0, test::random_vector(5, i).normalized()).matrix();
    const TriangleMesh turned_fish = placed(fish, turn, test::random_vector(6, i));
    check_cut(cut_into_cells(turned_fish, 0.05).cells, turned_fish);
  }
}

TEST_CASE("surfaces that bound no solid are reported, with what is wrong with them") {
  const TriangleMesh ball = sphere_mesh(0.5, 0.2);
  const auto problem = [](const TriangleMesh& mesh) {
    const CutResult result = cut_into_cells(mesh, 0.2);
    CHECK(result.reason.empty() == result.fine());
    CHECK(result.cells.cells.empty() != result.fine());
    return result.problem;
  };
  CHECK(problem({}) == CutProblem::empty);
  CHECK(problem(ball) == CutProblem::none);

  TriangleMesh mesh = ball;
  mesh.triangles.pop_back();
  CHECK(problem(mesh) == CutProblem::open);
  CHECK(cut_into_cells(mesh, 0.2).reason == "is open: 3 edges have one triangle only");

  mesh = ball;
  mesh.points[3].y() = std::numeric_limits<double>::quiet_NaN();
  CHECK(problem(mesh) == CutProblem::not_finite);

  mesh = ball;
  std::swap(mesh.triangles[5][0], mesh.triangles[5][1]);
  CHECK(problem(mesh) == CutProblem::twisted);

  mesh = ball;  // a second, flat skin on one triangle
  mesh.triangles.push_back(mesh.triangles[0]);
  mesh.triangles.push_back({mesh.triangles[0][1], mesh.triangles[0][0], mesh.triangles[0][2]});
  CHECK(problem(mesh) == CutProblem::crowded);

  CHECK(problem(joined(ball, ball, {0.3, 0, 0})) == CutProblem::crossing);
  CHECK(problem(joined(ball, sphere_mesh(0.2, 0.1), Vec3::Zero())) == CutProblem::overlapping);
  CHECK(problem(inside_out(ball)) == CutProblem::overlapping);
  CHECK(problem(joined(ball, ball, {1.2, 0, 0})) == CutProblem::none);
  CHECK(cut_into_cells(ball, 1e-4).problem == CutProblem::too_fine);
  CHECK(cut_into_cells(ball, 1e-300).problem == CutProblem::too_fine);
}

TEST_CASE("real models are cut") {
  const std::vector<test::NamedModel> models = test::real_models();
  if (models.empty()) MESSAGE("no models at " << test::model_folder().string() << "; skipped");
  for (const auto& [name, mesh] : models) {
    INFO(name);
    const bool crosses = find_self_crossing(mesh).has_value();  // cow.obj does
    const CutResult plain = cut_into_about(mesh, 400);
    CHECK(plain.problem == (crosses ? CutProblem::crossing : CutProblem::none));
    if (!crosses) check_cut(plain.cells, mesh);
    for (const int count : {100, 1000}) {
      const CutResult result = cut_into_about(mesh, count, {.allow_crossing = true});
      REQUIRE(result.fine());
      check_cut(result.cells, mesh);
      CHECK(double(result.cells.cells.size()) == doctest::Approx(count).epsilon(0.15));
    }
  }
}
