#include "play/metrics.h"

#include <algorithm>
#include <doctest/doctest.h>
#include <sstream>

#include "play/test_scene.h"

using namespace pliant;
using namespace pliant::test;

namespace {

std::vector<std::string> cells(std::string line) {
  REQUIRE(line.back() == '\n');
  line.pop_back();
  std::vector<std::string> found;
  std::stringstream stream(line);
  for (std::string cell; std::getline(stream, cell, ',');) found.push_back(cell);
  return found;
}

double value(const Metrics& metrics, const BuiltScene& scene, const StepReport& report,
             const char* name) {
  const std::vector<std::string> names = cells(metrics.header(scene));
  const auto column = std::find(names.begin(), names.end(), name) - names.begin();
  return std::stod(cells(metrics.row(1, scene, report)).at(std::size_t(column)));
}

}  // namespace

TEST_CASE("every row of the metrics has a number for every name in the header") {
  BuiltScene scene = two_boxes();
  const Metrics metrics(scene);
  const std::vector<std::string> names = cells(metrics.header(scene));
  StepReport report;
  for (int frame = 0; frame < 4; ++frame) {
    const std::vector<std::string> row = cells(metrics.row(frame, scene, report));
    REQUIRE(row.size() == names.size());
    for (const std::string& cell : row) {
      CAPTURE(cell);
      std::size_t used = 0;
      CHECK(std::isfinite(std::stod(cell, &used)));
      CHECK(used == cell.size());
    }
    report = scene.world.step(1.0 / 60);
  }
}

TEST_CASE("the names in the header differ and fit their probes") {
  BuiltScene scene = two_boxes();
  std::vector<std::string> names = cells(Metrics(scene).header(scene));
  for (const char* name :
       {"frame", "time_s", "kinetic_J", "corner_x_m", "corner_z_m", "advance_ms"})
    CHECK(std::count(names.begin(), names.end(), name) == 1);
  std::sort(names.begin(), names.end());
  CHECK(std::adjacent_find(names.begin(), names.end()) == names.end());
}

TEST_CASE("a row says what the world is like") {
  BuiltScene scene = two_boxes();
  const Metrics metrics(scene);
  const std::vector<std::string> names = cells(metrics.header(scene));
  for (int i = 0; i < 3; ++i) scene.world.step(1.0 / 60);
  const std::vector<std::string> row = cells(metrics.row(3, scene, {}));
  const auto value = [&](const std::string& name) {
    return std::stod(
        row.at(std::size_t(std::find(names.begin(), names.end(), name) - names.begin())));
  };
  double kinetic = 0;
  Vec3 moving = Vec3::Zero();
  for (const Body& body : scene.world.bodies) {
    kinetic += kinetic_energy(body.nodes);
    moving += momentum(body.nodes);
  }
  CHECK(value("frame") == 3);
  CHECK(value("time_s") == doctest::Approx(0.05).epsilon(1e-8));
  CHECK(value("kinetic_J") == doctest::Approx(kinetic).epsilon(1e-8));
  CHECK(value("momentum_y_kgm_s") == doctest::Approx(moving.y()).epsilon(1e-8));
  const Probe& probe = scene.probes.at(0);
  const Body& body = *scene.world.find(probe.body);
  const int vertex = body.marks.at(std::size_t(probe.mark)).vertex;
  CHECK(value("corner_y_m") ==
        doctest::Approx(body.drawn_skin().position[vertex].y()).epsilon(1e-8));
  std::vector<double> speed;
  field(body, "speed", speed);
  CHECK(value("corner_speed") == doctest::Approx(speed[vertex]).epsilon(1e-8));
  const double force = scene.world.contact.force_on_collider(0).y();
  CHECK(force < 0);
  CHECK(value("floor_force_y_N") == doctest::Approx(force).epsilon(1e-8));
  CHECK(value("max_contact_pressure_Pa") > 0);
}

TEST_CASE("before the first step every volume ratio is one") {
  const BuiltScene scene = two_boxes();
  const Metrics metrics(scene);
  const std::vector<std::string> names = cells(metrics.header(scene));
  const std::vector<std::string> row = cells(metrics.row(0, scene, {}));
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] != "volume_ratio" && names[i] != "skin_volume_ratio" && names[i] != "min_J")
      continue;
    CAPTURE(names[i]);
    CHECK(std::stod(row[i]) == doctest::Approx(1).epsilon(1e-9));
  }
}

TEST_CASE("reactions of a static scene hold up what acts, whatever computes it") {
  for (const char* method : {"tets", "meshless"}) {
    CAPTURE(method);
    BuiltScene scene = built(
        R"({"static": true, "colliders": [], "bodies": [{"box": {"size": [0.4, 0.1, 0.1]}, "edge": 0.1, "material": "rubber",
            "method": ")" +
        std::string(method) +
        R"(", "pins": [{"region": {"half_space": {"point": [-0.19, 0, 0], "normal": [-1, 0, 0]}}}],
            "loads": [{"force": [3, 0, -2]}]}]})");
    const Metrics metrics(scene);
    const StepReport report = scene.world.step(1.0 / 60);
    const double weight = 9.81 * 1100 * 0.004;
    CHECK(value(metrics, scene, report, "reaction_x_N") == doctest::Approx(-3).epsilon(1e-3));
    CHECK(value(metrics, scene, report, "reaction_y_N") == doctest::Approx(weight).epsilon(1e-3));
    CHECK(value(metrics, scene, report, "reaction_z_N") == doctest::Approx(2).epsilon(1e-3));
  }
}
