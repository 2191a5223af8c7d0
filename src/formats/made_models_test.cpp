#include <doctest/doctest.h>
#include <numbers>

#include "formats/cad.h"
#include "formats/testing.h"
#include "geometry/nurbs/models.h"

using namespace pliant;
using namespace pliant::testing;

static double fine_area(const NurbsPatch& patch) {
  return area(tessellate({patch}, 1e9, 1e-4).mesh);
}

static bool is_reversed(const NurbsPatch& patch) {
  const auto [a, b, c] = patch.triangles[0];
  const Vec2 p = patch.domain[b] - patch.domain[a], q = patch.domain[c] - patch.domain[a];
  return p.x() * q.y() < p.y() * q.x();
}

/// IGES knows no sense of faces: reversed ones come with u the other way round.
static void check_same(const std::vector<NurbsPatch>& made, const CadModel& read, bool is_iges) {
  CHECK(read.warnings.empty());
  REQUIRE(read.patches.size() == made.size());
  for (std::size_t k = 0; k < made.size(); ++k) {
    const NurbsPatch &before = made[k], &after = read.patches[k];
    CAPTURE(before.name);
    CHECK(after.name == before.name);
    CHECK(after.is_trimmed == before.is_trimmed);
    CHECK(after.u.knots.size() == before.u.knots.size());
    CHECK(after.v.knots == before.v.knots);
    REQUIRE(after.pole.size() == before.pole.size());
    const int rows = before.u.poles(), columns = before.v.poles();
    const bool turned = is_iges && is_reversed(before);
    double worst = 0;
    for (int i = 0; i < rows; ++i)
      for (int j = 0; j < columns; ++j) {
        const Vec3& pole = before.pole[std::size_t((turned ? rows - 1 - i : i) * columns + j)];
        worst = std::max(worst, (after.pole[std::size_t(i * columns + j)] - pole).norm());
      }
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
