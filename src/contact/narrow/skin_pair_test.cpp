#include "contact/narrow/skin_pair.h"

#include <cmath>
#include <doctest/doctest.h>

#include "contact/test_scene.h"
#include "geometry/mesh/primitives.h"

using namespace pliant;
using namespace pliant::test;

namespace {

TriangleMesh one_triangle(const Vec3& p, const Vec3& q, const Vec3& r) {
  TriangleMesh mesh;
  mesh.points = {p, q, r};
  mesh.triangles = {{0, 1, 2}};
  return mesh;
}

/// A triangle that looks up, about the origin.
TriangleMesh sheet() { return one_triangle({-1, 0, -1}, {0, 0, 1}, {1, 0, -1}); }

/// A triangle whose first corner, at `tip`, is far nearer to the origin than the others.
TriangleMesh spike(const Vec3& tip, const Vec3& along) {
  return one_triangle(tip, tip + along + Vec3(0.1, 0, 0), tip + along + Vec3(-0.1, 0, 0.1));
}

/// Two skins, which the second substep finds where `position` is.
struct Two {
  Body a, b;
  SkinTopology topology_a, topology_b;
  ContactMemory memory;

  Two(const TriangleMesh& of_a, const TriangleMesh& of_b)
      : a(surface_body(of_a)), b(surface_body(of_b)) {
    topology_a.build(a.skin);
    topology_b.build(b.skin);
  }
  SkinPair pair() const {
    return {.a = a.skin,
            .b = b.skin,
            .topology_a = topology_a,
            .topology_b = topology_b,
            .memory = memory,
            .index_a = 0,
            .index_b = 1,
            .friction = 0.5,
            .scale = 1,
            .thickness = 0.01,
            .near = 0.05,
            .depth = 0.05,
            .travel = 2,
            .moved = 0,
            .exit = 0,
            .tolerance = 1e-4};
  }
  std::vector<Contact> touch(int vertex) const {
    std::vector<Candidate> all;
    for (int t = 0; t < int(b.skin.triangles.size()); ++t) all.push_back({t, 0});
    SkinPair::VertexNeighbours near_by;
    std::vector<Contact> found;
    int last = -1;
    pair().touch(vertex, all, last, near_by, found);
    return found;
  }
  std::vector<Contact> cross(int edge_a, int edge_b) const {
    std::vector<Contact> found;
    pair().cross(edge_a, edge_b, found);
    return found;
  }
  void move_a(const Vec3& by) {
    for (Vec3& p : a.skin.position) p += by;
  }
};

/// Two boxes that stand on edge, the first on the second's upper edge, across it.
Two crossed_boxes(double distance) {
  const double half = std::sqrt(0.5);
  TriangleMesh above = box_mesh(Vec3::Ones(), 1), below = above;
  const Quat on_z(Eigen::AngleAxisd(0.25 * 3.14159265358979323846, Vec3::UnitZ()));
  const Quat on_x(Eigen::AngleAxisd(0.25 * 3.14159265358979323846, Vec3::UnitX()));
  for (Vec3& p : above.points) p = on_z * p + Vec3(0.1, half + distance, 0);
  for (Vec3& p : below.points) p = on_x * p + Vec3(0, -half, 0.1);
  return {above, below};
}

/// The lowest edge, or with `side` 1 the highest.
int outer_edge(const Body& body, const SkinTopology& topology, double side) {
  int best = 0;
  double most = -1e9;
  for (int e = 0; e < int(topology.edges.size()); ++e) {
    const auto& [i, j] = topology.edges[e].vertex;
    const double height = side * (body.skin.rest[i] + body.skin.rest[j]).y();
    if (height > most) most = height, best = e;
  }
  return best;
}

}  // namespace

TEST_CASE("a vertex over a triangle has its distance, less the thickness, as gap") {
  for (const double height : {0.03, -0.03}) {  // a sheet has two sides
    const Two two(spike({0, height, 0}, {0, height > 0 ? 1.0 : -1.0, 0}), sheet());
    const std::vector<Contact> found = two.touch(0);
    REQUIRE(found.size() == 1);
    CHECK((found[0].normal - Vec3(0, height > 0 ? 1.0 : -1.0, 0)).norm() < 1e-12);
    CHECK(found[0].gap == doctest::Approx(0.02).epsilon(1e-12));
    CHECK(found[0].b.point(two.b.skin.position).norm() < 1e-12);
    CHECK(found[0].key == ContactKey{ContactKey::vertex_triangle, 0, 1, 0, 0});
  }
}

TEST_CASE("a vertex beyond reach has no contact, unless it moved fast enough to come near") {
  Two two(spike({0, 0.2, 0}, {0, 1, 0}), sheet());
  CHECK(two.touch(0).empty());
  two.move_a({0.12, 0, 0});  // sideways, but a solve may move it as far
  CHECK(two.touch(0).size() == 1);
}

