#include <doctest/doctest.h>

#include "studies/blocks.h"

using namespace pliant;

namespace {

/// Pulls the faces x = 0 and x = 1 of a unit cube apart by `traction` [Pa].
void pull(World& world, double traction) {
  Body& body = world.bodies[0];
  for (const double side : {0.0, 1.0}) {
    Load load;
    load.vector = {side == 0 ? -traction : traction, 0, 0};
    for (const Triangle& t : body.skin.triangles) {
      bool on_face = true;
      double area = 0;
      for (const int v : t) on_face = on_face && std::abs(body.skin.rest[v].x() - side) < 1e-9;
      if (!on_face) continue;
      const Vec3 a = body.skin.rest[t[1]] - body.skin.rest[t[0]];
      const Vec3 b = body.skin.rest[t[2]] - body.skin.rest[t[0]];
      area = 0.5 * a.cross(b).norm();
      for (const int v : t) {
        load.vertices.push_back(v);
        load.share.push_back(area / 3);  // the face has area 1
      }
    }
    body.loads.push_back(std::move(load));
  }
}

}  // namespace

TEST_CASE("the measured modulus is the entered one within 1 %, at the automatic substeps") {
  for (const double young : {1e3, 1e4, 1e5, 1e6, 1e7})
    for (const double poisson : {0.0, 0.2, 0.4, 0.49}) {
      CAPTURE(young);
      CAPTURE(poisson);
      World world = block_world({.cells = {2, 2, 2},
                                 .young = young,
                                 .poisson = poisson,
                                 .damping = 2 * std::sqrt(young / 1000)});  // about critical
      world.substeps = advise_substeps(world, 1.0 / 60).substeps;
      const double strain = 1e-3;
      pull(world, strain * young);
      // Ten of the slowest swings, but at least some steps.
      play(world, std::max(20, int(60 * 20 / std::sqrt(young / 1000))));
      const Box box = bounds(world.bodies[0].nodes.position);
      const double along = box.extent().x() - 1, across = box.extent().y() - 1;
      CHECK(strain * young / along == doctest::Approx(young).epsilon(0.01));
      // One sweep a substep leaves the sides a little behind: 0.010 at most here, falling with the
      // square of the substep.
      CHECK(std::abs(-across / along - poisson) < 0.012);
    }
}
