#include <algorithm>
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "core/files.h"
#include "formats/cad.h"
#include "formats/formats.h"
#include "formats/testing.h"
#include "geometry/nurbs/primitives.h"

// What is wrong with a CAD file is told in one sentence or a warning, whatever OpenCASCADE makes of
// it.

using namespace pliant;
using namespace pliant::testing;

static bool is_missing() {
  if (has_cad()) return false;
  MESSAGE("built without CAD files");
  return true;
}

static std::string refused(const std::filesystem::path& path) {
  return refusal([&] { read_cad(path); });
}

/// An entity of an IGES file: its parameters begin with its type; `@c` stands for the third entity.
using Entity = std::string;

/// The lines of a section: 72 columns, its letter, a number.
static std::string section(char letter, const std::vector<std::string>& lines) {
  std::string text;
  for (std::size_t i = 0; i < lines.size(); ++i)
    text += fmt::format("{:<72}{}{:>7}\n", lines[i], letter, i + 1);
  return text;
}

static std::string iges(std::vector<Entity> entities, int unit_flag = 2) {
  std::vector<std::string> directory, parameters;
  for (std::size_t k = 0; k < entities.size(); ++k) {
    std::string& entity = entities[k];
    for (std::size_t at; (at = entity.find('@')) != std::string::npos;)
      entity.replace(at, 2, std::to_string(2 * (entity[at + 1] - 'a') + 1));
    const std::string type = entity.substr(0, entity.find(','));
    const std::size_t first = parameters.size();
    for (std::size_t from = 0; from < entity.size();) {  // broken at commas
      std::size_t to = std::min(entity.size(), from + 60);
      if (to < entity.size()) to = entity.rfind(',', to) + 1;
      parameters.push_back(fmt::format("{:<64}{:>8}", entity.substr(from, to - from), 2 * k + 1));
      from = to;
    }
    const char* const status = type == "144" ? "00000000" : "00010000";
    directory.push_back(fmt::format("{:>8}{:>8}{:>8}{:>8}{:>8}{:>8}{:>8}{:>8}{}", type, first + 1,
                                    0, 0, 0, 0, 0, 0, status));
    directory.push_back(
        fmt::format("{:>8}{:>8}{:>8}{:>8}{:>8}", type, 0, 0, parameters.size() - first, 0));
  }
  const std::vector<std::string> global = {
      fmt::format("1H,,1H;,1Ha,1Ha,1Ha,1Ha,32,38,6,308,15,1Ha,1.,{},2HMM,1,1.,", unit_flag),
      "13H000101.000000,1.E-6,1000.,1Ha,1Ha,11,0,13H000101.000000;"};
  return section('S', {"made by hand"}) + section('G', global) + section('D', directory) +
         section('P', parameters) +
         section('T', {fmt::format("S{:>7}G{:>7}D{:>7}P{:>7}", 1, 2, directory.size(),
                                   parameters.size())});
}

/// A square of 10 mm trimmed by a polygon in (u, v), after `before` other entities.
static std::vector<Entity> trimmed_square(const std::vector<Vec2>& corners, int before = 0) {
  const auto name = [&](std::size_t k) { return std::string("@") + char('a' + before + int(k)); };
  std::vector<Entity> entities = {
      "128,1,1,1,1,0,0,1,0,0,0.,0.,1.,1.,0.,0.,1.,1.,1.,1.,1.,1.,"
      "0.,0.,0.,10.,0.,0.,0.,10.,0.,10.,10.,0.,0.,1.,0.,1.;"};
  const std::size_t count = corners.size();
  std::string sides;
  for (std::size_t i = 0; i < count; ++i) {
    const Vec2 &p = corners[i], &q = corners[(i + 1) % count];
    entities.push_back(
        fmt::format("110,{:.3f},{:.3f},0.,{:.3f},{:.3f},0.;", p.x(), p.y(), q.x(), q.y()));
    sides += "," + name(i + 1);
  }
  entities.push_back(fmt::format("102,{}{};", count, sides));
  entities.push_back("142,1," + name(0) + "," + name(count + 1) + ",0,1;");
  entities.push_back("144," + name(0) + ",1,0," + name(count + 2) + ";");
  return entities;
}

static CadModel read_text(const std::filesystem::path& path, const std::string& text) {
  write_file(path, text);
  return read_cad(path);
}

