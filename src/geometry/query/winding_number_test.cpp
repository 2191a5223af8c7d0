#include "geometry/query/winding_number.h"

#include <cmath>
#include <doctest/doctest.h>

#include "core/random.h"
#include "geometry/mesh/primitives.h"

using namespace pliant;

namespace {

TriangleMesh open_sphere() {
  TriangleMesh mesh = sphere_mesh(0.5, 0.05);
  std::erase_if(mesh.triangles, [&](const Triangle& t) { return mesh.points[t[0]].y() > 0.35; });
  return mesh;
}

// A shell: the inner sphere faces the hollow.
TriangleMesh hollow_sphere(double hollow = 0.3) {
  TriangleMesh mesh = sphere_mesh(0.5, 0.06);
  const TriangleMesh inner = sphere_mesh(hollow, 0.06);
  const int first = int(mesh.points.size());
  mesh.points.insert(mesh.points.end(), inner.points.begin(), inner.points.end());
  for (const Triangle& t : inner.triangles)
    mesh.triangles.push_back({t[0] + first, t[2] + first, t[1] + first});
  return mesh;
}

Vec3 random_point(int i, double half) {
  Vec3 p;
  for (int a = 0; a < 3; ++a) p[a] = half * (2 * random_unit(23, std::uint64_t(3 * i + a)) - 1);
  return p;
}

}  // namespace

TEST_CASE("winding number is one inside a torus and zero outside, its hole included") {
  const TriangleMesh mesh = torus_mesh(0.5, 0.2, 0.05);
  const WindingNumber winding(mesh);
  for (int i = 0; i < 500; ++i) {
    const Vec3 p = random_point(i, 0.8);
    const double from_ring = std::hypot(std::hypot(p.x(), p.z()) - 0.5, p.y());
    if (std::abs(from_ring - 0.2) < 0.01) continue;  // the mesh is a little thinner than the torus
    const double expected = from_ring < 0.2 ? 1 : 0;
    REQUIRE(winding_number_brute_force(mesh, p) == doctest::Approx(expected).epsilon(1e-9));
    REQUIRE(winding.inside(p) == (expected == 1));
  }
  CHECK_FALSE(winding.inside(Vec3::Zero()));
}

TEST_CASE("a hollow is outside, the shell around it inside") {
  const WindingNumber winding(hollow_sphere());
  CHECK(winding.at({0, 0, 0}) == doctest::Approx(0).epsilon(0.01));
  CHECK(winding.at({0.4, 0, 0}) == doctest::Approx(1).epsilon(0.01));
  CHECK(winding.at({0, -0.6, 0}) == doctest::Approx(0).epsilon(0.01));
}

TEST_CASE("a sphere with a hole is still inside at depth, and fades through the hole") {
  const WindingNumber winding(open_sphere());
  CHECK(winding.inside({0, -0.2, 0}));
  CHECK(winding.inside({0, 0, 0}));
  CHECK_FALSE(winding.inside({0, 0.8, 0}));
  for (double y = -0.4; y < 0.9; y += 0.05)
    CHECK(winding.at({0, y, 0}) > winding.at({0, y + 0.05, 0}));
}

TEST_CASE("the fast winding number is within 0.01 of brute force, holes or not") {
  TriangleMesh spread = box_mesh({1, 0.2, 0.6}, 0.07);
  for (std::size_t t = 0; t < spread.triangles.size(); t += 5)
    std::swap(spread.triangles[t][0], spread.triangles[t][1]);
  for (const TriangleMesh& mesh :
       {sphere_mesh(0.5, 0.04), open_sphere(), hollow_sphere(), hollow_sphere(0.44),
        torus_mesh(0.5, 0.2, 0.06), cylinder_mesh(0.2, 1, 0.05), spread}) {
    const WindingNumber winding(mesh);
    double worst =
        std::abs(winding.at(Vec3::Zero()) - winding_number_brute_force(mesh, Vec3::Zero()));
    for (int i = 0; i < 600; ++i) {
      const Vec3 p = random_point(i, 0.8);
      worst = std::max(worst, std::abs(winding.at(p) - winding_number_brute_force(mesh, p)));
    }
    CHECK(worst < 0.01);
  }
}

TEST_CASE("corners, edges and an empty mesh give finite winding numbers") {
  const TriangleMesh mesh = box_mesh({1, 1, 1}, 0.5);
  const WindingNumber winding(mesh);
  for (const Vec3& p : mesh.points) CHECK(std::isfinite(winding.at(p)));
  CHECK(std::isfinite(winding.at({0.5, 0.25, 0.1})));
  CHECK(WindingNumber(TriangleMesh()).at({1, 2, 3}) == 0);
}
