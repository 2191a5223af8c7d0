#include "play/inspect_cad.h"

#include <doctest/doctest.h>

#include "formats/cad.h"
#include "geometry/nurbs/primitives.h"
#include "play/inspect.h"
#include "scene/test_folder.h"

using namespace pliant;

namespace {

bool is_missing() {
  if (has_cad()) return false;
  MESSAGE("built without CAD files");
  return true;
}

/// Without a body, which would take most of the time.
Inspection looked_at(const TestFolder& folder, const std::vector<NurbsPatch>& patches,
                     const std::string& unit = "file") {
  write_cad(folder.path() / "part.step", patches);
  return inspect({.model = folder.path() / "part.step", .unit = unit, .method = "rigid"});
}

std::vector<NurbsPatch> shifted(std::vector<NurbsPatch> patches, const Vec3& by) {
  for (NurbsPatch& patch : patches)
    for (Vec3& pole : patch.pole) pole += by;
  return patches;
}

}  // namespace

TEST_CASE("the faces of a CAD model are listed with number, name, size and what is behind them") {
  if (is_missing()) return;
  const TestFolder folder;
  std::vector<NurbsPatch> box = nurbs_box({0.2, 0.1, 0.05});
  for (NurbsPatch& patch : box) patch.name.clear();
  box[3].name = "seat";
  const Inspection found = looked_at(folder, box);
  REQUIRE(found.cad);
  const CadInspection& cad = *found.cad;
  CHECK(found.kind == "CAD model");
  CHECK(cad.unit == "mm");
  CHECK(found.closed);
  CHECK(cad.pieces == 1);
  REQUIRE(cad.faces.size() == 6);
  double area = 0;
  for (std::size_t f = 0; f < 6; ++f) {
    const CadFace& face = cad.faces[f];
    CHECK(face.number == int(f) + 1);
    CHECK(face.name == (f == 3 ? "seat" : ""));
    CHECK(face.degree_u == 1);
    CHECK(face.poles_u * face.poles_v == 4);
    CHECK(!face.is_trimmed);
    CHECK(!face.is_rational);
    // The thickness behind a face times its area is the volume, in a box.
    CHECK(face.thickness * face.area == doctest::Approx(0.2 * 0.1 * 0.05).epsilon(1e-6));
    area += face.area;
  }
  CHECK(area == doctest::Approx(2 * (0.02 + 0.01 + 0.005)));
  CHECK(found.volume == doctest::Approx(0.001));
  CHECK(found.counted == doctest::Approx(0.001).epsilon(0.03));
  CHECK(cad.meetings.pairs.size() == 12);
  CHECK(found.complaints().empty());
  for (const Finding& finding : found.findings) CHECK_MESSAGE(finding.count == 0, finding.id);
}

TEST_CASE(
    "inspect names what is wrong with a CAD model: holes, gaps, pieces, faces through faces") {
  if (is_missing()) return;
  const TestFolder folder;
  const std::vector<NurbsPatch> box = nurbs_box({0.1, 0.1, 0.1});
  std::vector<NurbsPatch> open = box;
  open.pop_back();
  CHECK(looked_at(folder, open).finding("holes").count == 1);
  CHECK(!looked_at(folder, open).closed);

  std::vector<NurbsPatch> apart = box;
  for (Vec3& pole : apart[0].pole) pole *= 1.002;
  const Inspection gap = looked_at(folder, apart);
  CHECK(gap.finding("gaps").count == 4);
  CHECK(gap.finding("holes").count == 0);
  CHECK(gap.finding("gaps").remark.find("0.141 mm (faces 1 and") != std::string::npos);

  std::vector<NurbsPatch> two = box;
  for (const NurbsPatch& patch : shifted(box, {0.3, 0, 0})) two.push_back(patch);
  const Inspection pieces = looked_at(folder, two);
  CHECK(pieces.finding("pieces").count == 1);
  CHECK(pieces.cad->faces[7].piece == 2);

  two = box;
  for (const NurbsPatch& patch : shifted(nurbs_box({0.1, 0.03, 0.03}), {0.07, 0, 0}))
    two.push_back(patch);
  const Inspection through = looked_at(folder, two);
  CHECK(through.finding("overlaps").count == 4);
  CHECK(through.finding("pieces").count == 0);
  CHECK(!through.complaints().empty());
}

TEST_CASE("a CAD file's unit is its own, until another one is asked for") {
  if (is_missing()) return;
  const TestFolder folder;
  const std::vector<NurbsPatch> ball = nurbs_sphere(0.05);
  const Inspection own = looked_at(folder, ball);
  CHECK(own.box.extent().x() == doctest::Approx(0.1).epsilon(1e-3));
  CHECK(own.cad->faces[0].is_rational);
  const Inspection other = looked_at(folder, ball, "m");
  CHECK(other.box.extent().x() == doctest::Approx(100).epsilon(1e-3));
  CHECK(other.cad->unit == "m");
  CHECK(other.cad->said_by.find("mm") != std::string::npos);
  CHECK(other.cad->meetings.met == doctest::Approx(1000 * own.cad->meetings.met));
}

TEST_CASE("the picture of a CAD model shows its faces in different colors") {
  if (is_missing()) return;
  const TestFolder folder;
  const Inspection found = looked_at(folder, nurbs_box({0.1, 0.1, 0.1}));
  write_inspection_picture(folder.path() / "found.png", found, "part.step");
  CHECK(std::filesystem::file_size(folder.path() / "found.png") > 10'000);
}
