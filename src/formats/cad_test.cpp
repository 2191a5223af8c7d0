#include "formats/cad.h"

#include <algorithm>
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "core/files.h"
#include "formats/formats.h"
#include "formats/testing.h"
#include "formats/text.h"
#include "geometry/nurbs/primitives.h"

using namespace pliant;
using namespace pliant::testing;

static bool is_missing() {
  if (has_cad()) return false;
  MESSAGE("built without CAD files");
  return true;
}

static std::vector<std::filesystem::path> cad_models() {
  const char* const given = std::getenv("PLIANT_MODELS");
  const std::filesystem::path folder =
      std::filesystem::path(given ? given : "../shared/models") / "nurbs";
  std::vector<std::filesystem::path> models;
  std::error_code ignored;
  if (has_cad() && std::filesystem::is_directory(folder, ignored))
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
      if (is_readable(entry.path())) models.push_back(entry.path());
  std::sort(models.begin(), models.end());
  if (models.empty()) MESSAGE("no CAD models here, or built without CAD files");
  return models;
}

static double size(const std::vector<NurbsPatch>& patches) {
  Box box;
  for (const NurbsPatch& patch : patches)
    for (const Vec3& p : patch.pole) box.add(p);
  return box.extent().norm();
}

/// [m] between poles that should be the same; infinite when knots or counts differ.
static double distance(const std::vector<NurbsPatch>& a, const std::vector<NurbsPatch>& b) {
  double worst = 0;
  for (std::size_t k = 0; k < a.size(); ++k) {
    if (a.size() != b.size() || a[k].u.knots != b[k].u.knots || a[k].v.knots != b[k].v.knots)
      return INFINITY;
    for (std::size_t i = 0; i < a[k].pole.size(); ++i)
      worst = std::max(worst, (a[k].pole[i] - b[k].pole[i]).norm());
  }
  return worst;
}

static double fine_area(const NurbsPatch& patch, double size_of_all) {
  return area(tessellate({patch}, size_of_all, 5e-4 * size_of_all).mesh);
}

/// The B-spline surfaces (type 128) of an IGES file, read without any library: their numbers in
/// the order knots, weights, poles, ranges, after degrees and flags.
static std::vector<std::vector<double>> surfaces_in_text(const std::filesystem::path& path) {
  const std::string text = read_text_file(path);
  std::string parameters;
  Lines lines(text, path.string());
  while (lines.next())
    if (lines.line().size() > 72 && lines.line()[72] == 'P')
      parameters += lines.line().substr(0, 64);
  std::vector<std::vector<double>> surfaces;
  for (std::size_t at = 0, end = 0; (end = parameters.find(';', at)) != std::string::npos;
       at = end + 1) {
    std::string record = parameters.substr(at, end - at);
    if (!trimmed(record).starts_with("128,")) continue;
    std::replace(record.begin(), record.end(), 'D', 'E');
    std::vector<double> numbers;
    for (std::size_t i = 0; i <= record.size();) {
      const std::size_t comma = std::min(record.find(',', i), record.size());
      double number = 0;
      std::string word(trimmed(std::string_view(record).substr(i, comma - i)));
      if (word.starts_with('+')) word.erase(0, 1);
      parse_number(word, number);
      numbers.push_back(number);
      i = comma + 1;
    }
    surfaces.push_back(numbers);
  }
  return surfaces;
}

TEST_CASE(
    "every CAD model we keep is read whole, with finite poles and triangles inside the knots") {
  for (const std::filesystem::path& path : cad_models()) {
    const CadModel model = read_cad(path);
    CAPTURE(path.string());
    CHECK(model.warnings.empty());
    CHECK(int(model.patches.size()) == model.faces);
    CHECK(!model.unit_name.empty());
    for (const NurbsPatch& patch : model.patches) {
      CHECK_NOTHROW(patch.check());
      CHECK(!patch.triangles.empty());
      for (const Vec2& at : patch.domain) {
        CHECK((at.x() >= patch.u.first() && at.x() <= patch.u.last()));
        CHECK((at.y() >= patch.v.first() && at.y() <= patch.v.last()));
      }
    }
  }
}

