#include "body/solid.h"

#include <doctest/doctest.h>

using namespace pliant;

TEST_CASE("where regions overlap the later material wins, and elsewhere it is the body's own") {
  const auto density = [](double value) {
    Material material;
    material.density = value;
    return material;
  };
  const auto above = [](double height) {
    Region region;
    region.half_space = Region::HalfSpace{Vec3(0, height, 0), Vec3::UnitY()};
    return region;
  };
  Solid solid;
  solid.material = density(1);
  solid.parts = {{above(0), density(2)}, {above(1), density(3)}};
  CHECK(*solid.material_at({0, -0.5, 0}).density == 1);
  CHECK(*solid.material_at({0, 0.5, 0}).density == 2);
  CHECK(*solid.material_at({0, 1.5, 0}).density == 3);
}
