#include "geometry/nurbs/patch.h"

#include <doctest/doctest.h>
#include <numbers>

#include "core/errors.h"
#include "geometry/nurbs/primitives.h"

namespace pliant {
namespace {

double farthest(const NurbsPatch& a, const NurbsPatch& b) {
  double worst = 0;
  for (int i = 0; i <= 20; ++i) {
    for (int j = 0; j <= 20; ++j) {
      const double u = i / 20.0, v = j / 20.0;
      worst = std::max(worst, (a.point(u, v) - b.point(u, v)).norm());
    }
  }
  return worst;
}

TEST_CASE("Inserted knots and raised degrees leave a rational surface where it is") {
  for (const NurbsPatch& patch : nurbs_cylinder(0.3, 1)) {
    NurbsPatch changed = patch;
    raise_to_quadratic(changed, true);
    CHECK(changed.u.degree == 2);
    insert_knot(changed, true, 0.3);
    insert_knot(changed, false, 0.7);
    insert_knot(changed, false, 0.7);
    refine_spans(changed, true, 0.11);
    changed.check();
    CHECK(changed.pole.size() > patch.pole.size());
    CHECK(farthest(patch, changed) < 1e-15);
  }
}

TEST_CASE("Rows sum to one and give the point, also at and beyond the last knot") {
  const NurbsPatch patch = nurbs_sphere(1)[5];
  for (double u : {0.0, 0.4, 1.0, 1.5}) {
    const PatchRow row = patch.row(u, 1);
    double sum = 0;
    for (double w : row.weight) sum += w;
    CHECK(sum == doctest::Approx(1).epsilon(1e-14));
    CHECK(patch.point(u, 1).norm() == doctest::Approx(1).epsilon(1e-14));
  }
}

TEST_CASE("Primitives enclose their volume, so their faces look outwards") {
  const double pi = std::numbers::pi;
  const auto enclosed = [](const std::vector<NurbsPatch>& patches) {
    for (const NurbsPatch& patch : patches) patch.check();
    return volume(tessellate(patches, 1e9, 1e-4).mesh);
  };
  CHECK(enclosed(nurbs_box({1, 2, 3})) == doctest::Approx(6).epsilon(1e-12));
  CHECK(enclosed(nurbs_beam({5, 1, 1}, 7)) == doctest::Approx(5).epsilon(1e-12));
  CHECK(enclosed(nurbs_cylinder(1, 2)) == doctest::Approx(2 * pi).epsilon(1e-3));
  CHECK(enclosed(nurbs_sphere(1)) == doctest::Approx(4 * pi / 3).epsilon(1e-3));
  CHECK(enclosed(nurbs_torus(1, 0.3)) == doctest::Approx(2 * pi * pi * 0.09).epsilon(2e-3));
}

TEST_CASE("Tessellation keeps (u, v), the edge length and the deviation that were asked for") {
  const std::vector<NurbsPatch> patches = nurbs_torus(1, 0.3);
  const Tessellation surface = tessellate(patches, 0.2, 1e-3);
  REQUIRE(surface.vertices.size() == surface.mesh.points.size());
  for (std::size_t i = 0; i < surface.vertices.size(); ++i) {
    const Tessellation::Vertex& vertex = surface.vertices[i];
    const Vec3 x = patches[vertex.patch].point(vertex.uv[0], vertex.uv[1]);
    CHECK((x - surface.mesh.points[i]).norm() < 1e-14);
  }
  for (const Triangle& t : surface.mesh.triangles) {
    for (int e = 0; e < 3; ++e) {
      CHECK((surface.mesh.points[t[e]] - surface.mesh.points[t[(e + 1) % 3]]).norm() <= 0.2);
    }
  }
  CHECK(surface.mesh.groups.size() >= patches.size());
}

TEST_CASE("Tessellation ends beside an edge that is straight in space but not in (u, v)") {
  // A cone about a square whose sides are straight rational spans: the middle of a whole side lies
  // on its chord, that of two thirds of it does not.
  NurbsPatch cone;
  cone.u = {2, {0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 7, 7}};
  cone.v = {1, {0, 0, 1, 1}};
  const Vec2 around[] = {{-1, 0}, {-1, 1}, {0, 1},   {1, 1}, {1, 0},
                         {1, -1}, {0, -1}, {-1, -1}, {-1, 0}};
  for (int i = 0; i < 9; ++i) {
    cone.pole.insert(cone.pole.end(), {Vec3(0, 0, 0.6), Vec3(around[i].x(), around[i].y(), 0)});
    cone.weight.insert(cone.weight.end(), 2, i % 2 == 0 ? 1 : std::sqrt(0.5));
  }
  cover_rectangle(cone);
  const double exact = area(tessellate({cone}, 0.05, 1).mesh);
  const TriangleMesh mesh = tessellate({cone}, 10, 0.012).mesh;
  CHECK(mesh.triangles.size() < 5000);
  CHECK(area(mesh) == doctest::Approx(exact).epsilon(0.02));
}

TEST_CASE("A patch that is no surface is refused with a sentence") {
  NurbsPatch patch = nurbs_box({1, 1, 1})[0];
  SUBCASE("pole") { patch.pole[2][1] = std::nan(""); }
  SUBCASE("weight") { patch.weight[0] = 0; }
  SUBCASE("count") { patch.pole.pop_back(); }
  SUBCASE("knots") { patch.u.knots = {0, 1, 0, 1}; }
  SUBCASE("domain") { patch.triangles[0][0] = 99; }
  CHECK_THROWS_AS(patch.check(), InputError);
}

}  // namespace
}  // namespace pliant