TEST_CASE("poles and knots of IGES files are those in the text, scaled to metres") {
  for (const std::filesystem::path& path : cad_models()) {
    const CadModel model = read_cad(path);
    CAPTURE(path.string());
    const std::vector<std::vector<double>> surfaces = surfaces_in_text(path);
    CHECK(surfaces.size() == model.patches.size());
    int found = 0;
    for (const NurbsPatch& patch : model.patches) {
      const std::size_t rows = patch.u.poles(), columns = patch.v.poles(), count = rows * columns;
      const std::size_t knots = patch.u.knots.size() + patch.v.knots.size();
      const auto is_same = [&](const std::vector<double>& n) {
        if (n.size() < 10 + knots + 4 * count || n[1] + 1 != double(rows) ||
            n[2] + 1 != double(columns))
          return false;
        double worst = 0;
        for (std::size_t i = 0; i < rows; ++i)
          for (std::size_t j = 0; j < columns; ++j)
            for (int k = 0; k < 3; ++k)
              worst = std::max(
                  worst, std::abs(model.unit * n[10 + knots + count + 3 * (j * rows + i) + k] -
                                  patch.pole[i * columns + j][k]));
        for (std::size_t i = 0; i < patch.u.knots.size(); ++i)
          if (std::abs(n[10 + i] - patch.u.knots[i]) > 1e-9) return false;
        return worst <= 1e-9 * size(model.patches);
      };
      found += std::any_of(surfaces.begin(), surfaces.end(), is_same);
    }
    CHECK(found == int(model.patches.size()));
  }
}

/// Whether outside is where -du x dv points.
static bool is_reversed(const NurbsPatch& patch) {
  const auto& [a, b, c] = patch.triangles[0];
  const Vec2 p = patch.domain[b] - patch.domain[a], q = patch.domain[c] - patch.domain[a];
  return p.x() * q.y() < p.y() * q.x();
}

/// IGES knows no sense of faces: reversed ones come with u the other way round.
static NurbsPatch as_in_iges(NurbsPatch patch) {
  if (!is_reversed(patch)) return patch;
  const double sum = patch.u.first() + patch.u.last();
  for (double& knot : patch.u.knots) knot = sum - knot;
  std::reverse(patch.u.knots.begin(), patch.u.knots.end());
  const NurbsPatch given = patch;
  const int rows = patch.u.poles(), columns = patch.v.poles();
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j) {
      patch.pole[i * columns + j] = given.pole[(rows - 1 - i) * columns + j];
      patch.weight[i * columns + j] = given.weight[(rows - 1 - i) * columns + j];
    }
  return patch;
}

TEST_CASE("solids made here come back from STEP and IGES as they were, to rounding") {
  if (is_missing()) return;
  const TemporaryFolder folder;
  for (std::vector<NurbsPatch> solid : {nurbs_box({0.3, 0.2, 0.1}), nurbs_cylinder(0.1, 0.3),
                                        nurbs_sphere(0.05), nurbs_torus(0.2, 0.07)})
    for (const char* name : {"a.step", "a.STP", "a.iges", "a.igs"}) {
      write_cad(folder / name, solid);
      const CadModel model = read_cad(folder / name);
      std::vector<NurbsPatch> expected = solid;
      if (has(lower_case(name), ".ig"))
        std::transform(solid.begin(), solid.end(), expected.begin(), as_in_iges);
      CAPTURE(name);
      CHECK(model.warnings.empty());
      CHECK(model.unit == 0.001);
      CHECK(model.unit_name == "mm");
      CHECK(distance(expected, model.patches) <= 1e-15 * size(solid));
      for (std::size_t k = 0; k < solid.size(); ++k) {
        CHECK(!model.patches[k].is_trimmed);
        CHECK(model.patches[k].face == int(k) + 1);
        for (std::size_t i = 0; i < solid[k].weight.size(); ++i)
          CHECK(model.patches[k].weight[i] == doctest::Approx(expected[k].weight[i]));
      }
      const double fine = 3e-4 * size(solid);
      CHECK(volume(tessellate(model.patches, size(solid), fine).mesh) ==
            doctest::Approx(volume(tessellate(solid, size(solid), fine).mesh)).epsilon(2e-3));
    }
}

