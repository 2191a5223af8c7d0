#include "geometry/query/bvh.h"

#include <doctest/doctest.h>
#include <string>

#include "core/random.h"
#include "geometry/mesh/primitives.h"

using namespace pliant;

namespace {

Vec3 random_point(const Box& box, std::uint64_t seed, int i) {
  Vec3 share;
  for (int axis = 0; axis < 3; ++axis) share[axis] = random_unit(seed, std::uint64_t(3 * i + axis));
  return box.low + share.cwiseProduct(box.extent());
}

// Triangles of all sizes in no order, some without area.
TriangleMesh soup() {
  TriangleMesh mesh;
  for (int i = 0; i < 200; ++i)
    mesh.points.push_back(random_point({Vec3(-1, -1, -1), Vec3(1, 1, 1)}, 5, i));
  for (int i = 0; i < 300; ++i) {
    Triangle& t = mesh.triangles.emplace_back();
    for (int k = 0; k < 3; ++k) t[k] = int(random_bits(9, std::uint64_t(3 * i + k)) % 200);
    if (i % 20 == 0) t[1] = t[0];
    if (i % 50 == 0) t[2] = t[0];
  }
  return mesh;
}

std::vector<TriangleMesh> five_meshes() {
  return {box_mesh({1, 0.5, 0.25}, 0.1), sphere_mesh(0.5, 0.1), torus_mesh(0.6, 0.2, 0.1),
          cylinder_mesh(0.3, 1, 0.08), soup()};
}

bool same(const SurfacePoint& a, const SurfacePoint& b) {
  return a.triangle == b.triangle && a.point == b.point && a.share == b.share &&
         a.distance == b.distance;
}

// Closest by walking over a fine lattice of the triangle: slow, and knows nothing of regions.
double distance_by_sampling(const Vec3& p, const TriangleMesh& mesh, int t, int steps) {
  double best = std::numeric_limits<double>::infinity();
  const Triangle& corner = mesh.triangles[t];
  for (int i = 0; i <= steps; ++i)
    for (int j = 0; i + j <= steps; ++j)
      best = std::min(best, ((i * mesh.points[corner[0]] + j * mesh.points[corner[1]] +
                              (steps - i - j) * mesh.points[corner[2]]) /
                                 steps -
                             p)
                                .norm());
  return best;
}

}  // namespace

TEST_CASE("no point of a triangle is closer than closest_on_triangle") {
  const TriangleMesh mesh = soup();
  for (int t = 0; t < 60; ++t) {
    for (int i = 0; i < 5; ++i) {
      const Vec3 p = random_point({Vec3(-2, -2, -2), Vec3(2, 2, 2)}, 31, 5 * t + i);
      const SurfacePoint found = closest_on_triangle(p, mesh, t);
      const double sampled = distance_by_sampling(p, mesh, t, 60);
      CHECK(found.distance <= sampled + 1e-14);
      CHECK(found.distance >= sampled - 0.06);
      CHECK(found.share.minCoeff() >= 0);
      CHECK(found.share.sum() == doctest::Approx(1).epsilon(1e-14));
      Vec3 point = Vec3::Zero();
      for (int k = 0; k < 3; ++k) point += found.share[k] * mesh.points[mesh.triangles[t][k]];
      CHECK((point - found.point).norm() < 1e-13);
      CHECK(found.distance == (found.point - p).norm());
    }
  }
}

TEST_CASE("Bvh::closest_point finds what brute force finds, to the last bit") {
  for (const TriangleMesh& mesh : five_meshes()) {
    const Bvh bvh(mesh);
    Box box = bounds(mesh.points);
    box.grow(0.3);
    for (int i = 0; i < 1000; ++i) {
      Vec3 p = random_point(box, 17, i);
      // Corners belong to several triangles, and the lattice hits middles of edges: ties.
      if (i % 4 == 1) p = mesh.points[std::size_t(i) % mesh.points.size()];
      if (i % 4 == 2) p = (p * 20).array().round() / 20;
      const double reach = i % 3 ? std::numeric_limits<double>::infinity() : 0.1;
      REQUIRE(same(bvh.closest_point(mesh, p, reach), closest_point_brute_force(mesh, p, reach)));
    }
  }
}

TEST_CASE("a point on the surface is within reach zero, a point beyond is not found") {
  const TriangleMesh mesh = sphere_mesh(0.5, 0.2);
  const Bvh bvh(mesh);
  CHECK(bvh.closest_point(mesh, mesh.points[3], 0).distance == 0);
  CHECK(bvh.closest_point(mesh, {2, 0, 0}, 1).triangle == -1);
  CHECK(bvh.closest_point(mesh, {2, 0, 0}, 1.6).triangle >= 0);
}

TEST_CASE("triangles_in finds exactly the triangles whose boxes overlap, in rising order") {
  for (const TriangleMesh& mesh : five_meshes()) {
    const Bvh bvh(mesh);
    for (int i = 0; i < 50; ++i) {
      Box box;
      box.add(random_point({Vec3(-1, -1, -1), Vec3(1, 1, 1)}, 3, i));
      box.grow(0.02 + 0.3 * random_unit(4, std::uint64_t(i)));
      std::vector<int> found = {-7}, expected = {-7};
      bvh.triangles_in(box, found);
      for (int t = 0; t < int(mesh.triangles.size()); ++t) {
        Box of_triangle;
        for (const int p : mesh.triangles[t]) of_triangle.add(mesh.points[p]);
        if (of_triangle.overlaps(box)) expected.push_back(t);
      }
      REQUIRE(found == expected);
    }
  }
}

TEST_CASE("the tree's leaves hold every triangle once, and boxes hold their children") {
  const TriangleMesh mesh = soup();
  const Bvh bvh(mesh);
  std::vector<int> seen(mesh.triangles.size(), 0);
  for (const Bvh::Node& node : bvh.nodes()) {
    if (node.left < 0) {
      for (int i = node.begin; i < node.end; ++i) ++seen[bvh.order()[i]];
      continue;
    }
    for (const int child : {node.left, node.left + 1}) {
      CHECK(node.box.contains(bvh.nodes()[child].box.low));
      CHECK(node.box.contains(bvh.nodes()[child].box.high));
    }
  }
  CHECK(seen == std::vector<int>(mesh.triangles.size(), 1));
}

TEST_CASE("a tree over nothing finds nothing") {
  const TriangleMesh empty;
  const Bvh bvh(empty);
  CHECK(bvh.closest_point(empty, Vec3::Zero()).triangle == -1);
  std::vector<int> found;
  bvh.triangles_in({Vec3(-1, -1, -1), Vec3(1, 1, 1)}, found);
  CHECK(found.empty());
}
