#include "studies/stress_papers.h"

#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <unistd.h>

#include "core/files.h"
#include "formats/stl.h"
#include "geometry/mesh/primitives.h"
#include "scene/read.h"
#include "statics/fineness.h"
#include "studies/stress_specimens.h"

// Whole static scenes, as a user would write them: nothing says how fine. Rows compare the largest
// von Mises stress of the skin, its mean, and the error that the run expects of itself.

namespace pliant {
namespace {

struct Expected {
  double peak, mean;  // [Pa]
  const char* source;
};

/// A folder for models that goes when it is done with.
class Folder {
 public:
  Folder()
      : path_(std::filesystem::temp_directory_path() /
              fmt::format("pliant-stress-{}", ::getpid())) {
    std::filesystem::create_directories(path_);
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

struct Answer {
  StaticFigures figures;
  int nodes = 0;
};

/// `body`: the fields of the scene's only body besides its file and method.
Answer solve(const TriangleMesh& surface, const std::string& body, const char* method) {
  const Folder folder;
  std::vector<Eigen::Vector3f> points;
  for (const Vec3& p : surface.points) points.push_back(p.cast<float>());
  write_stl(folder.path() / "part.stl", points, surface.triangles);
  SceneSource source;
  source.file = "scene.json";
  source.folder = folder.path();
  const std::string text = fmt::format(
      R"({{"static": true, "gravity": [0, 0, 0],
          "bodies": [{{"file": "part.stl", "method": "{}", {}}}]}})",
      method, body);
  Fineness fineness;
  BuiltScene scene = build_fine_enough(
      read_scene_text(text, source), source, false, [](int) {}, fineness);
  scene.world.step(*scene.resolved.frames / scene.resolved.fps);
  std::vector<StaticFigures> figures = static_figures(scene);
  fineness.add_errors(figures);
  return {figures[0], scene.world.bodies[0].nodes.size()};
}

PaperRow compare(const Answer& answer, const Expected& expected, double allowed) {
  const StaticFigures& figures = answer.figures;
  const double peak = figures.stress.value / expected.peak - 1,
               mean = figures.mean_stress / expected.mean - 1;
  const double told = figures.stress_error.value_or(0);
  return {
      .expected = fmt::format("{:.4g} {:.4g}", expected.peak, expected.mean),
      .ours = fmt::format("{:.4g} {:.4g}", figures.stress.value, figures.mean_stress),
      .met = std::abs(peak) <= allowed && std::abs(mean) <= allowed && told >= 0.5 * std::abs(peak),
      .remark = fmt::format("largest and mean von Mises stress [Pa], {:+.1f} % and {:+.1f} % of "
                            "{:.0f} %; the run expects {:.1f} %, {} nodes; {}",
                            100 * peak, 100 * mean, 100 * allowed, 100 * told, answer.nodes,
                            expected.source)};
}

constexpr double meshless_allowed = 0.1, tets_allowed = 0.2;

/// 100 x 160 x 10 mm, hole of 25 mm, pulled by 10 kN: 10 MPa far away.
PaperRow plate(const char* method, double allowed) {
  const Answer answer = solve(plate_with_hole({0.1, 0.16, 0.01}, 0.0125),
                              R"("material": "steel", "pins": [{"region": {"side": "bottom"}}],
                                 "loads": [{"region": {"side": "top"}, "force": [0, 10000, 0]}])",
                              method);
  return compare(answer,
                 {3.23e7, 1.041e7,
                  "Heywood 1952: 3 at a wide plate's hole is 3.23 here; "
                  "mean by CalculiX"},
                 allowed);
}

/// Lame: inner radius 0.5, outer 1 m, 1 MPa inside; an eighth of it between planes of symmetry.
PaperRow sphere(const char* method, double allowed) {
  const double a = 0.5, b = 1, p = 1e6;
  const auto stress = [&](double r) {  // hoop less radial
    return 1.5 * p * std::pow(a * b / r, 3) / (b * b * b - a * a * a);
  };
  // Of the skin: two shells and three quarters of rings.
  double area = 0, sum = 0;
  const auto add = [&](double part, double value) { area += part, sum += part * value; };
  constexpr double pi = 3.14159265358979;
  add(0.5 * pi * a * a, stress(a));
  add(0.5 * pi * b * b, stress(b));
  constexpr int rings = 1000;
  for (int i = 0; i < rings; ++i) {
    const double r = a + (b - a) * (i + 0.5) / rings;
    add(3 * 0.5 * pi * r * (b - a) / rings, stress(r));
  }
  const auto plane = [](const char* side, const char* axis) {
    return fmt::format(R"({{"region": {{"side": "{}", "depth": 1e-4}}, "axes": "{}"}})", side,
                       axis);
  };
  const Answer answer =
      solve(hollow_octant(a, b, 24),
            fmt::format(R"("material": {{"young": 2e11, "poisson": 0.3, "density": 7850}},
                           "pins": [{}, {}, {}],
                           "loads": [{{"region": {{"sphere": {{"radius": 0.51}}}}, "pressure": 1e6}}])",
                        plane("left", "x"), plane("bottom", "y"), plane("back", "z")),
            method);
  return compare(answer, {stress(a), sum / area, "Lame"}, allowed);
}