TEST_CASE("names and the sense of a face are kept") {
  if (is_missing()) return;
  const TemporaryFolder folder;
  std::vector<NurbsPatch> box = nurbs_box({1, 1, 1});
  for (std::size_t k = 0; k < box.size(); ++k) box[k].name = "side " + std::to_string(k);
  for (std::size_t k = 0; k < 3; ++k)  // inside out
    for (Triangle& triangle : box[k].triangles) std::swap(triangle[1], triangle[2]);
  for (const char* name : {"a.step", "a.iges"}) {
    write_cad(folder / name, box);
    const CadModel model = read_cad(folder / name);
    REQUIRE(model.patches.size() == 6);
    for (std::size_t k = 0; k < 6; ++k) {
      CHECK(model.patches[k].name == box[k].name);
      const TriangleMesh before = tessellate({box[k]}, 10, 1).mesh;
      const TriangleMesh after = tessellate({model.patches[k]}, 10, 1).mesh;
      CHECK(area_vector(before, 0).dot(area_vector(after, 0)) > 0);
    }
  }
}

/// A bolt and a nut of an assembly, a loose face, and a ball: solids of six, three and one faces.
static std::vector<NurbsPatch> assembly() {
  std::vector<NurbsPatch> all;
  const auto add = [&](std::vector<NurbsPatch> faces, const std::vector<std::string>& within) {
    for (NurbsPatch& face : faces) {
      face.within = within;
      all.push_back(std::move(face));
    }
  };
  add(nurbs_box({1, 1, 1}), {"bolt M6 x 20, zinc plated", "joint"});
  add(nurbs_cylinder(0.3, 1), {"nut", "joint"});
  add({nurbs_box({2, 2, 2})[0]}, {});
  add(nurbs_sphere(0.2), {"ball"});
  all[1].name = "head";
  all[2].name = "a seat with a long name";
  return all;
}

TEST_CASE("names of solids and assemblies survive STEP and IGES, also when poles have moved") {
  if (is_missing()) return;
  const TemporaryFolder folder;
  const std::vector<NurbsPatch> given = assembly();
  for (const char* name : {"a.step", "a.iges"}) {
    CAPTURE(name);
    write_cad(folder / name, given);
    std::vector<NurbsPatch> moved = read_cad(folder / name).patches;
    for (NurbsPatch& patch : moved) {
      patch.within.clear();  // recordings do not keep them
      for (Vec3& p : patch.pole) p *= 1.5;
    }
    for (const char* again : {"again.step", "again.iges"}) {
      CAPTURE(again);
      write_cad(folder / again, moved, folder / name);
      for (const CadModel& model : {read_cad(folder / name), read_cad(folder / again)}) {
        REQUIRE(model.patches.size() == given.size());
        CHECK(model.warnings.empty());
        for (std::size_t k = 0; k < given.size(); ++k) {
          CHECK(model.patches[k].name == given[k].name);
          CHECK(model.patches[k].within == given[k].within);
          CHECK(model.patches[k].pole.size() == given[k].pole.size());
        }
      }
    }
  }
}

TEST_CASE("names in other letters survive STEP, and are left out of IGES") {
  if (is_missing()) return;
  const TemporaryFolder folder;
  std::vector<NurbsPatch> box = nurbs_box({1, 1, 1});
  for (NurbsPatch& patch : box) patch.within = {"Geh\xC3\xA4use"};
  box[0].name = "\xE8\xBB\xB8";
  write_cad(folder / "a.step", box);
  write_cad(folder / "a.iges", box);
  const CadModel step = read_cad(folder / "a.step"), iges = read_cad(folder / "a.iges");
  CHECK(step.patches[0].name == box[0].name);
  CHECK(iges.patches[0].name != box[0].name);
  for (const NurbsPatch& patch : step.patches) CHECK(patch.within == box[0].within);
  for (const NurbsPatch& patch : iges.patches) CHECK(patch.within.empty());
  // As older programs write them.
  std::string text = read_text_file(folder / "a.step");
  for (std::size_t at; (at = text.find("Geh\xC3\xA4use")) != std::string::npos;)
    text.replace(at, 8, "Geh\\X2\\00E4\\X0\\use");
  write_file(folder / "old.step", text);
  CHECK(read_cad(folder / "old.step").patches[0].within == box[0].within);
}

