#include "play/inspect.h"

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <numbers>
#include <set>

#include "formats/obj.h"
#include "geometry/mesh/primitives.h"
#include "geometry/mesh/test_broken.h"
#include "scene/test_folder.h"

using namespace pliant;
using namespace pliant::test;

namespace {

TriangleMesh ball() { return sphere_mesh(0.5, 0.12); }

/// A model with planted defects: the ids that must be found, and no others.
struct Planted {
  const char* name;
  TriangleMesh mesh;
  std::set<std::string> ids;
};

std::vector<Planted> planted() {
  std::vector<Planted> all;
  {
    TriangleMesh mesh = ball();
    mesh.triangles.erase(mesh.triangles.begin() + 100);
    mesh.triangles.erase(mesh.triangles.begin() + 10);
    all.push_back({"two holes", mesh, {"holes"}});
  }
  {
    TriangleMesh mesh = ball();
    mesh = joined(mesh, ball(), Vec3(0.6, 0.1, 0));
    all.push_back({"two balls in each other", mesh, {"overlaps", "parts"}});
  }
  {
    TriangleMesh mesh = ball();
    for (std::size_t t = 0; t < mesh.triangles.size(); t += 9)
      std::swap(mesh.triangles[t][0], mesh.triangles[t][1]);
    all.push_back({"every ninth triangle turned", mesh, {"turned"}});
  }
  {
    TriangleMesh mesh = ball();
    mesh = joined(mesh, inside_out(ball()), Vec3(1.5, 0, 0));
    all.push_back({"one ball of two inside out", mesh, {"turned", "inside_out", "parts"}});
  }
  {
    TriangleMesh mesh = ball();
    mesh.points.push_back(mesh.points[mesh.triangles[5][0]] * 1.6);
    mesh.triangles.push_back(
        {mesh.triangles[5][0], mesh.triangles[5][1], int(mesh.points.size()) - 1});
    all.push_back({"a fin", mesh, {"crowded_edges", "holes"}});
  }
  {
    TriangleMesh mesh = box_mesh(Vec3::Ones(), 0.5);
    mesh = joined(mesh, box_mesh(Vec3::Ones(), 0.5), Vec3(1, 1, 1));
    all.push_back({"boxes that touch at a corner", mesh, {"pinched_points", "seams", "parts"}});
  }
  {
    TriangleMesh mesh = ball();
    mesh.triangles.push_back(mesh.triangles[7]);
    mesh.points.push_back(0.25 * mesh.points[3] + 0.75 * mesh.points[4]);
    mesh.triangles.push_back({3, int(mesh.points.size()) - 1, 4});
    mesh.points.emplace_back(0, 0.1, 0);
    all.push_back({"repeated and flat triangles, a loose point",
                   mesh,
                   {"repeated", "flat", "unused_points"}});
  }
  {
    const TriangleMesh mesh = soup(ball(), 2e-7);
    all.push_back(
        {"a soup whose corners nearly meet", mesh, {"holes", "near_points", "overlaps", "parts"}});
  }
  {
    TriangleMesh mesh = ball();
    mesh = joined(mesh, inside_out(sphere_mesh(0.25, 0.1)));
    all.push_back({"a hollow ball", mesh, {"parts"}});
  }
  {
    const TriangleMesh mesh = sheet(8, 0.02);
    all.push_back({"a wavy sheet", mesh, {"holes", "sheet"}});
  }
  return all;
}

}  // namespace

TEST_CASE("inspect names every planted defect of ten models, and no other") {
  const TestFolder folder;
  int models = 0;
  for (const Planted& model : planted()) {
    INFO(model.name);
    ++models;
    write_obj(folder.path() / "model.obj", model.mesh);
    const Inspection found = inspect({.model = folder.path() / "model.obj"});
    std::set<std::string> ids;
    for (const Finding& finding : found.findings)
      if (finding.count > 0) ids.insert(finding.id);
    CHECK_MESSAGE(ids == model.ids, [&] {
      std::string text;
      for (const std::string& id : ids) text += id + " ";
      return text;
    }());
    CHECK(found.makes_a_body);
    CHECK(found.substeps > 0);
  }
  CHECK(models == 10);
}

