#include "geometry/mesh/topology.h"

#include <doctest/doctest.h>
#include <tuple>

#include "core/random.h"
#include "geometry/mesh/primitives.h"
#include "geometry/mesh/sides.h"

using namespace pliant;

namespace {

TriangleMesh join(TriangleMesh a, const TriangleMesh& b, const Vec3& move) {
  const int first = int(a.points.size());
  for (const Vec3& p : b.points) a.points.push_back(p + move);
  for (const Triangle& t : b.triangles)
    a.triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
  return a;
}

}  // namespace

TEST_CASE("a missing triangle is a hole with a rim of three edges") {
  TriangleMesh mesh = sphere_mesh(1, 0.4);
  CHECK(boundary_loops(mesh).empty());
  const Triangle gone = mesh.triangles.back();
  mesh.triangles.pop_back();
  const Topology found = topology(mesh);
  CHECK_FALSE(found.closed);
  CHECK(found.open_edges == 3);
  CHECK(found.oriented());
  const std::vector<std::vector<int>> loops = boundary_loops(mesh);
  REQUIRE(loops.size() == 1);
  CHECK(loops[0].size() == 3);
  for (const int p : gone) CHECK(std::count(loops[0].begin(), loops[0].end(), p) == 1);
}

TEST_CASE("an open tube has two rims, each of them a closed row of neighbours") {
  TriangleMesh mesh = cylinder_mesh(0.5, 1, 0.1);
  std::erase_if(mesh.triangles, [&](const Triangle& t) {
    const double y = mesh.points[t[0]].y();
    return std::abs(y) > 0.49 && mesh.points[t[1]].y() == y && mesh.points[t[2]].y() == y;
  });
  const std::vector<std::vector<int>> loops = boundary_loops(mesh);
  REQUIRE(loops.size() == 2);
  std::size_t edges = 0;
  for (const std::vector<int>& loop : loops) {
    edges += loop.size();
    for (std::size_t i = 0; i < loop.size(); ++i) {
      const Vec3& p = mesh.points[loop[i]];
      const Vec3& next = mesh.points[loop[(i + 1) % loop.size()]];
      CHECK(p.y() == mesh.points[loop[0]].y());
      CHECK((p - next).norm() < 0.15);
    }
  }
  CHECK(edges == std::size_t(topology(mesh).open_edges));
}

TEST_CASE("one triangle turned over twists its three edges") {
  TriangleMesh mesh = sphere_mesh(1, 0.4);
  std::swap(mesh.triangles[5][0], mesh.triangles[5][1]);
  const Topology found = topology(mesh);
  CHECK(found.closed);
  CHECK(found.twisted_edges == 3);
  CHECK_FALSE(is_oriented(mesh));
}

TEST_CASE("shells are counted, and numbered by their first triangles") {
  const TriangleMesh ball = sphere_mesh(0.5, 0.3);
  const TriangleMesh three = join(join(ball, ball, {2, 0, 0}), ball, {0.2, 0, 0});
  CHECK(topology(three).shells == 3);
  const std::vector<int> shell = shell_of_triangles(three);
  for (std::size_t t = 0; t < shell.size(); ++t)
    REQUIRE(shell[t] == int(t / ball.triangles.size()));
  CHECK(topology(TriangleMesh()).shells == 0);
  CHECK_FALSE(is_closed(TriangleMesh()));
}

TEST_CASE("a surface that faces inwards is turned over once") {
  TriangleMesh mesh = capsule_mesh(0.2, 0.5, 0.1);
  const TriangleMesh right = mesh;
  CHECK_FALSE(face_outwards(mesh));
  for (Triangle& t : mesh.triangles) std::swap(t[1], t[2]);
  CHECK(face_outwards(mesh));
  CHECK(mesh.triangles == right.triangles);
}

TEST_CASE("two cubes that share an edge are closed with a crowded edge") {
  TriangleMesh mesh = join(box_mesh({1, 1, 1}, 1), box_mesh({1, 1, 1}, 1), {1, 1, 0});
  // Weld by hand: the second cube's edge x = y = 0.5 is the first one's.
  for (Triangle& t : mesh.triangles)
    for (int& p : t)
      for (int q = 0; q < 8; ++q)
        if (p >= 8 && mesh.points[p] == mesh.points[q]) p = q;
  const Topology found = topology(mesh);
  CHECK(found.closed);
  CHECK(found.crowded_edges == 1);
  CHECK(found.oriented());
  CHECK(boundary_loops(mesh).empty());
}

TEST_CASE("sides come by edge, then by index, each of them once") {
  for (const int spread : {100, 5000, 10'000'000}) {  // of the points: dense and sparse
    std::vector<Triangle> triangles = sphere_mesh(1, 0.2).triangles;
    for (int i = 0; i < 200; ++i)
      triangles.push_back({int(random_bits(1, 3 * i) % 50), int(random_bits(1, 3 * i + 1) % spread),
                           int(random_bits(1, 3 * i + 2) % spread)});
    const std::vector<Side> sides = sorted_sides(triangles);
    REQUIRE(sides.size() == 3 * triangles.size());
    const auto key = [](const Side& s) { return std::tuple(s.low, s.high, s.index); };
    for (std::size_t i = 1; i < sides.size(); ++i) CHECK(key(sides[i - 1]) < key(sides[i]));
    for (const Side& side : sides) {
      const Triangle& t = triangles[side.index / 3];
      const int from = t[side.index % 3], to = t[(side.index % 3 + 1) % 3];
      CHECK(std::tuple(side.low, side.high, side.forward) ==
            std::tuple(std::min(from, to), std::max(from, to), from < to));
    }
  }
  CHECK(sorted_sides({}).empty());
}