TEST_CASE("what is part of something by its name is a group of it") {
  if (is_missing()) return;
  const TemporaryFolder folder;
  write_cad(folder / "a.step", assembly());
  const TriangleMesh surface = read_model(folder / "a.step").surface;
  const auto count = [&](const std::string& name) {
    const TriangleMesh::Group* const group = surface.group(name);
    return group ? group->triangles.size() : 0;
  };
  CHECK(count("head") == count("face_2"));
  CHECK(count("nut") > 0);
  CHECK(count("bolt M6 x 20, zinc plated") > count("head"));
  CHECK(count("joint") == count("nut") + count("bolt M6 x 20, zinc plated"));
  CHECK(count("ball") > 0);
  CHECK(!surface.group(""));
}

TEST_CASE("a product that is used twice has its own name and those of its uses") {
  if (is_missing()) return;
  const TemporaryFolder folder;
  write_cad(folder / "a.step", assembly());
  std::string text = read_text_file(folder / "a.step");
  const std::string use = "NEXT_ASSEMBLY_USAGE_OCCURRENCE(";
  int uses = 0;
  for (std::size_t at = 0; (at = text.find(use, at)) != std::string::npos; ++uses) {
    at = text.find(',', at) + 1;  // behind its id
    text.replace(at, text.find(',', at) - at, fmt::format("'use {}'", uses));
  }
  REQUIRE(uses > 3);
  write_file(folder / "b.step", text);
  const CadModel model = read_cad(folder / "b.step");
  for (const NurbsPatch& patch : model.patches)
    CHECK(std::any_of(patch.within.begin(), patch.within.end(),
                      [](const std::string& name) { return name.starts_with("use "); }));
  CHECK(std::find(model.patches[0].within.begin(), model.patches[0].within.end(),
                  "bolt M6 x 20, zinc plated") == model.patches[0].within.begin());
}

TEST_CASE("moved poles keep the trims of the faces they come from") {
  const TemporaryFolder folder;
  for (const std::filesystem::path& path : cad_models()) {
    std::vector<NurbsPatch> moved = read_cad(path).patches;
    for (NurbsPatch& patch : moved)
      for (Vec3& p : patch.pole)
        p = Vec3(1.1 * p.x() + 0.1 * p.y(), p.y() - 0.05 * p.x(), 0.9 * p.z());
    for (const char* name : {"a.step", "a.iges"}) {
      CAPTURE(path.string());
      CAPTURE(name);
      write_cad(folder / name, moved, path);
      const CadModel again = read_cad(folder / name);
      REQUIRE(again.patches.size() == moved.size());
      CHECK(distance(moved, again.patches) <= 1e-15 * size(moved));
      double worst = 0;
      for (std::size_t k = 0; k < moved.size(); ++k) {
        CHECK(again.patches[k].is_trimmed == moved[k].is_trimmed);
        worst = std::max(worst, std::abs(fine_area(again.patches[k], size(moved)) -
                                         fine_area(moved[k], size(moved))));
      }
      CHECK(worst < 1e-3 * size(moved) * size(moved));
    }
  }
}

TEST_CASE("a knot more changes nothing about the trims") {
  const TemporaryFolder folder;
  for (const std::filesystem::path& path : cad_models()) {
    if (path.filename() != "mug_trimmed.iges") continue;
    std::vector<NurbsPatch> patches = read_cad(path).patches;
    for (NurbsPatch& patch : patches)
      insert_knot(patch, true, 0.4 * patch.u.first() + 0.6 * patch.u.last());
    write_cad(folder / "a.step", patches, path);
    const CadModel again = read_cad(folder / "a.step");
    REQUIRE(again.patches.size() == patches.size());
    for (std::size_t k = 0; k < patches.size(); ++k) {
      CHECK(again.patches[k].is_trimmed == patches[k].is_trimmed);
      CHECK(again.patches[k].pole.size() == patches[k].pole.size());
    }
  }
}

