#include <doctest/doctest.h>
#include <numbers>

#include "formats/cad.h"
#include "formats/testing.h"
#include "geometry/nurbs/models.h"

using namespace pliant;
using namespace pliant::testing;

static double fine_area(const NurbsPatch& patch) {
  return area(tessellate({patch}, 1e9, 1e-5).mesh);
}

static void check_same(const std::vector<NurbsPatch>& made, const CadModel& read,
                       bool names_are_short) {
  CHECK(read.warnings.empty());
  REQUIRE(read.patches.size() == made.size());
  for (std::size_t k = 0; k < made.size(); ++k) {
    const NurbsPatch &before = made[k], &after = read.patches[k];
    CAPTURE(before.name);
    if (!names_are_short || before.name.size() <= 8) CHECK(after.name == before.name);
    CHECK(after.is_trimmed == before.is_trimmed);
    CHECK(after.u.knots == before.u.knots);
    CHECK(after.v.knots == before.v.knots);
    double worst = 0;
    for (std::size_t i = 0; i < before.pole.size(); ++i)
      worst = std::max(worst, (after.pole[i] - before.pole[i]).norm());
    CHECK(worst < 1e-15);
    CHECK(fine_area(after) == doctest::Approx(fine_area(before)).epsilon(5e-3));
  }
}

TEST_CASE("models made here come back from STEP and IGES with their names and trims") {
  if (!has_cad()) {
    MESSAGE("built without CAD files");
    return;
  }
  const TemporaryFolder folder;
  for (const MadeModel& model : made_models())
    for (const char* file : {"a.step", "a.iges"}) {
      CAPTURE(model.name);
      CAPTURE(file);
      const std::vector<NurbsPatch> made = model.make();
      write_cad(folder / file, made);
      check_same(made, read_cad(folder / file), std::string(file) == "a.iges");
    }
}

TEST_CASE("trims made here stay on faces whose poles have moved and whose knots are more") {
  if (!has_cad()) {
    MESSAGE("built without CAD files");
    return;
  }
  const TemporaryFolder folder;
  std::vector<NurbsPatch> bent = find_made_model("bracket")->make();
  for (NurbsPatch& patch : bent) {
    for (const bool along_u : {true, false}) {
      raise_to_quadratic(patch, along_u);
      refine_spans(patch, along_u, 0.08);
    }
    for (Vec3& p : patch.pole) p += Vec3(0, 2 * p.z() * p.z(), 0.2 * p.x());
  }
  for (const char* file : {"a.step", "a.iges"}) {
    write_cad(folder / file, bent);
    check_same(bent, read_cad(folder / file), std::string(file) == "a.iges");
  }
}
