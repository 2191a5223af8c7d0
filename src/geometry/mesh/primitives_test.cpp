#include "geometry/mesh/primitives.h"

#include <cmath>
#include <doctest/doctest.h>
#include <functional>
#include <numbers>
#include <string>

#include "core/errors.h"
#include "geometry/mesh/topology.h"

using namespace pliant;

namespace {

constexpr double pi = std::numbers::pi;

struct Shape {
  std::string name;
  std::function<TriangleMesh(double)> make;
  double volume, area;
  int holes;  // through it
};

const std::vector<Shape> shapes = {
    {"box",
     [](double e) {
       return box_mesh({1, 0.6, 0.4}, e);
     },
     0.24, 2 * (0.6 + 0.24 + 0.4), 0},
    {"sphere", [](double e) { return sphere_mesh(0.5, e); }, pi / 6, pi, 0},
    {"cylinder", [](double e) { return cylinder_mesh(0.5, 1, e); }, pi / 4, 1.5 * pi, 0},
    {"capsule", [](double e) { return capsule_mesh(0.3, 0.7, e); }, pi*(0.036 + 0.063),
     2 * pi * 0.3 * (0.6 + 0.7), 0},
    {"torus", [](double e) { return torus_mesh(0.5, 0.2, e); }, 2 * pi* pi * 0.5 * 0.04,
     4 * pi* pi * 0.5 * 0.2, 1},
};

}  // namespace

TEST_CASE("shapes are closed, in one piece, and face outwards, however coarse") {
  for (const Shape& shape : shapes) {
    for (const double edge : {10.0, 0.4, 0.13, 0.05}) {
      INFO(shape.name << ", edge " << edge);
      const TriangleMesh mesh = shape.make(edge);
      const Topology found = topology(mesh);
      CHECK(found.closed);
      CHECK(found.oriented());
      CHECK(found.crowded_edges == 0);
      CHECK(found.shells == 1);
      CHECK(int(mesh.points.size()) - found.edges + int(mesh.triangles.size()) ==
            2 - 2 * shape.holes);
      CHECK(volume(mesh) > 0);
    }
  }
}

TEST_CASE("volume and area of shapes converge at second order") {
  for (const Shape& shape : shapes) {
    INFO(shape.name);
    const TriangleMesh coarse = shape.make(0.08), fine = shape.make(0.02);
    const double coarse_error = std::abs(volume(coarse) - shape.volume);
    const double fine_error = std::abs(volume(fine) - shape.volume);
    CHECK(fine_error < 2e-3 * shape.volume);
    // 16 for second order; counts are rounded to whole numbers, so not exactly.
    CHECK(fine_error < coarse_error / 11 + 1e-12);
    CHECK(area(fine) == doctest::Approx(shape.area).epsilon(1e-3));
  }
}

TEST_CASE("edges of shapes are nearly even and about as long as asked") {
  for (const Shape& shape : shapes) {
    INFO(shape.name);
    const TriangleMesh mesh = shape.make(0.05);
    double shortest = 1, longest = 0, sum = 0;
    for (const Triangle& t : mesh.triangles) {
      for (int k = 0; k < 3; ++k) {
        const double length = (mesh.points[t[k]] - mesh.points[t[(k + 1) % 3]]).norm();
        shortest = std::min(shortest, length);
        longest = std::max(longest, length);
        sum += length;
      }
    }
    const double mean = sum / (3.0 * double(mesh.triangles.size()));
    CHECK(mean > 0.85 * 0.05);
    CHECK(mean < 1.2 * 0.05);
    CHECK(shortest > 0.7 * 0.05);
    CHECK(longest < 1.5 * 0.05);
  }
}

TEST_CASE("an edge that would fill the memory is refused") {
  CHECK_THROWS_AS(box_mesh({1, 1, 1}, 1e-6), InputError);
}