TEST_CASE("a vertex that passed through a sheet within the substep keeps the side it came from") {
  for (const double side : {1.0, -1.0}) {
    Two two(spike({0, 0.02 * side, 0}, {0, side, 0}), sheet());
    two.move_a({0, -0.5 * side, 0});
    const std::vector<Contact> found = two.touch(0);
    REQUIRE(found.size() == 1);
    CHECK(found[0].normal.y() * side > 0.999);
    CHECK(found[0].gap == doctest::Approx(-0.48 - 0.01));
  }
}

TEST_CASE("round the rim of a sheet the normal points from the rim to the vertex") {
  const Two two(spike({0.02, 0.02, -1.02}, {0, 1, 0}), sheet());
  const std::vector<Contact> found = two.touch(0);
  REQUIRE(found.size() == 1);
  CHECK((found[0].normal - Vec3(0, 1, -1).normalized()).norm() < 1e-9);
  CHECK(found[0].distance() == doctest::Approx(0.02 * std::sqrt(2.0)));
}

TEST_CASE("in a closed skin a vertex is pushed out through the nearest face that it faces") {
  const Two two(spike({0.1, 0.47, 0.05}, {0, 1, 0}), box_mesh({1, 1, 1}, 0.25));
  const std::vector<Contact> found = two.touch(0);
  REQUIRE(found.size() == 1);
  CHECK((found[0].normal - Vec3::UnitY()).norm() < 1e-9);
  CHECK(found[0].distance() == doctest::Approx(-0.03));
}

TEST_CASE("ridges that cross above each other touch along their common perpendicular") {
  const Two two = crossed_boxes(0.03);
  const std::vector<Contact> found =
      two.cross(outer_edge(two.a, two.topology_a, -1), outer_edge(two.b, two.topology_b, 1));
  REQUIRE(found.size() == 1);
  CHECK((found[0].normal - Vec3::UnitY()).norm() < 1e-12);
  CHECK(found[0].distance() == doctest::Approx(0.03));
  CHECK((found[0].a.point(two.a.skin.position) - Vec3(0.1, 0.03, 0.1)).norm() < 1e-12);
}

TEST_CASE("an edge that passed through an edge within the substep keeps its side") {
  Two two = crossed_boxes(0.02);
  two.move_a({0, -0.1, 0});
  const std::vector<Contact> found =
      two.cross(outer_edge(two.a, two.topology_a, -1), outer_edge(two.b, two.topology_b, 1));
  REQUIRE(found.size() == 1);
  CHECK(found[0].normal.y() > 0.99);
  CHECK(found[0].distance() == doctest::Approx(-0.08));
}

TEST_CASE("contacts turn and move with the two skins") {
  for (std::uint64_t i = 0; i < 50; ++i) {
    const TriangleMesh box = box_mesh({1, 1, 1}, 0.5);
    const Vec3 tip(0.8 * random_unit(1, i) - 0.4, 0.5 + 0.05 * random_unit(2, i), 0.1);
    const Vec3 step = 0.02 * random_vector(3, i);
    const Quat turn = random_turn(4, i);
    const Vec3 shift = random_vector(5, i);
    const auto placed = [&](TriangleMesh mesh, bool moves) {
      if (moves)
        for (Vec3& p : mesh.points) p = turn * p + shift;
      return mesh;
    };
    std::vector<Contact> found[2];
    for (const bool moves : {false, true}) {
      Two two(placed(spike(tip, {0, 1, 0}), moves), placed(box, moves));
      two.move_a(moves ? Vec3(turn * step) : step);
      found[moves] = two.touch(0);
    }
    REQUIRE(found[0].size() == found[1].size());
    for (std::size_t k = 0; k < found[0].size(); ++k) {
      CHECK(found[0][k].gap == doctest::Approx(found[1][k].gap).epsilon(1e-9));
      CHECK((turn * found[0][k].normal - found[1][k].normal).norm() < 1e-9);
    }
  }
}

TEST_CASE("distance() is a lower bound, at most what is asked for") {
  const TriangleMesh box = box_mesh({1, 1, 1}, 0.25);
  for (std::uint64_t i = 0; i < 200; ++i) {
    const Vec3 tip = 1.5 * random_vector(6, i);
    const Two two(spike(tip, {0, 3, 0}), box);
    std::vector<Candidate> all;
    for (int t = 0; t < int(box.triangles.size()); ++t) all.push_back({t, 0});
    const double exact = closest_point_brute_force(box, tip, 10).distance;
    const double most = 2 * random_unit(7, i);
    const double bound = two.pair().distance(0, all, most);
    CHECK(bound <= std::min(exact, most) + 1e-12);
    CHECK(bound > 0.99 * std::min(exact, most) - 1e-5);
  }
}
