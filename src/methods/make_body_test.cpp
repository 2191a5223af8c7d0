#include "methods/make_body.h"

#include <doctest/doctest.h>

#include "core/errors.h"
#include "geometry/mesh/primitives.h"
#include "methods/registry.h"
#include "methods/tets/tets.h"

using namespace pliant;

namespace {

Solid ball() {
  Solid solid;
  solid.name = "ball";
  solid.surface = sphere_mesh(0.25, 0.1);
  return solid;
}

/// Everything that is said against a body.
template <class Settings>
std::string complaints(Settings&& settings, const Solid& solid) {
  try {
    make_body(settings, solid);
  } catch (const InputError& error) {
    std::string text;
    for (const Problem& problem : error.problems()) text += to_string(problem) + '\n';
    return text;
  }
  return "";
}

bool says(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("a body is made by every method of no more than a surface, as a scene would make it") {
  for (const MethodKind& kind : registered_methods()) {
    CAPTURE(kind.name);
    const Body body = make_body(kind.name, ball());
    Solid full = ball();
    full.material = completed({}, bounds(full.surface.points).extent().maxCoeff(), 9.81);
    const Body same = kind.settings()->create(full);
    CHECK(body.nodes.position == same.nodes.position);
    CHECK(body.nodes.mass == same.nodes.mass);
    CHECK(body.friction == 0.5);
  }
}

TEST_CASE("what is wrong with a solid is told in one go, and never a crash") {
  CHECK(says(complaints("teds", ball()),
             "ball: /method is \"teds\"; it must be one of tets, groups"));
  Solid bad = ball();
  bad.material = {.preset = "ruber",
                  .young = -1,
                  .poisson = 0.7,
                  .density = NAN,
                  .damping = {},
                  .friction = {},
                  .yield_strength = {},
                  .plastic = {}};
  bad.surface.triangles[3][1] = 100'000;
  bad.surface.points[5].y() = INFINITY;
  bad.parts.push_back({{},
                       {.preset = "",
                        .young = 0,
                        .poisson = {},
                        .density = {},
                        .damping = {},
                        .friction = {},
                        .yield_strength = {},
                        .plastic = {}}});
  tets::Settings settings;
  settings.cells = -5;
  settings.cell_size = 0.1;
  settings.kernel = tets::Kernel(77);
  const std::string text = complaints(settings, bad);
  INFO(text);
  CHECK(says(text, "ball: /material/young is -1; it must be above 0\n    stiffness in tension"));
  CHECK(says(text, "/material/poisson is 0.7; it must be above -1 and at most 0.5"));
  CHECK(says(text, "/material/density is nan; it must be a finite number"));
  CHECK(says(text, "/material/preset is \"ruber\"; known materials are brain"));
  CHECK(says(text, "/parts/0/material/young is 0"));
  CHECK(says(text, "has a triangle (3) with the corner 100000"));
  CHECK(says(text, "has a point that is not finite (point 5)"));
  CHECK(says(text, "/method/cells is -5; it must be at least 1 and at most 2000000"));
  CHECK(says(text, "/method takes at most one of cells, cell_size"));
  CHECK(says(text, "/method/kernel is none of its 4 choices"));
  CHECK(says(complaints("tets", Solid{}), "has no triangles"));
  Solid tets;
  tets.tets = TetMesh{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2, 3}}};
  CHECK(says(complaints("tets", tets), "has a tet (0) with the corner 3; there are 3 points"));
}
