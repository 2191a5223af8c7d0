#include <algorithm>
#include <doctest/doctest.h>
#include <map>
#include <numbers>

#include "geometry/nurbs/patch.h"
#include "geometry/nurbs/primitives.h"

using namespace pliant;

// A trimmed face as CAD kernels hand it out: no points but those of its trims.
static NurbsPatch wall_of_border_points(int around) {
  NurbsPatch wall = nurbs_cylinder(0.1, 0.5)[0];
  wall.domain.clear();
  wall.triangles.clear();
  const double u0 = wall.u.first(), u1 = wall.u.last(), v0 = wall.v.first(), v1 = wall.v.last();
  const auto add = [&](double u, double v) { wall.domain.emplace_back(u, v); };
  for (int i = 0; i <= around; ++i) {
    add(u0 + (u1 - u0) * i / around, v0);
    add(u0 + (u1 - u0) * i / around, v1);
  }
  for (int i = 0; i < around; ++i) {
    wall.triangles.push_back({2 * i, 2 * i + 2, 2 * i + 3});
    wall.triangles.push_back({2 * i, 2 * i + 3, 2 * i + 1});
  }
  return wall;
}

static double thinnest_share(const TriangleMesh& mesh, double below) {
  int thin = 0;
  for (const Triangle& t : mesh.triangles) {
    const Vec3 &a = mesh.points[t[0]], &b = mesh.points[t[1]], &c = mesh.points[t[2]];
    const double sides = (b - a).squaredNorm() + (c - b).squaredNorm() + (a - c).squaredNorm();
    thin += 2 * std::sqrt(3.0) * (b - a).cross(c - a).norm() / sides < below;
  }
  return double(thin) / double(mesh.triangles.size());
}

TEST_CASE("Long thin triangles of a trimmed face become few and well shaped ones") {
  const TriangleMesh mesh = tessellate({wall_of_border_points(40)}, 0.05, 1e-3).mesh;
  CHECK(mesh.triangles.size() < 1000);
  CHECK(thinnest_share(mesh, 0.3) < 0.1);
  CHECK(area(mesh) == doctest::Approx(0.5 * std::numbers::pi * 0.1 * 0.5).epsilon(2e-3));
}

TEST_CASE("Triangles of a patch stay one sheet: each inner edge has one triangle on either side") {
  for (const NurbsPatch& patch : {wall_of_border_points(30), nurbs_torus(1, 0.3)[0]}) {
    const TriangleMesh mesh = tessellate({patch}, 0.07, 1e-3).mesh;
    std::map<std::pair<int, int>, int> directed;
    for (const Triangle& t : mesh.triangles)
      for (int e = 0; e < 3; ++e) ++directed[{t[e], t[(e + 1) % 3]}];
    for (const auto& [edge, count] : directed) CHECK(count == 1);
  }
}

TEST_CASE("Neighbouring faces cut the edge that they share in the same points") {
  const std::vector<NurbsPatch> faces = nurbs_cylinder(0.1, 0.5);
  const Tessellation drawn = tessellate(faces, 0.04, 5e-4);
  std::vector<std::pair<double, double>> rims[2];  // of walls and of the disc: angle, height
  for (std::size_t i = 0; i < drawn.vertices.size(); ++i) {
    const Vec3& p = drawn.mesh.points[i];
    if (std::abs(p.y() - 0.25) > 1e-9 || std::hypot(p.x(), p.z()) < 0.1 - 1e-9) continue;
    const bool is_wall = drawn.vertices[i].patch < 4;
    rims[is_wall].emplace_back(std::round(1e6 * std::atan2(p.z(), p.x())), 0.25);
  }
  for (auto& rim : rims) {
    std::sort(rim.begin(), rim.end());
    rim.erase(std::unique(rim.begin(), rim.end()), rim.end());
  }
  CHECK(rims[0].size() > 15);
  CHECK(rims[0] == rims[1]);
}
