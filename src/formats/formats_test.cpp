#include "formats/formats.h"

#include <clocale>
#include <cstdlib>
#include <doctest/doctest.h>
#include <locale>
#include <sys/stat.h>

#include "core/files.h"
#include "formats/cad.h"
#include "formats/obj.h"
#include "formats/ply.h"
#include "formats/testing.h"
#include "geometry/mesh/topology.h"

using namespace pliant;
using namespace pliant::testing;

static const std::string triangle = "v 0 0 0\nv 1 0 0\nv 0.5 1.5 0\nf 1 2 3\n";

static std::string refused(const std::filesystem::path& path) {
  return refusal([&] { read_model(path); });
}

TEST_CASE("each readable extension is read, in capitals too") {
  const TemporaryFolder folder;
  const TriangleMesh mesh = parse_obj(triangle, "a");
  write_file(folder / "a.OBJ", triangle);
  write_ply(folder / "a.ply", mesh.points, mesh.triangles);
  write_file(folder / "a.stl",
             "solid\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0.5 1.5 0\nendloop\n");
  for (const char* name : {"a.OBJ", "a.ply", "a.stl"}) {
    const Model model = read_model(folder / name);
    CHECK(model.surface.points == mesh.points);
    CHECK(model.surface.triangles == mesh.triangles);
    CHECK(!model.tets);
    CHECK(model.warnings.empty());
  }
}

TEST_CASE("tets come with their boundary, without inner points") {
  const TemporaryFolder folder;
  write_file(folder / "a.node", "5 3\n1 0.2 0.2 0.2\n2 0 0 0\n3 1 0 0\n4 0 1 0\n5 0 0 1\n");
  write_file(folder / "a.ele", "4 4\n1 1 3 4 5\n2 2 1 4 5\n3 2 3 1 5\n4 2 3 4 1\n");
  for (const char* name : {"a.node", "a.ele"}) {
    const Model model = read_model(folder / name);
    REQUIRE(model.tets);
    CHECK(model.tets->tets.size() == 4);
    CHECK(model.surface.points.size() == 4);
    CHECK(model.surface.triangles.size() == 4);
    CHECK(volume(model.surface) == doctest::Approx(1.0 / 6));
    CHECK(volume(*model.tets) == doctest::Approx(1.0 / 6));
  }
}

TEST_CASE("every volume format is read by its extension, and triangles alone are a surface") {
  const TemporaryFolder folder;
  write_file(folder / "a.MESH",
             "MeshVersionFormatted 1 Dimension 3 Vertices 4 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1 0 "
             "Tetrahedra 1 1 2 3 4 0");
  write_file(folder / "a.msh",
             "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n"
             "4 0 0 1\n$EndNodes\n$Elements\n1\n1 4 0 1 2 3 4\n$EndElements\n");
  write_file(folder / "a.vtk",
             "# vtk DataFile Version 2.0\n\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 4 float\n"
             "0 0 0 1 0 0 0 1 0 0 0 1\nCELLS 1 5\n4 0 1 2 3\nCELL_TYPES 1\n10\n");
  write_file(folder / "a.vtu",
             "<VTKFile type='UnstructuredGrid'><Piece NumberOfPoints='4' NumberOfCells='1'><Points>"
             "<DataArray type='Float32'>0 0 0 1 0 0 0 1 0 0 0 1</DataArray></Points><Cells>"
             "<DataArray type='Int32' Name='connectivity'>0 1 2 3</DataArray>"
             "<DataArray type='Int32' Name='offsets'>4</DataArray>"
             "<DataArray type='Int32' Name='types'>10</DataArray></Cells></Piece></VTKFile>");
  for (const char* name : {"a.MESH", "a.msh", "a.vtk", "a.vtu"}) {
    const Model model = read_model(folder / name);
    REQUIRE(model.tets);
    CHECK(model.warnings.empty());
    CHECK(volume(*model.tets) == doctest::Approx(1.0 / 6));
    CHECK(model.surface.triangles.size() == 4);
  }
  write_file(folder / "b.mesh",
             "MeshVersionFormatted 1 Dimension 3 Vertices 3 0 0 0 0 1 0 0 0 0 1 0 0 "
             "Triangles 1 1 2 3 0");
  const Model model = read_model(folder / "b.mesh");
  CHECK(!model.tets);
  CHECK(model.surface.triangles == std::vector<Triangle>{{0, 1, 2}});
}

