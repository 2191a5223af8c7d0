#include "geometry/intake/orientation.h"

#include <doctest/doctest.h>

#include "geometry/mesh/primitives.h"
#include "geometry/mesh/test_broken.h"

using namespace pliant;
using namespace pliant::test;

TEST_CASE("a closed surface that faces inwards is turned, one of two beside each other, too") {
  TriangleMesh mesh = inside_out(sphere_mesh(1, 0.4));
  const double size = -volume(mesh);
  mesh = joined(mesh, sphere_mesh(1, 0.4), Vec3(3, 0, 0));
  const Orientation found = orient(mesh);
  CHECK(volume(mesh) == doctest::Approx(2 * size));
  CHECK(found.turned_parts == 1);
  CHECK(found.turned.size() * 2 == mesh.triangles.size());
}

TEST_CASE("a cavity stays a cavity, inside out or not") {
  TriangleMesh mesh = joined(sphere_mesh(1, 0.4), inside_out(sphere_mesh(0.5, 0.2)));
  const double hollow = volume(mesh);
  TriangleMesh turned = inside_out(mesh);
  CHECK(orient(mesh).turned.empty());
  CHECK(orient(turned).turned.size() == turned.triangles.size());
  CHECK(volume(turned) == doctest::Approx(hollow));
}

TEST_CASE("an open bowl faces the side from which rays escape") {
  TriangleMesh bowl = without(sphere_mesh(1, 0.25), [](const Vec3& p) { return p.y() > 0.1; });
  TriangleMesh turned = inside_out(bowl);
  CHECK(orient(bowl).turned.empty());
  CHECK(orient(turned).turned.size() == bowl.triangles.size());
}

TEST_CASE("six loose sides of a box, each turned as it likes, all look outwards") {
  TriangleMesh sides;
  const TriangleMesh box = box_mesh(Vec3(1, 2, 3), 1.5);
  for (int axis = 0; axis < 3; ++axis)
    for (const double sign : {-1.0, 1.0}) {
      TriangleMesh side;
      side.points = box.points;
      for (int t = 0; t < int(box.triangles.size()); ++t)
        if (area_vector(box, t).normalized()[axis] * sign > 0.9)
          side.triangles.push_back(box.triangles[t]);
      sides = joined(sides, axis == 1 ? inside_out(side) : side);
    }
  const Orientation found = orient(sides);
  CHECK(found.parts == 6);
  CHECK(found.turned_parts == 2);
  CHECK(volume(sides) == doctest::Approx(6));
}

TEST_CASE("a flat sheet looks the same from both sides and is left alone") {
  TriangleMesh sheet;
  sheet.points = {{0, 0, 0}, {1, 0, 0}, {1, 0, 1}, {0, 0, 1}};
  sheet.triangles = {{0, 1, 2}, {0, 2, 3}};
  const Orientation found = orient(sheet);
  CHECK(found.undecided == 1);
  CHECK(found.turned.empty());
}
