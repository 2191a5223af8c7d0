#include "play/collider_mesh.h"

#include <doctest/doctest.h>
#include <numbers>

#include "geometry/mesh/primitives.h"
#include "geometry/mesh/topology.h"

using namespace pliant;

TEST_CASE("the surface of every collider is closed, faces outwards and has its size and volume") {
  constexpr double pi = std::numbers::pi;
  struct Case {
    const char* name;
    ColliderShape shape;
    Vec3 size;
    double volume;
    double missing;  // share of the volume that flat triangles may cut off
  };
  const TriangleMesh torus = torus_mesh(0.3, 0.1, 0.05);
  const Case cases[] = {
      {"sphere", SphereShape{0.4}, Vec3::Constant(0.8), 4.0 / 3 * pi * 0.064, 0.02},
      {"box", BoxShape{{0.3, 0.1, 0.2}}, {0.6, 0.2, 0.4}, 0.048, 1e-12},
      {"thin box", BoxShape{{3, 0.001, 2}}, {6, 0.002, 4}, 0.048, 1e-12},
      {"capsule",
       CapsuleShape{0.2, 0.3},
       {0.4, 1.0, 0.4},
       pi * 0.04 * 0.6 + 4.0 / 3 * pi * 0.008,
       0.03},
      {"mesh", mesh_shape(torus), bounds(torus.points).extent(), volume(torus), 1e-12},
  };
  for (const Case& c : cases) {
    CAPTURE(c.name);
    const TriangleMesh surface = surface_of(c.shape);
    CHECK(is_closed(surface));
    CHECK(is_oriented(surface));
    CHECK((bounds(surface.points).extent() - c.size).norm() < 0.02 * c.size.maxCoeff());
    CHECK(bounds(surface.points).centre().norm() < 0.01 * c.size.maxCoeff());
    CHECK(volume(surface) <= c.volume * (1 + 1e-9));
    CHECK(volume(surface) >= c.volume * (1 - c.missing) * (1 - 1e-9));
  }
}

TEST_CASE("a plane has no surface to draw") { CHECK(surface_of(PlaneShape{}).triangles.empty()); }
