#include "geometry/coarsen/collapse.h"

#include <doctest/doctest.h>

#include "geometry/coarsen/surface_distance.h"
#include "geometry/mesh/primitives.h"
#include "geometry/mesh/refine.h"
#include "geometry/mesh/test_models.h"
#include "geometry/mesh/topology.h"
#include "geometry/query/self_crossing.h"

using namespace pliant;

namespace {

double longest_edge(const TriangleMesh& mesh) {
  double longest = 0;
  for (const Triangle& t : mesh.triangles)
    for (int k = 0; k < 3; ++k)
      longest = std::max(longest, (mesh.points[t[k]] - mesh.points[t[(k + 1) % 3]]).norm());
  return longest;
}

CoarseSurface collapsed(const TriangleMesh& mesh, double edge) {
  CollapseLimits limits;
  limits.longest = 1.5 * edge;
  limits.distance = 0.05 * edge;
  limits.thickness = layer_distances(mesh, edge);
  return collapse_edges(mesh, limits);
}

/// A sheet in the plane y = 0 with bumps of this height.
TriangleMesh bumpy_sheet(int cells, double height) {
  TriangleMesh mesh;
  for (int i = 0; i <= cells; ++i)
    for (int j = 0; j <= cells; ++j)
      mesh.points.push_back({double(i), height * std::sin(2.1 * i + 1.3 * j), double(j)});
  for (int i = 0; i < cells; ++i)
    for (int j = 0; j < cells; ++j) {
      const int a = i * (cells + 1) + j, b = a + cells + 1;
      mesh.triangles.push_back({a, a + 1, b});
      mesh.triangles.push_back({b, a + 1, b + 1});
    }
  return mesh;
}

}  // namespace

TEST_CASE("a collapsed surface is as closed, as connected and as large as the given one") {
  for (const TriangleMesh& mesh : {sphere_mesh(1, 0.05), torus_mesh(1, 0.4, 0.05),
                                   box_mesh({1, 2, 0.5}, 0.04), capsule_mesh(0.3, 1, 0.03)}) {
    const TriangleMesh coarse = collapsed(mesh, 0.2).mesh;
    const Topology was = topology(mesh), is = topology(coarse);
    CHECK(is.closed);
    CHECK(is.oriented());
    CHECK(is.shells == was.shells);
    const auto euler = [](const TriangleMesh& m, const Topology& t) {
      return int(m.points.size()) - t.edges + int(m.triangles.size());
    };
    CHECK(euler(coarse, is) == euler(mesh, was));
    CHECK(coarse.triangles.size() < mesh.triangles.size() / 6);
    CHECK(volume(coarse) == doctest::Approx(volume(mesh)).epsilon(0.03));
    CHECK_FALSE(find_self_crossing(coarse));
  }
}

TEST_CASE("no new edge is longer, no given point further off than asked") {
  const TriangleMesh mesh = sphere_mesh(1, 0.05);
  const TriangleMesh coarse = collapsed(mesh, 0.2).mesh;
  CHECK(longest_edge(coarse) <= 1.5 * 0.2);
  for (const SurfacePoint& at : closest_points(coarse, Bvh(coarse), mesh.points))
    CHECK(at.distance <= 0.05 * 0.2 * (1 + 1e-9));
}

TEST_CASE("points that stay are given ones") {
  const TriangleMesh mesh = torus_mesh(1, 0.4, 0.1);
  const CoarseSurface coarse = collapsed(mesh, 0.3);
  for (std::size_t i = 0; i < coarse.point.size(); ++i)
    CHECK(coarse.mesh.points[i] == mesh.points[std::size_t(coarse.point[i])]);
}