TEST_CASE("a square trimmed by a triangle is half of it, in the unit of its file") {
  if (is_missing()) return;
  const TemporaryFolder folder;
  const std::vector<Entity> half = trimmed_square({{0, 0}, {1, 0}, {0, 1}});
  for (const auto& [flag, unit] : {std::pair(2, 1e-3), {1, 0.0254}, {6, 1.0}, {10, 1e-2}}) {
    const CadModel model = read_text(folder / "a.iges", iges(half, flag));
    CAPTURE(flag);
    REQUIRE(model.patches.size() == 1);
    CHECK(model.warnings.empty());
    CHECK(model.unit == unit);
    CHECK(model.patches[0].is_trimmed);
    CHECK(area(tessellate(model.patches, 1e9, 1e9).mesh) ==
          doctest::Approx(50 * unit * unit).epsilon(1e-6));
  }
}

TEST_CASE(
    "a CAD file under the name of another format, or with bytes of an editor, is told what to do") {
  if (is_missing()) return;
  const TemporaryFolder folder;
  write_cad(folder / "a.step", nurbs_box({1, 1, 1}));
  write_cad(folder / "a.iges", nurbs_box({1, 1, 1}));
  const std::string step = read_text_file(folder / "a.step");
  write_file(folder / "b.iges", step);
  CHECK(has(refused(folder / "b.iges"), "begins as STEP files do"));
  CHECK(has(refused(folder / "b.iges"), "name it .step"));
  write_file(folder / "b.step", read_text_file(folder / "a.iges"));
  CHECK(has(refused(folder / "b.step"), "looks like an IGES file"));
  write_file(folder / "mark.step", "\xEF\xBB\xBF" + step);
  CHECK(has(refused(folder / "mark.step"), "byte order mark"));
}

TEST_CASE("a line of a STEP file that cannot be understood is told by its number") {
  if (is_missing()) return;
  const TemporaryFolder folder;
  write_cad(folder / "a.step", nurbs_box({1, 1, 1}));
  CHECK(read_cad(folder / "a.step").warnings.empty());
  std::string text = read_text_file(folder / "a.step");
  const std::size_t at = text.rfind("\n", text.find("CARTESIAN_POINT")) + 1;
  const auto line = 1 + std::count(text.begin(), text.begin() + std::ptrdiff_t(at), '\n');
  text.insert(at, "lorem ipsum dolor\n");
  const CadModel model = read_text(folder / "b.step", text);
  REQUIRE(!model.warnings.empty());
  CAPTURE(line);
  CAPTURE(model.warnings[0]);
  CHECK(has(model.warnings[0], fmt::format("near line {} is damaged", line + 1)));  // where it ends
}

TEST_CASE("line ends of other systems do not matter to CAD files") {
  if (is_missing()) return;
  const TemporaryFolder folder;
  for (const std::string name : {"a.step", "a.iges"}) {
    write_cad(folder / name, nurbs_box({1, 1, 1}));
    std::string text = read_text_file(folder / name);
    for (std::size_t at = 0; (at = text.find('\n', at)) != std::string::npos; at += 2)
      text.replace(at, 1, "\r\n");
    write_file(folder / ("b" + name), text);
    CHECK(read_cad(folder / ("b" + name)).patches.size() == 6);
  }
}

/// A good face, and another that is not.
static std::vector<Entity> with_a_good_one(const std::vector<Vec2>& corners) {
  std::vector<Entity> both = trimmed_square({{0, 0}, {1, 0}, {0, 1}});
  const std::vector<Entity> other = trimmed_square(corners, int(both.size()));
  both.insert(both.end(), other.begin(), other.end());
  return both;
}

