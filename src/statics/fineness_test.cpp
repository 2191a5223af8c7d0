#include "statics/fineness.h"

#include <doctest/doctest.h>

#include "statics/test_scenes.h"

using namespace pliant;
using namespace pliant::test;

namespace {

const std::string bent = R"("pins": [{"region": {"side": "left", "depth": 1e-3}}],
                            "loads": [{"region": {"side": "right", "depth": 1e-3}, "force": [0, -1000, 0]}])";

BuiltScene chosen(const std::string& text, Fineness& fineness, int* solutions = nullptr) {
  return build_fine_enough(
      read_scene_text(text, nowhere()), nowhere(), false,
      [&](int) {
        if (solutions) ++*solutions;
      },
      fineness);
}

}  // namespace

TEST_CASE("a body whose scene leaves it open is made as fine as the accuracy asks") {
  Fineness fineness;
  int solutions = 0;
  BuiltScene scene =
      chosen(bar_text(R"("meshless")", bent, R"("accuracy": 0.1, )"), fineness, &solutions);
  CHECK(solutions >= 2);
  REQUIRE(fineness.bodies.size() == 1);
  CHECK(fineness.bodies[0].stress_error <= 0.1);
  CHECK(fineness.bodies[0].displacement_error <= 0.1);
  CHECK(fineness.why.find("nodes a body") != std::string::npos);
  scene.world.step(1);
  std::vector<StaticFigures> figures = static_figures(scene);
  fineness.add_errors(figures);
  // M c / I at a twentieth of the length from the clamp.
  CHECK(figures[0].stress.value == doctest::Approx(1000 * 0.38 * 0.05 / (1e-4 / 12)).epsilon(0.06));
  REQUIRE(figures[0].stress_error);
}

TEST_CASE("what the scene says about its fineness stays") {
  for (const char* method :
       {R"({"meshless": {"particles": 300}})", R"({"tets": {"cells": 100}})"}) {
    Fineness fineness;
    int solutions = 0;
    chosen(bar_text(method, bent), fineness, &solutions);
    CHECK(solutions == 0);
    CHECK(fineness.why.empty());
  }
  Fineness fineness;
  int solutions = 0;
  chosen(bar_text(R"("tets")", bent, R"("accuracy": 1, )"), fineness, &solutions);
  CHECK(solutions == 0);
}
