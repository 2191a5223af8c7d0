#include "statics/figures.h"

#include <doctest/doctest.h>

#include "statics/test_scenes.h"

using namespace pliant;
using namespace pliant::test;

namespace {

const char* const meshless = R"({"meshless": {"spacing": 0.0167}})";
const char* const tets = R"({"tets": {"cell_size": 0.02}})";

/// Held at its left end, however the right one is loaded.
std::string clamped(const std::string& load) {
  return R"("pins": [{"region": {"side": "left", "depth": 1e-3}}],
            "loads": [{"region": {"side": "right", "depth": 1e-3}, )" +
         load + "}]";
}

StaticFigures solved(const std::string& text) {
  BuiltScene scene = built(text);
  const StepReport report = scene.world.step(1);
  CHECK(report.unbalanced == 0);
  return static_figures(scene).front();
}

}  // namespace

TEST_CASE("planes of symmetry leave a pulled bar as if it were whole: one stress everywhere") {
  // 1 MPa at the right end, three planes that hold along their normals only.
  for (const char* method : {meshless, tets}) {
    CAPTURE(method);
    const StaticFigures figures = solved(
        bar_text(method, R"("pins": [{"region": {"side": "left", "depth": 1e-3}, "axes": "x"},
                            {"region": {"side": "bottom", "depth": 1e-3}, "axes": "normal"},
                            {"region": {"side": "back", "depth": 1e-3}, "axes": "z"}],
                   "loads": [{"region": {"side": "right", "depth": 1e-3}, "force": [1e4, 0, 0]}])"));
    CHECK(figures.mean_stress == doctest::Approx(1e6).epsilon(0.03));
    // The force acts at vertices, which shows a spacing or two deep.
    CHECK(figures.stress.value == doctest::Approx(1e6).epsilon(0.12));
    const double stretch = 1e6 * 0.4 / 2.1e11, thinning = 0.29 * 1e6 * 0.1 / 2.1e11;
    const double corner = std::sqrt(stretch * stretch + 2 * thinning * thinning);
    CHECK(figures.displacement.value == doctest::Approx(corner).epsilon(0.03));
    REQUIRE(figures.supports.size() == 3);
    CHECK(figures.supports[0].force.x() == doctest::Approx(-1e4).epsilon(1e-3));
    for (const int other : {1, 2}) CHECK(figures.supports[std::size_t(other)].force.norm() < 50);
  }
}

TEST_CASE("a support bears what the load is, and the moment of it") {
  for (const char* method : {meshless, tets}) {
    CAPTURE(method);
    const StaticFigures figures = solved(bar_text(method, clamped(R"("force": [0, -1000, 0])")));
    REQUIRE(figures.supports.size() == 1);
    const Support& support = figures.supports[0];
    CHECK((support.force - Vec3(0, 1000, 0)).norm() < 0.1);
    CHECK((support.moment - Vec3(0, 0, 400)).norm() < 2);  // of a force 0.4 m away
    CHECK((support.centre - Vec3(-0.2, 0, 0)).norm() < 1e-3);
  }
}

TEST_CASE("a moment bends a bar with the same stress from end to end") {
  // 1 kN m about z: M c / I = 1000 * 0.05 / (0.1^4 / 12) = 6 MPa.
  for (const char* method : {meshless, tets}) {
    CAPTURE(method);
    const StaticFigures figures = solved(bar_text(method, clamped(R"("moment": [0, 0, 1000])")));
    CHECK(figures.stress.value == doctest::Approx(6e6).epsilon(method == tets ? 0.15 : 0.1));
    CHECK(std::abs(figures.stress.place.y()) == doctest::Approx(0.05));
    REQUIRE(figures.supports.size() == 1);
    CHECK(figures.supports[0].force.norm() < 0.1);
    CHECK((figures.supports[0].moment - Vec3(0, 0, -1000)).norm() < 1);
  }
}

TEST_CASE("the safety factor is the yield strength over the largest stress") {
  const StaticFigures figures = solved(bar_text(meshless, clamped(R"("moment": [0, 0, 1000])")));
  REQUIRE(figures.safety());
  CHECK(*figures.safety() == doctest::Approx(2.35e8 / figures.stress.value));
  bool is_told = false;
  for (const std::string& line : told(figures))
    is_told = is_told || line.find("safety factor") != std::string::npos;
  CHECK(is_told);
}

TEST_CASE("pins along axes are refused where they mean nothing") {
  const std::string pins = R"("pins": [{"region": {"side": "left"}, "axes": "x"}])";
  const auto problem = [](const std::string& text) -> std::string {
    try {
      built(text);
    } catch (const InputError& error) {
      return to_string(error.problems().front());
    }
    return "";
  };
  std::string moving = bar_text(meshless, pins);
  moving.replace(moving.find("true"), 4, "false");
  CHECK(problem(moving).find("only static scenes hold along chosen axes") != std::string::npos);
  CHECK(problem(bar_text(R"("groups")", pins)) != "");
}
