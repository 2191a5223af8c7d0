#include "methods/meshless/discretise.h"

#include <doctest/doctest.h>
#include <numbers>
#include <numeric>

#include "core/errors.h"
#include "core/parallel.h"
#include "geometry/mesh/primitives.h"

using namespace pliant;
using namespace pliant::meshless;

namespace {

double total(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

}  // namespace

TEST_CASE("a box has its particles on a grid that fits it, eight equal points per cell") {
  const Discretisation made = discretise(box_mesh({0.4, 0.3, 0.2}, 0.1), 0.1, {});
  CHECK(made.particles.size() == 5 * 4 * 3);
  CHECK(made.points.size() == 8 * 4 * 3 * 2);
  CHECK(made.cut_cells == 0);
  for (const double v : made.points.volume) CHECK(v == doctest::Approx(1e-3 / 8).epsilon(1e-12));
  const Box box = bounds(made.particles);
  CHECK((box.extent() - Vec3(0.4, 0.3, 0.2)).norm() < 1e-12);
}

TEST_CASE("any surface: volumes sum to its own, every point is consistent and has neighbours") {
  const TriangleMesh shapes[] = {sphere_mesh(0.5, 0.1), torus_mesh(0.5, 0.2, 0.08),
                                 cylinder_mesh(0.3, 1, 0.1), box_mesh({1, 0.31, 0.77}, 0.2)};
  for (const TriangleMesh& surface : shapes)
    for (const int count : {200, 800}) {
      CAPTURE(count);
      const double spacing = spacing_for(surface, count);
      const Discretisation made = discretise(surface, spacing, {});
      CHECK(made.particles.size() > 0.5 * count);
      CHECK(made.particles.size() < 2 * count);
      CHECK(total(made.points.volume) == doctest::Approx(volume(surface)).epsilon(1e-12));
      CHECK(*std::min_element(made.points.volume.begin(), made.points.volume.end()) > 0);
      CHECK(consistency(made.points, made.particles, spacing).worst() < 1e-12);
      for (int p = 0; p < made.points.size(); ++p)
        CHECK(made.points.start[p + 1] - made.points.start[p] >= 8);
    }
}

TEST_CASE("cut cells measure volume well before it is put right, and the middle of the body") {
  const TriangleMesh surface = torus_mesh(0.5, 0.2, 0.03);
  const Discretisation made = discretise(surface, 0.1, {});
  // The torus lies about the origin, and so does the mean of its points.
  Vec3 middle = Vec3::Zero();
  double inertia = 0;
  for (int p = 0; p < made.points.size(); ++p) {
    middle += made.points.volume[p] * made.points.rest[p];
    inertia += made.points.volume[p] * (made.points.rest[p].squaredNorm() -
                                        made.points.rest[p].y() * made.points.rest[p].y());
  }
  const double volume = total(made.points.volume);
  CHECK((middle / volume).norm() < 2e-3);
  // About its axis: V (R^2 + 3 r^2 / 4).
  CHECK(inertia / volume == doctest::Approx(0.25 + 0.75 * 0.04).epsilon(0.01));
}

TEST_CASE("a thin ear has particles of its own") {
  TriangleMesh surface = box_mesh({1, 1, 1}, 0.25);
  const TriangleMesh ear = box_mesh({0.8, 0.03, 0.4}, 0.1);
  const int first = int(surface.points.size());
  for (const Vec3& p : ear.points) surface.points.push_back(p + Vec3(0.85, 0.02, 0));
  for (Triangle t : ear.triangles) {
    for (int& corner : t) corner += first;
    surface.triangles.push_back(t);
  }
  const Discretisation made = discretise(surface, 0.2, {});
  int on_ear = 0;
  for (const Vec3& p : made.particles) on_ear += p.x() > 0.6;
  CHECK(on_ear >= 6);
  for (const Vec3& p : made.points.rest) {
    double nearest = 1;
    for (const Vec3& q : made.particles) nearest = std::min(nearest, (q - p).norm());
    CHECK(nearest < 0.2);
  }
}

TEST_CASE("a bent sheet encloses nothing and is refused") {
  TriangleMesh sheet;
  sheet.points = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0.2}};
  sheet.triangles = {{0, 1, 2}, {1, 3, 2}};
  CHECK_THROWS_AS(discretise(sheet, 0.2, {}), InputError);
}

TEST_CASE("particles and points are the same on one thread and on three") {
  std::vector<Discretisation> made;
  for (const int count : {1, 3}) {
    set_threads(count);
    made.push_back(discretise(sphere_mesh(0.5, 0.1), 0.15, {}));
  }
  set_threads(0);
  CHECK(made[0].particles == made[1].particles);
  CHECK(made[0].points.rest == made[1].points.rest);
  CHECK(made[0].points.gradient == made[1].points.gradient);
}