TEST_CASE("corners and creases of a box stay where they are") {
  const Vec3 size(1, 2, 0.5);
  const TriangleMesh coarse = collapsed(box_mesh(size, 0.04), 0.2).mesh;
  int corners = 0;
  for (const Vec3& p : coarse.points)
    corners += (p.cwiseAbs() - 0.5 * size).cwiseAbs().maxCoeff() < 1e-12;
  CHECK(corners == 8);
  CHECK(volume(coarse) == doctest::Approx(volume(box_mesh(size, 0.5))).epsilon(0.01));
}

TEST_CASE("both sides of a plate much thinner than its edges stay apart") {
  TriangleMesh plate = box_mesh({1, 0.01, 1}, 0.02);
  for (Vec3& p : plate.points) p.y() += 0.1 * std::sin(3 * p.x()) * std::cos(2 * p.z());
  const TriangleMesh coarse = collapsed(plate, 0.2).mesh;
  CHECK(coarse.triangles.size() < plate.triangles.size() / 4);
  CHECK(is_closed(coarse));
  CHECK_FALSE(find_self_crossing(coarse));
  CHECK(volume(coarse) == doctest::Approx(volume(plate)).epsilon(0.3));
}

TEST_CASE("a rim stays a rim, and noise below the distance goes") {
  const TriangleMesh sheet = bumpy_sheet(60, 0.1);
  const TriangleMesh coarse = collapsed(sheet, 5).mesh;
  const Topology is = topology(coarse);
  CHECK(is.shells == 1);
  CHECK(is.crowded_edges == 0);
  CHECK(boundary_loops(coarse).size() == 1);
  CHECK(coarse.triangles.size() < sheet.triangles.size() / 10);
  CHECK(bounds(coarse.points).extent().x() == doctest::Approx(60));
}

TEST_CASE("more distance is taken only where a surface would stay too fine without") {
  const TriangleMesh sheet = bumpy_sheet(60, 0.5);
  CollapseLimits limits;
  limits.longest = 7.5;
  limits.distance = 0.1;
  limits.enough = 400;
  limits.most_distance = 1.6;
  const TriangleMesh coarse = collapse_edges(sheet, limits).mesh;
  CHECK(coarse.triangles.size() < 1200);
  limits.most_distance = 0;
  CHECK(collapse_edges(sheet, limits).mesh.triangles.size() > 4 * coarse.triangles.size());
}

TEST_CASE("points where a surface is no manifold stay") {
  TriangleMesh mesh = bumpy_sheet(20, 0);
  const int first = int(mesh.points.size());
  for (int j = 0; j <= 20; ++j) mesh.points.push_back({10, 2, double(j)});  // a wall on a sheet
  for (int j = 0; j < 20; ++j) {
    mesh.triangles.push_back({210 + j, 211 + j, first + j});
    mesh.triangles.push_back({first + j, 211 + j, first + j + 1});
  }
  const CoarseSurface coarse = collapsed(mesh, 5);
  for (int j = 0; j <= 20; ++j)
    CHECK(std::binary_search(coarse.point.begin(), coarse.point.end(), 210 + j));
  CHECK(topology(coarse.mesh).crowded_edges == topology(mesh).crowded_edges);
}

TEST_CASE("models become coarse, stay closed, and do not depend on how finely they are divided") {
  const auto models = test::real_models();
  if (models.empty()) MESSAGE("no models: PLIANT_MODELS names no folder that has some");
  for (const auto& [name, mesh] : models) {
    if (!is_closed(mesh)) continue;
    CAPTURE(name);
    const double edge = 0.1 * bounds(mesh.points).extent().maxCoeff();
    const TriangleMesh coarse = collapsed(mesh, edge).mesh;
    CHECK(is_closed(coarse));
    CHECK(coarse.triangles.size() <= mesh.triangles.size());  // the torus is as coarse already
    const TriangleMesh fine = refine_long_edges(mesh, 0.01 * bounds(mesh.points).extent().norm());
    CHECK(double(collapsed(fine, edge).mesh.triangles.size()) <
          1.3 * double(coarse.triangles.size()));
  }
}
