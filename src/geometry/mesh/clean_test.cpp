#include "geometry/mesh/clean.h"

#include <doctest/doctest.h>

#include "geometry/mesh/primitives.h"
#include "geometry/mesh/topology.h"

using namespace pliant;

namespace {

// Every triangle with corners of its own, as in an STL file.
TriangleMesh soup(const TriangleMesh& mesh) {
  TriangleMesh all;
  for (const Triangle& t : mesh.triangles) {
    const int first = int(all.points.size());
    for (const int p : t) all.points.push_back(mesh.points[p]);
    all.triangles.push_back({first, first + 1, first + 2});
  }
  return all;
}

}  // namespace

TEST_CASE("cleaning a triangle soup makes it the closed surface it was") {
  const TriangleMesh mesh = torus_mesh(1, 0.3, 0.2);
  const TriangleMesh loose = soup(mesh);
  CHECK_FALSE(is_closed(loose));
  const Cleaned cleaned = clean(loose);
  CHECK(is_closed(cleaned.mesh));
  CHECK(cleaned.mesh.points.size() == mesh.points.size());
  CHECK(cleaned.welded == int(loose.points.size() - mesh.points.size()));
  CHECK(volume(cleaned.mesh) == doctest::Approx(volume(mesh)).epsilon(1e-14));
  for (std::size_t p = 0; p < loose.points.size(); ++p)
    REQUIRE(cleaned.mesh.points[cleaned.kept[p]] == loose.points[p]);
}

TEST_CASE("a clean surface is left alone") {
  const TriangleMesh mesh = sphere_mesh(1, 0.4);
  const Cleaned cleaned = clean(mesh);
  CHECK_FALSE(cleaned.changed());
  CHECK(cleaned.mesh.points == mesh.points);
  CHECK(cleaned.mesh.triangles == mesh.triangles);
}

TEST_CASE("each kind of rubbish is dropped and counted, and groups follow") {
  TriangleMesh mesh;
  mesh.points = {{9, 9, 9}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {-0.0, 0, 0}, {2, 0, 0}, {8, 8, 8}};
  mesh.triangles = {{1, 1, 2},   // collapsed
                    {1, 2, 4},   // collapsed once 4 is welded to 1
                    {1, 2, 5},   // flat
                    {1, 2, 3},   // good
                    {3, 4, 2},   // the same again
                    {1, 3, 2}};  // the other way round: kept
  mesh.groups = {{"all", {0, 1, 2, 3, 4, 5}}};
  const Cleaned cleaned = clean(mesh);
  CHECK(cleaned.collapsed == 2);
  CHECK(cleaned.flat == 1);
  CHECK(cleaned.repeated == 1);
  CHECK(cleaned.welded == 1);
  CHECK(cleaned.unused == 3);
  CHECK(cleaned.kept == std::vector<int>{-1, 0, 1, 2, 0, -1, -1});
  CHECK(cleaned.mesh.triangles == std::vector<Triangle>{{0, 1, 2}, {0, 2, 1}});
  CHECK(cleaned.mesh.groups[0].triangles == std::vector<int>{0, 1});
}

TEST_CASE("points that are not numbers are welded to nothing") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  TriangleMesh mesh;
  mesh.points = {{nan, 0, 0}, {nan, 0, 0}, {0, 0, 0}, {0, 0, 0}, {1, 0, 0}, {0, nan, 0}};
  mesh.triangles = {{0, 1, 2}, {3, 4, 5}};
  CHECK(clean(mesh).welded == 1);
}
