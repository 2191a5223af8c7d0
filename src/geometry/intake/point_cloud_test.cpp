#include "geometry/intake/point_cloud.h"

#include <doctest/doctest.h>
#include <numbers>

#include "core/errors.h"
#include "core/random.h"
#include "geometry/mesh/primitives.h"
#include "geometry/mesh/topology.h"

using namespace pliant;

namespace {

std::vector<Vec3> on_sphere(int count, double radius) {
  std::vector<Vec3> points;
  for (int i = 0; i < count; ++i) {
    const double y = 2 * random_unit(5, std::uint64_t(2 * i)) - 1;
    const double a = 2 * std::numbers::pi * random_unit(5, std::uint64_t(2 * i + 1));
    const double r = std::sqrt(1 - y * y);
    points.push_back(radius * Vec3(r * std::cos(a), y, r * std::sin(a)));
  }
  return points;
}

}  // namespace

TEST_CASE("points scattered over a sphere become a closed ball of its volume") {
  const CloudSurface found = surface_around(on_sphere(3000, 2));
  CHECK(is_closed(found.mesh));
  CHECK(is_oriented(found.mesh));
  CHECK(topology(found.mesh).shells == 1);
  CHECK(volume(found.mesh) == doctest::Approx(4.0 / 3 * std::numbers::pi * 8).epsilon(0.05));
}

TEST_CASE("points that fill a box become that box, a torus keeps its hole") {
  std::vector<Vec3> filled;
  for (int k = 0; k <= 10; ++k)
    for (int j = 0; j <= 10; ++j)
      for (int i = 0; i <= 20; ++i) filled.emplace_back(0.1 * i, 0.1 * j, 0.1 * k);
  const CloudSurface box = surface_around(filled);
  CHECK(is_closed(box.mesh));
  CHECK(volume(box.mesh) == doctest::Approx(2).epsilon(0.08));

  const TriangleMesh torus = torus_mesh(1, 0.35, 0.06);
  const CloudSurface ring = surface_around(torus.points);
  const Topology found = topology(ring.mesh);
  CHECK(found.closed);
  CHECK(int(ring.mesh.points.size()) - found.edges + int(ring.mesh.triangles.size()) == 0);
  CHECK(volume(ring.mesh) == doctest::Approx(volume(torus)).epsilon(0.08));
}

TEST_CASE("few points and points in a plane are refused, half a sphere becomes a shell") {
  CHECK_THROWS_AS(surface_around({{0, 0, 0}, {1, 0, 0}}), InputError);
  std::vector<Vec3> plane;
  for (int i = 0; i < 100; ++i) plane.emplace_back(i % 10, 0, i / 10);
  CHECK_THROWS_AS(surface_around(plane), InputError);
  std::vector<Vec3> half;
  for (const Vec3& p : on_sphere(4000, 1))
    if (p.y() < 0) half.push_back(p);
  const CloudSurface shell = surface_around(half);
  CHECK(is_closed(shell.mesh));
  CHECK(volume(shell.mesh) < 1);
}

TEST_CASE("dust in the air changes nothing of a ball but is counted") {
  std::vector<Vec3> points = on_sphere(3000, 2);
  const double clean = volume(surface_around(points).mesh);
  for (int i = 0; i < 40; ++i) {
    Vec3 p;
    for (int k = 0; k < 3; ++k) p[k] = 40 * random_unit(8, std::uint64_t(3 * i + k)) - 20;
    if (p.norm() > 6) points.push_back(p);
  }
  const CloudSurface found = surface_around(points);
  CHECK(found.left_out == int(points.size()) - 3000);
  CHECK(topology(found.mesh).shells == 1);
  CHECK(volume(found.mesh) == doctest::Approx(clean).epsilon(0.01));
}

TEST_CASE("few points and points with a side open make one solid") {
  const double ball = 4.0 / 3 * std::numbers::pi;
  for (const int count : {100, 150, 300}) {
    const CloudSurface found = surface_around(on_sphere(count, 1));
    CAPTURE(count);
    CHECK_FALSE(found.is_shell);
    CHECK(topology(found.mesh).shells == 1);
    CHECK(volume(found.mesh) == doctest::Approx(ball).epsilon(0.25));
  }
  // Scanned on a table: nothing was seen of the lowest fifth of its width.
  std::vector<Vec3> points;
  for (const Vec3& p : on_sphere(3000, 1))
    if (p.y() > -0.98) points.push_back(p);
  const CloudSurface on_table = surface_around(points);
  CHECK_FALSE(on_table.is_shell);
  CHECK(volume(on_table.mesh) == doctest::Approx(ball).epsilon(0.05));
}