TEST_CASE("PLY and STL under a wrong name are read as what they are, with a warning") {
  const TemporaryFolder folder;
  const TriangleMesh mesh = parse_obj(triangle, "a");
  write_ply(folder / "a.obj", mesh.points, mesh.triangles);
  write_file(folder / "b.ply",
             "solid x\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 "
             "0\nendloop\nendfacet\n");
  Model model = read_model(folder / "a.obj");
  CHECK(model.surface.triangles == mesh.triangles);
  REQUIRE(model.warnings.size() == 1);
  CHECK(has(model.warnings[0], "looks like .ply"));
  model = read_model(folder / "b.ply");
  REQUIRE(model.warnings.size() == 1);
  CHECK(has(model.warnings[0], "looks like .stl"));
}

TEST_CASE("what cannot be read is refused with the reason") {
  const TemporaryFolder folder;
  write_file(folder / "a.fbx", "x");
  write_file(folder / "a", "x");
  CHECK(has(refused(folder / "a.fbx"), "\".fbx\", which is unknown"));
  CHECK(
      has(refused(folder / "a.fbx"),
          "readable are .obj .ply .stl .glb .gltf .off .xyz .pts .node .ele .mesh .msh .vtk .vtu"));
  CHECK(has(refused(folder / "a.fbx"), "save the model as glTF or OBJ"));
  write_file(folder / "a.STP", "x");
  CHECK(has(refused(folder / "a.STP"),
            has_cad() ? "does not begin with ISO-10303-21" : "built without CAD files"));
  CHECK(has(refused(folder / "a"), "has no extension"));
  CHECK(has(refused(folder / "no.obj"), "No such file"));
  CHECK(has(refused(folder / "no.fbx"), "No such file"));
  std::filesystem::create_directory(folder / "dir.obj");
  CHECK(has(refused(folder / "dir.obj"), "is a folder"));
  REQUIRE(::mkfifo((folder / "pipe.obj").c_str(), 0600) == 0);
  CHECK(has(refused(folder / "pipe.obj"), "not an ordinary file"));
  for (const std::string& extension : readable_extensions())
    write_file(folder / ("empty" + extension), "");
  for (const std::string& extension : readable_extensions())
    CHECK(has(refused(folder / ("empty" + extension)), "empty file"));
}

TEST_CASE("files are written and read the same under a locale with a decimal comma") {
  const TemporaryFolder folder;
  const TriangleMesh mesh = parse_obj(triangle, "a");
  write_obj(folder / "plain.obj", mesh);
  const std::string before = std::setlocale(LC_ALL, nullptr);
  struct Comma : std::numpunct<char> {
    char do_decimal_point() const override { return ','; }
    char do_thousands_sep() const override { return '.'; }
    std::string do_grouping() const override { return "\1"; }
  };
  const std::locale global = std::locale::global(std::locale(std::locale(), new Comma));
  for (const char* name : {"de_DE.UTF-8", "de_DE", "fr_FR.UTF-8"})
    if (std::setlocale(LC_ALL, name)) break;
  write_obj(folder / "comma.obj", mesh);
  const TriangleMesh again = read_model(folder / "comma.obj").surface;
  std::locale::global(global);
  std::setlocale(LC_ALL, before.c_str());
  CHECK(again.points == mesh.points);
  CHECK(read_text_file(folder / "comma.obj") == read_text_file(folder / "plain.obj"));
}

TEST_CASE("the models we keep are read without warnings") {
  const char* const given = std::getenv("PLIANT_MODELS");
  const std::filesystem::path models = given ? given : "../shared/models";
  std::error_code ignored;
  if (!std::filesystem::is_directory(models, ignored)) {
    MESSAGE("no models here; set PLIANT_MODELS");
    return;
  }
  const auto& known = readable_extensions();
  int count = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(models)) {
    const std::string extension = entry.path().extension().string();
    if (std::find(known.begin(), known.end(), extension) == known.end()) continue;
    const Model model = read_model(entry.path());
    ++count;
    CHECK(model.surface.triangles.size() > 0);
    CHECK(model.warnings.empty());
    if (is_closed(model.surface)) CHECK(volume(model.surface) > 0);  // an open one may be a sheet
    if (model.tets) CHECK(volume(*model.tets) == doctest::Approx(volume(model.surface)));
  }
  CHECK(count > 0);
}