TEST_CASE("a face that cannot be used is named and left out") {
  if (is_missing()) return;
  const TemporaryFolder folder;
  const std::vector<Entity> whole = with_a_good_one({{0, 0}, {1, 0}, {1, 1}, {0, 1}});
  CHECK(read_text(folder / "a.iges", iges(whole)).patches.size() == 2);
  const auto check = [&](const char* name, const std::vector<Entity>& entities) {
    CAPTURE(name);
    const CadModel model = read_text(folder / "a.iges", iges(entities));
    REQUIRE(model.patches.size() == 1);
    CHECK(model.patches[0].face == 1);
    REQUIRE(model.warnings.size() == 1);
    CHECK(has(model.warnings[0], "a.iges: face 2 is left out: "));
  };
  check("trims that enclose nothing", with_a_good_one({{0, 0}, {1, 0}, {0.5, 0}}));
  const auto with_pole = [&](const std::string& pole) {
    std::vector<Entity> entities = whole;
    const std::string was = ",10.,10.,0.,0.,1.,";
    entities[7].replace(entities[7].find(was), was.size(), "," + pole + ",10.,0.,0.,1.,");
    return entities;
  };
  check("a pole at the end of the world", with_pole("1.E300"));
  for (const char* pole : {"NaN", "-inf", "1.E999"}) {
    const std::string said = refusal([&] { read_text(folder / "a.iges", iges(with_pole(pole))); });
    CHECK(has(said, "a.iges: line "));
    CHECK(has(said, std::string("holds \"") + pole));
  }
  write_cad(folder / "a.step", nurbs_box({1, 1, 1}));
  std::string text = read_text_file(folder / "a.step");
  const std::string point = "CARTESIAN_POINT('',(";
  text.replace(text.find(point) + point.size(), 1, "NaN,");
  write_file(folder / "a.step", text);
  CHECK(has(refused(folder / "a.step"), "holds \"NaN\"; a finite number is meant"));
}

TEST_CASE("a face whose trims cross becomes the pieces between the crossings") {
  if (is_missing()) return;
  const TemporaryFolder folder;
  const std::vector<Entity> bow = with_a_good_one({{0, 0}, {1, 1}, {1, 0}, {0, 1}});
  const CadModel model = read_text(folder / "a.iges", iges(bow));
  CHECK(model.patches.size() == 3);
  CHECK(area(tessellate(model.patches, 1e9, 1e9).mesh) == doctest::Approx(100e-6).epsilon(1e-6));
}

TEST_CASE("broken CAD files are refused with the file's name") {
  if (is_missing()) return;
  const TemporaryFolder folder;
  for (const char* extension : {".step", ".iges"}) {
    const std::string name = std::string("a") + extension;
    write_cad(folder / name, nurbs_box({1, 1, 1}));
    const std::string whole = read_text_file(folder / name);
    const auto said = [&](const std::string& bytes) {
      write_file(folder / name, bytes);
      return refused(folder / name);
    };
    CHECK(has(said(""), "is an empty file"));
    CHECK(has(said("Dear Sir or Madam,\nplease find enclosed\n"), name));
    CHECK(has(said(std::string(100, '\n')), name));
    for (const double share : {0.02, 0.3, 0.5, 0.999})
      CHECK(has(said(whole.substr(0, std::size_t(share * double(whole.size())))), "is cut off"));
    std::string noise;
    for (int i = 0; i < 5000; ++i) noise += char(256 * random_unit(3, i));
    CHECK(has(said(noise), name));
    for (char& c : noise) c = char(' ' + (c & 63));
    CHECK(has(said(noise), name));
  }
  write_file(folder / "a.step",
             "ISO-10303-21;\nHEADER;\nFILE_DESCRIPTION((''),'2;1');\n"
             "FILE_NAME('a','',(''),(''),'','','');\nFILE_SCHEMA(('AUTOMOTIVE_DESIGN'));\nENDSEC;\n"
             "DATA;\nENDSEC;\nEND-ISO-10303-21;\n");
  CHECK(has(refused(folder / "a.step"), "no faces"));
  CHECK(has(refused(folder / "none.step"), "No such file"));
}

TEST_CASE("CAD files with bytes changed at random are read or refused") {
  if (is_missing()) return;
  const TemporaryFolder folder;
  std::uint64_t counter = 0;
  const auto below = [&](std::size_t n) {
    return std::size_t(random_unit(5, counter++) * double(n));
  };
  for (const char* name : {"a.step", "a.iges"}) {
    write_cad(folder / name, nurbs_cylinder(0.1, 0.3));
    const std::string whole = read_text_file(folder / name);
    for (int round = 0; round < 40; ++round) {
      std::string bytes = whole;
      const std::size_t changes = 1 + below(10);
      for (std::size_t i = 0; i < changes; ++i)
        bytes[below(bytes.size())] = "0123456789.,;()#-ED "[below(20)];
      write_file(folder / name, bytes);
      std::size_t triangles = 0;
      const std::string said =
          refusal([&] { triangles = read_model(folder / name).surface.triangles.size(); });
      CHECK((said.empty() ? triangles > 0 : has(said, name)));
      CHECK(triangles < 1000000);
    }
  }
}
