#include "geometry/mesh/refine.h"

#include <doctest/doctest.h>

#include "core/errors.h"
#include "geometry/mesh/primitives.h"
#include "geometry/mesh/topology.h"

using namespace pliant;

namespace {

double longest_edge(const TriangleMesh& mesh) {
  double longest = 0;
  for (const Triangle& t : mesh.triangles)
    for (int k = 0; k < 3; ++k)
      longest = std::max(longest, (mesh.points[t[k]] - mesh.points[t[(k + 1) % 3]]).norm());
  return longest;
}

TriangleMesh stretched(TriangleMesh mesh) {
  for (Vec3& p : mesh.points) p.x() *= 20;
  return mesh;
}

}  // namespace

TEST_CASE("refinement keeps volume, area and closedness and leaves no long edge") {
  for (const TriangleMesh& mesh :
       {box_mesh({1, 1, 1}, 1), sphere_mesh(1, 0.5), torus_mesh(1, 0.3, 0.3),
        stretched(cylinder_mesh(0.3, 1, 0.2))}) {
    for (const double longest : {0.9, 0.31, 0.1}) {
      const TriangleMesh fine = refine_long_edges(mesh, longest);
      CHECK(longest_edge(fine) <= longest);
      CHECK(volume(fine) == doctest::Approx(volume(mesh)).epsilon(1e-12));
      CHECK(area(fine) == doctest::Approx(area(mesh)).epsilon(1e-12));
      const Topology found = topology(fine);
      CHECK(found.closed);
      CHECK(found.oriented());
      CHECK(found.crowded_edges == 0);
      for (std::size_t p = 0; p < mesh.points.size(); ++p)
        REQUIRE(fine.points[p] == mesh.points[p]);
    }
  }
}

TEST_CASE("a surface that is fine enough stays as it is") {
  const TriangleMesh mesh = sphere_mesh(1, 0.3);
  const TriangleMesh fine = refine_long_edges(mesh, 1);
  CHECK(fine.triangles == mesh.triangles);
  CHECK(fine.points == mesh.points);
}

TEST_CASE("a group covers the same part of the surface after refinement") {
  TriangleMesh mesh = box_mesh({1, 1, 1}, 1);
  mesh.groups = {{"half", {0, 3, 5, 8, 11}}, {"none", {}}};
  const TriangleMesh fine = refine_long_edges(mesh, 0.2);
  double before = 0, after = 0;
  for (const int t : mesh.groups[0].triangles) before += area_vector(mesh, t).norm();
  for (const int t : fine.groups[0].triangles) after += area_vector(fine, t).norm();
  CHECK(after == doctest::Approx(before));
  CHECK(fine.groups[0].triangles.size() > 100);
  CHECK(fine.groups[1].triangles.empty());
}

TEST_CASE(
    "refinement ends with an error instead of filling the memory, and ignores points at infinity") {
  CHECK_THROWS_AS(refine_long_edges(box_mesh({1, 1, 1}, 1), 1e-4), InputError);
  TriangleMesh mesh = box_mesh({1, 1, 1}, 1);
  mesh.points[0].x() = std::numeric_limits<double>::infinity();
  mesh.points[1].x() = std::numeric_limits<double>::quiet_NaN();
  CHECK(refine_long_edges(mesh, 0.5).triangles.size() > mesh.triangles.size());
}
