#include "body/make_skin.h"

#include <doctest/doctest.h>

#include "geometry/mesh/primitives.h"

using namespace pliant;

namespace {

Body with_skin(const TriangleMesh& surface) {
  Body body;
  set_skin(body, embedded_skin(surface, Weights::identity(int(surface.points.size()))));
  return body;
}

}  // namespace

TEST_CASE("contact lengths of blocks, balls and bars are shares of their largest side") {
  for (const TriangleMesh& surface :
       {box_mesh({1, 1, 1}, 1), box_mesh({0.1, 0.1, 1.9}, 0.1), box_mesh({1, 0.03, 0.7}, 0.1),
        sphere_mesh(0.5, 0.1), torus_mesh(0.4, 0.1, 0.1)}) {
    const Body body = with_skin(surface);
    CHECK(body.extent == bounds(surface.points).extent().maxCoeff());
    CHECK(body.contact_scale == body.extent);
    CHECK(body.thickness == 0.0025 * body.contact_scale);
  }
}

TEST_CASE("wires and sheets keep gaps that are small against their width, however long they are") {
  for (const double length : {1.0, 10.0, 100.0}) {
    const double width = 0.02;
    const Body wire = with_skin(box_mesh({width, width, length}, 1));
    CHECK(wire.extent == length);
    CHECK(wire.thickness == doctest::Approx(0.05 * width).epsilon(0.02));
    const Body sheet = with_skin(box_mesh({length, width, length}, 1));
    CHECK(sheet.thickness == doctest::Approx(0.1 * width).epsilon(0.05));
  }
}

TEST_CASE("a skin without an inside has its extent for a contact scale") {
  TriangleMesh open = box_mesh({0.02, 0.02, 10}, 1);
  open.triangles.pop_back();
  CHECK(with_skin(open).contact_scale == 10);
  TriangleMesh inverted = box_mesh({0.02, 0.02, 10}, 1);
  for (Triangle& t : inverted.triangles) std::swap(t[0], t[1]);
  CHECK(with_skin(inverted).contact_scale == 10);
}