TEST_CASE("inspect measures: size, volume in two ways, cavities, method and substeps") {
  const TestFolder folder;
  TriangleMesh mesh = sphere_mesh(0.5, 0.05);
  mesh = joined(mesh, inside_out(sphere_mesh(0.25, 0.05)));
  write_obj(folder.path() / "hollow.obj", mesh);
  const Inspection found = inspect({.model = folder.path() / "hollow.obj"});
  const double exact = 4.0 / 3 * std::numbers::pi * (0.125 - 0.015625);
  CHECK(found.volume == doctest::Approx(exact).epsilon(0.02));
  CHECK(found.counted == doctest::Approx(exact).epsilon(0.02));
  CHECK(found.cavities == 1);
  CHECK(found.closed);
  CHECK(found.method == "tets");
  CHECK(!found.reason.empty());
  CHECK(found.nodes > 100);
  const Inspection small = inspect({.model = folder.path() / "hollow.obj", .unit = "mm"});
  CHECK(small.volume == doctest::Approx(found.volume * 1e-9));
}

TEST_CASE("of points the surface around them is measured and shown, of tets their boundary") {
  const TestFolder folder;
  std::string cloud = "9 9 9\n";
  for (const Vec3& p : sphere_mesh(0.5, 0.04).points)
    cloud += fmt::format("{} {} {}\n", p.x(), p.y(), p.z());
  folder.add("ball.xyz", cloud);
  const Inspection found = inspect({.model = folder.path() / "ball.xyz"});
  CHECK(found.kind == "points");
  CHECK(found.volume == doctest::Approx(4.0 / 3 * std::numbers::pi * 0.125).epsilon(0.05));
  CHECK(found.box.extent().maxCoeff() == doctest::Approx(1).epsilon(0.05));
  CHECK(found.finding("outliers").count == 1);
  CHECK(found.warnings.front().find("1 in the air") != std::string::npos);

  folder.add("a.mesh",
             "MeshVersionFormatted 1\nDimension 3\nVertices\n4\n0 0 0 0\n1 0 0 0\n0 1 0 0\n0 0 1 "
             "0\nTetrahedra\n1\n1 2 3 4 0\nEnd\n");
  const Inspection tet = inspect({.model = folder.path() / "a.mesh"});
  CHECK(tet.given.triangles.size() == 4);
  CHECK(tet.volume == doctest::Approx(1.0 / 6));
  write_inspection_picture(folder.path() / "tet.png", tet, "a.mesh");
  CHECK(std::filesystem::file_size(folder.path() / "tet.png") > 1000);
}

TEST_CASE("a surface that cannot become a body is told why, and still shown") {
  const TestFolder folder;
  TriangleMesh flat;
  flat.points = {{0, 0, 0}, {1, 0, 0}, {0, 0, 1}};
  flat.triangles = {{0, 2, 1}};
  write_obj(folder.path() / "flat.obj", flat);
  const Inspection found = inspect({.model = folder.path() / "flat.obj"});
  CHECK(!found.makes_a_body);
  CHECK(found.refusal.find("volume") != std::string::npos);
  CHECK(inspect({.model = folder.path() / "flat.obj", .thickness = 0.1}).makes_a_body);
  write_inspection_picture(folder.path() / "flat.png", found, "flat.obj");
  CHECK(std::filesystem::file_size(folder.path() / "flat.png") > 1000);
}

TEST_CASE("sizes whose squares are no numbers are refused, not measured") {
  const TestFolder folder;
  for (const double size : {1e-200, 1e-30, 1.0, 1e30, 1e200}) {
    TriangleMesh mesh = box_mesh(Vec3::Ones(), 1);
    for (Vec3& p : mesh.points) p *= size;
    write_obj(folder.path() / "a.obj", mesh);
    const Inspection found = inspect({.model = folder.path() / "a.obj"});
    CHECK(found.measured == (size > 1e-100 && size < 1e100));
    CHECK(found.makes_a_body == (size == 1));
    if (size != 1) CHECK(found.refusal.find(" m large; it must be at ") != std::string::npos);
    CHECK(found.complaints().empty() == (size == 1));
  }
}
