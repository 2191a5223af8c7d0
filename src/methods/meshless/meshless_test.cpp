#include "methods/meshless/meshless.h"

#include <doctest/doctest.h>

#include "methods/meshless/test_bodies.h"

using namespace pliant;
using namespace pliant::meshless;

namespace {

struct Tip {
  Vec3 move;
  StaticReport report;
};

/// The paper's beam, one end held, a force on the other; movement of the loaded end's middle [m].
Tip bent(int across, const Vec3& force, Settings settings = {}) {
  Body body = paper_beam(across, settings);
  const std::vector<Vec3> rest = body.nodes.position;
  hold_at(body, 2, -0.1);
  load_end(body, 0.1, force, 0.02 / (across - 1));
  Tip tip;
  tip.report = body.method->solve_static(body.nodes);
  tip.move = moved(body, {0, 0, 0.1}, 0.02 / (across - 1), rest) - Vec3(0, 0, 0.1);
  return tip;
}

}  // namespace

TEST_CASE("the paper's beam bends and stretches as the verified numbers say") {
  struct Row {
    int across;
    double y, z, stretch;  // [mm]
  };
  for (const Row& row : {Row{3, -44.648, -6.082, 14.823}, Row{4, -44.621, -6.068, 14.851},
                         Row{5, -44.837, -6.124, 14.864}}) {
    CAPTURE(row.across);
    const Tip bend = bent(row.across, {0, -12, 0});
    CHECK(bend.report.converged);
    CHECK(bend.report.iterations <= 15);
    CHECK(1e3 * bend.move.y() == doctest::Approx(row.y).epsilon(0.002));
    CHECK(1e3 * bend.move.z() == doctest::Approx(row.z).epsilon(0.002));
    const Tip stretch = bent(row.across, {0, 0, 1500});
    CHECK(stretch.report.converged);
    CHECK(stretch.report.iterations <= 15);
    CHECK(1e3 * stretch.move.z() == doctest::Approx(row.stretch).epsilon(0.002));
  }
}