/// 200 x 20 x 20 mm, 100 N at its end: the stress of a beam.
PaperRow beam(const char* method, double allowed) {
  const double length = 0.2, side = 0.02, force = 100;
  const double inertia = std::pow(side, 4) / 12;
  const auto stress = [&](double from_end, double y) {
    const double bending = force * from_end * y / inertia;
    const double shear = 1.5 * force / (side * side) * (1 - std::pow(2 * y / side, 2));
    return std::sqrt(bending * bending + 3 * shear * shear);
  };
  // Of the skin: two faces square to the force, two along it; ends are small.
  double sum = 0;
  constexpr int steps = 100;
  for (int i = 0; i < steps; ++i)
    for (int j = 0; j < steps; ++j) {
      const double x = length * (i + 0.5) / steps, y = side * ((j + 0.5) / steps - 0.5);
      sum += 0.5 * (stress(x, side / 2) + stress(x, y)) / (steps * steps);
    }
  const double ends = 2 * side * side, sides = 4 * side * length;
  double of_ends = 0;
  for (int j = 0; j < steps; ++j) {
    const double y = side * ((j + 0.5) / steps - 0.5);
    of_ends += 0.5 * (stress(0, y) + stress(length, y)) / steps;
  }
  const Answer answer =
      solve(box_mesh({length, side, side}, side / 2),
            R"("material": "steel", "pins": [{"region": {"side": "left", "depth": 0.001}}],
                                 "loads": [{"region": {"side": "right", "depth": 0.001}, "force": [0, -100, 0]}])",
            method);
  // The largest value is asked for from a twentieth of the length before what is held.
  return compare(answer,
                 {stress(0.95 * length, side / 2), (sides * sum + ends * of_ends) / (sides + ends),
                  "beam theory"},
                 allowed);
}

/// Arms of 60 mm, 10 mm thick, 20 mm wide, inner radius 8 mm; 500 N at the end of one.
PaperRow bracket(const char* method, double allowed) {
  const Answer answer =
      solve(angle_bracket(0.06, 0.01, 0.008, 0.02),
            R"("material": "steel", "pins": [{"region": {"side": "top", "depth": 1e-4}}],
                                 "loads": [{"region": {"side": "right", "depth": 1e-4}, "force": [0, -500, 0]}])",
            method);
  return compare(answer,
                 {1.043e8, 4.516e7, "CalculiX, 16 359 quadratic tets (tests/calculix_test.py)"},
                 allowed);
}

PaperRow plate_meshless(bool) { return plate("meshless", meshless_allowed); }
PaperRow plate_tets(bool) { return plate("tets", tets_allowed); }
PaperRow sphere_meshless(bool) { return sphere("meshless", meshless_allowed); }
PaperRow sphere_tets(bool) { return sphere("tets", tets_allowed); }
PaperRow beam_meshless(bool) { return beam("meshless", meshless_allowed); }
PaperRow beam_tets(bool) { return beam("tets", tets_allowed); }
PaperRow bracket_meshless(bool) { return bracket("meshless", meshless_allowed); }
PaperRow bracket_tets(bool) { return bracket("tets", tets_allowed); }

constexpr Experiment all[] = {
    {"M-stress-beam", "stress of a bent beam, meshless", beam_meshless},
    {"M-stress-beam-tets", "the same, tets", beam_tets},
    {"M-stress-sphere", "stress of Lame's sphere, meshless", sphere_meshless},
    {"M-stress-sphere-tets", "the same, tets", sphere_tets},
    {"M-stress-plate", "stress at the hole of a plate, meshless", plate_meshless},
    {"M-stress-plate-tets", "the same, tets", plate_tets},
    {"M-stress-bracket", "stress in the fillet of a bracket, meshless", bracket_meshless},
    {"M-stress-bracket-tets", "the same, tets", bracket_tets},
};

}  // namespace

std::span<const Experiment> stress_experiments() { return all; }

}  // namespace pliant