TEST_CASE("a CAD model is a surface in metres with a group for each face and each name") {
  if (is_missing()) return;
  const TemporaryFolder folder;
  std::vector<NurbsPatch> box = nurbs_box({0.3, 0.2, 0.1});
  box[1].name = box[4].name = "lid";
  write_cad(folder / "a.step", box);
  const Model model = read_model(folder / "a.step");
  CHECK(volume(model.surface) == doctest::Approx(0.3 * 0.2 * 0.1));
  CHECK(model.unit == 0.001);
  CHECK(model.patches.size() == 6);
  CHECK(model.faces.size() == int(model.surface.triangles.size()));
  REQUIRE(model.surface.group("face_2"));
  REQUIRE(model.surface.group("face_5"));
  REQUIRE(model.surface.group("lid"));
  CHECK(model.surface.group("lid")->triangles.size() ==
        model.surface.group("face_2")->triangles.size() +
            model.surface.group("face_5")->triangles.size());
}

TEST_CASE("what cannot be written is refused, and nothing is left behind") {
  const TemporaryFolder folder;
  std::vector<NurbsPatch> box = nurbs_box({1, 1, 1});
  if (!has_cad()) {
    CHECK(has(refusal([&] { write_cad(folder / "a.step", box); }), "libocct-data-exchange-dev"));
    CHECK(has(refusal([&] { read_cad(folder / "a.step"); }), "built without CAD files"));
    return;
  }
  CHECK(has(refusal([&] { write_cad(folder / "a.dwg", box); }), ".step or .stp"));
  CHECK(has(refusal([&] { write_cad(folder / "a.step", {}); }), "no patches"));
  write_cad(folder / "source.step", box);
  box[2].face = 7;
  CHECK(has(refusal([&] { write_cad(folder / "a.step", box, folder / "source.step"); }),
            "which has 6 faces"));
  box[2].pole[1].x() = std::nan("");
  CHECK(has(refusal([&] { write_cad(folder / "a.step", box); }), "face 7 cannot be written"));
  CHECK(!std::filesystem::exists(folder / "a.step"));
}

/// The text of an IGES file whose faces have the colors 2, 3, 4, ... of the format.
static std::string with_colors(std::string text) {
  int color = 2;
  for (std::size_t line = 0; line + 81 <= text.size(); line += 81) {
    const bool is_second = text[line + 72] == 'D' && (text[line + 79] - '0') % 2 == 0;
    if (!is_second || text.substr(line, 8) != "     144") continue;
    text.replace(line + 16, 8, fmt::format("{:8}", color++));
  }
  return text;
}

TEST_CASE("colors of faces are read, and written back as IGES and as STEP") {
  if (is_missing()) return;
  const TemporaryFolder folder;
  const std::filesystem::path plain = folder / "plain.iges", colored = folder / "c.igs";
  write_cad(plain, nurbs_box({1, 1, 1}));
  for (const std::optional<Vec3>& color : read_cad(plain).colors) CHECK(!color);
  write_file(colored, with_colors(read_text_file(plain)));
  const Vec3 expected[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 0}, {1, 0, 1}, {0, 1, 1}};
  const auto check = [&](const std::filesystem::path& path) {
    const CadModel model = read_cad(path);
    REQUIRE(model.colors.size() == std::size(expected));
    for (std::size_t f = 0; f < model.colors.size(); ++f) {
      REQUIRE(model.colors[f]);
      CHECK((*model.colors[f] - expected[f]).norm() < 1e-6);
    }
    return model;
  };
  const CadModel model = check(colored);
  for (const char* name : {"again.step", "again.iges"}) {
    write_cad(folder / name, model.patches, colored);
    check(folder / name);
  }
}
