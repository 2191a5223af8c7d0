#include "geometry/query/self_intersections.h"

#include <cmath>
#include <doctest/doctest.h>

#include "core/parallel.h"
#include "core/random.h"
#include "geometry/mesh/primitives.h"
#include "geometry/mesh/test_broken.h"
#include "geometry/query/ray.h"

using namespace pliant;
using test::joined;

TEST_CASE("closed shapes do not pass through themselves, nor do shapes that touch") {
  for (const TriangleMesh& mesh : {sphere_mesh(1, 0.3), torus_mesh(1, 0.3, 0.2),
                                   box_mesh(Vec3(1, 2, 3), 0.4), capsule_mesh(0.5, 1, 0.2)}) {
    const SelfIntersections found = find_self_intersections(mesh, Bvh(mesh));
    CHECK(found.pairs == 0);
    CHECK(found.complete);
  }
  const TriangleMesh box = box_mesh(Vec3::Ones(), 1);
  const TriangleMesh touching = joined(box, box, Vec3(1, 0.3, 0.2));
  // Their faces lie in one plane and overlap there: that is told, other touching is not.
  CHECK(find_self_intersections(touching, Bvh(touching)).triangles.size() == 4);
  const TriangleMesh corner = joined(box, box, Vec3(1, 1, 1));
  CHECK(find_self_intersections(corner, Bvh(corner)).pairs == 0);
}

TEST_CASE(
    "two spheres in each other: the tree finds what all pairs show, on any number of threads") {
  const TriangleMesh mesh = joined(sphere_mesh(1, 0.35), sphere_mesh(1, 0.3), Vec3(0.9, 0.2, 0.1));
  std::int64_t pairs = 0;
  for (int i = 0; i < int(mesh.triangles.size()); ++i)
    for (int j = i + 1; j < int(mesh.triangles.size()); ++j) pairs += triangles_overlap(mesh, i, j);
  CHECK(pairs > 20);
  for (const int count : {1, 3}) {
    set_threads(count);
    CHECK(find_self_intersections(mesh, Bvh(mesh)).pairs == pairs);
  }
  set_threads(0);
}

TEST_CASE("a face folded onto its neighbour overlaps it") {
  TriangleMesh mesh;
  mesh.points = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0.2, 0.7, 0}, {0.5, -1, 0}};
  mesh.triangles = {{0, 1, 2}, {1, 0, 3}};
  CHECK(triangles_overlap(mesh, 0, 1));
  mesh.triangles[1] = {1, 0, 4};
  CHECK(!triangles_overlap(mesh, 0, 1));
}

TEST_CASE("rays from inside a sphere hit it, rays from outside that lead away do not") {
  const TriangleMesh mesh = sphere_mesh(1, 0.2);
  const Bvh bvh(mesh);
  for (std::uint64_t i = 0; i < 500; ++i) {
    const Vec3 way(random_unit(1, 3 * i) - 0.5, random_unit(1, 3 * i + 1) - 0.5,
                   random_unit(1, 3 * i + 2) - 0.5);
    CHECK(ray_hits(mesh, bvh, 0.5 * way, way));
    // The first of the two crossings, from either side.
    CHECK(std::abs(ray_distance(mesh, bvh, -0.5 * way.normalized(), way) - 1.5) < 0.03);
    CHECK(std::abs(ray_distance(mesh, bvh, -2 * way.normalized(), way) - 1) < 0.03);
    CHECK(!ray_hits(mesh, bvh, 1.5 * way.normalized(), way));
  }
}
