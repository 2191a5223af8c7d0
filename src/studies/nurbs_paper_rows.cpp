#include "studies/nurbs_paper_rows.h"

#include <Eigen/Eigenvalues>
#include <fmt/format.h>
#include <numbers>

#include "geometry/nurbs/primitives.h"
#include "methods/nurbs/paper/rays.h"
#include "studies/nurbs_specimen.h"

// Trusty, Chen, Levin 2021: the shape matching element method, with its kinematics as printed
// (corrected where the equations do not work), not this house's default ones. Reference numbers:
// another implementation of the same equations, and finite elements.

namespace pliant {
namespace {

using nurbs::paper::Settings;

/// As printed: faces that hang together by their blended polynomials alone, gamma = E.
Settings as_printed(double cutoff, const Vec3& rays) {
  Settings settings{.connect = Settings::Connect::none, .length = 1, .pull = 0};
  settings.cutoff = cutoff;
  settings.rays = rays;
  return settings;
}

/// Faces raised to degree 2.
std::vector<NurbsPatch> quadratic(std::vector<NurbsPatch> patches) {
  for (NurbsPatch& patch : patches)
    for (const bool along_u : {true, false}) raise_to_quadratic(patch, along_u);
  return patches;
}

std::vector<NurbsPatch> model_or(const std::string& file, std::vector<NurbsPatch> otherwise) {
  return paper_model(file).value_or(std::move(otherwise));
}

// --- at rest ---

PaperRow patch(bool quick) {
  double gradient = 0, error = 0, turned = 0;
  int models = 0;
  std::vector<std::string> files = {"cube.iges", "rounded_cube.iges", "rocket.iges",
                                    "mug_trimmed.iges"};
  if (!quick) files.insert(files.end(), {"tire.iges", "chicken_simple_closed.iges"});
  Mat3 A;
  A << 1.1, 0.3, 0, -0.2, 0.9, 0.1, 0.2, 0, 1.2;
  const Mat3 R = Eigen::AngleAxisd(1, Vec3(1, 2, -1).normalized()).toRotationMatrix();
  for (const std::string& file : files) {
    Specimen specimen(model_or(file, nurbs_beam({5, 1, 1}, 3)), elastic_material(1, 0.3), {});
    ++models;
    galerkin::Elastic& elastic = specimen.method().elastic();
    std::vector<Vec3> x = specimen.rest;
    for (Vec3& p : x) p = A * p;
    elastic.update(x);
    for (int p = 0; p < specimen.points().size(); ++p)
      gradient = std::max(gradient, (elastic.F(p) - A).norm());
    error = std::max(error, std::abs(elastic.form()->energy(x)) / elastic.volume());
    for (std::size_t n = 0; n < x.size(); ++n) x[n] = R * specimen.rest[n];
    elastic.update(x);
    turned = std::max(turned, std::abs(elastic.energy()) / elastic.volume());
  }
  return {.expected = "< 1e-10, < 1e-12, < 1e-12",
          .ours = fmt::format("{:.0e}, {:.0e}, {:.0e}", gradient, error, turned),
          .met = gradient < 1e-10 && error < 1e-12 && turned < 1e-12,
          .remark = fmt::format("{} models: F under affine motion of the control points, error "
                                "energy of it, energy of a rotation (of E V)",
                                models)};
}

Eigen::MatrixXd stiffness_at_rest(const Specimen& specimen) {
  galerkin::Elastic& elastic = specimen.method().elastic();
  elastic.update(specimen.rest);
  elastic.keep_tangents();
  const std::size_t nodes = specimen.rest.size();
  Eigen::MatrixXd K(3 * nodes, 3 * nodes);
  std::vector<Vec3> x(nodes, Vec3::Zero()), y(nodes);
  for (std::size_t k = 0; k < 3 * nodes; ++k) {
    x[k / 3][Eigen::Index(k % 3)] = 1;
    elastic.multiply(x, y);
    x[k / 3].setZero();
    for (std::size_t n = 0; n < nodes; ++n)
      K.block<3, 1>(Eigen::Index(3 * n), Eigen::Index(k)) = y[n];
  }
  return K;
}

/// Zero eigenvalues, and the smallest other one over the largest.
std::pair<int, double> zero_modes(const Specimen& specimen) {
  const Eigen::VectorXd values = Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(
                                     stiffness_at_rest(specimen), Eigen::EigenvaluesOnly)
                                     .eigenvalues();
  int zero = 0;
  while (zero < values.size() && values[zero] < 1e-12 * values.tail<1>()[0]) ++zero;
  return {zero, values[std::min<Eigen::Index>(zero, values.size() - 1)] / values.tail<1>()[0]};
}

PaperRow modes(bool quick) {
  std::string ours;
  double least = 1;
  bool met = true;
  std::vector<std::string> files = {"scaling/b2.igs", "cube.iges"};
  if (!quick) files.insert(files.end(), {"rocket.iges", "mug_solid.igs"});
  for (const std::string& file : files)
    for (const auto connect : {Settings::Connect::none, Settings::Connect::stitch}) {
      const Specimen specimen(model_or(file, quadratic(nurbs_beam({5, 1, 1}, 2))),
                              elastic_material(1, 0.3), {.connect = connect});
      const auto [zero, next] = zero_modes(specimen);
      ours += fmt::format("{}{}", ours.empty() ? "" : " ", zero);
      least = std::min(least, next);
      met = met && zero == 6;
    }
  return {.expected = "6 each",
          .ours = ours,
          .met = met,
          .remark = fmt::format("zero modes, faces unconnected and stitched in turns; the seventh "
                                "is at least {:.0e} of the largest",
                                least)};
}

PaperRow volumes(bool) {
  using namespace nurbs::paper;
  std::string ours;
  bool met = true;
  struct Case {
    std::string name;
    std::vector<NurbsPatch> patches;
    double exact, at_10, at_20;
  };
  std::vector<Case> cases = {{"sphere", nurbs_sphere(1), 4.0 / 3 * std::numbers::pi, 0.05, 0.0035},
                             {"beam", nurbs_beam({5, 1, 1}, 5), 5, 1e-9, 1e-9}};
  if (auto cube = paper_model("rounded_cube.iges"))
    cases.push_back({"rounded cube", std::move(*cube), 1.17697114, 0.05, 0.02});
  for (const Case& c : cases) {
    const PartSurface surface(c.patches);
    const RayCaster caster(surface, false);
    const Box box = bounds(surface.drawn.mesh.points);
    const double at_10 = cast_grid(caster, box, 0, 10, 10, 5).total / c.exact - 1;
    const double at_20 = cast_grid(caster, box, 0, 20, 20, 5).total / c.exact - 1;
    ours += fmt::format("{}{} {:.2f} {:.2f} %", ours.empty() ? "" : ", ", c.name, 100 * at_10,
                        100 * at_20);
    met = met && std::abs(at_10) <= c.at_10 && std::abs(at_20) <= c.at_20;
  }
  return {.expected = "< 5 %, < 2 %",
          .ours = ours,
          .met = met,
          .remark = "error of the volume by 10 x 10 and by 20 x 20 rays; a box is exact"};
}

PaperRow models(bool quick) {
  struct Case {
    const char* file;
    double volume;  // [m^3] of the prototype, in units of the file
  };
  std::vector<Case> cases = {{"scaling/b3.igs", 5},           {"rocket.iges", 3.14e4},
                             {"mug_trimmed.iges", 0.308},     {"mug_solid.igs", 3.08e5},
                             {"mug_intersect_2.igs", 3.21e5}, {"tire.iges", 19.96},
                             {"castle_simple.iges", 1.03e5},  {"lamppost.iges", 4.01}};
  if (quick) cases.resize(5);
  std::string expected, ours;
  bool met = true;
  for (const Case& c : cases) {
    const auto patches = paper_model(c.file);
    if (!patches) return skipped(c.file);
    const double found = Specimen(*patches, paper_rubber(), {}).method().elastic().volume();
    expected += fmt::format("{}{:.4g}", expected.empty() ? "" : " ", c.volume);
    ours += fmt::format("{}{:.4g}", ours.empty() ? "" : " ", found);
    met = met && std::abs(found / c.volume - 1) < 0.1;
  }
  return {.expected = expected,
          .ours = ours,
          .met = met,
          .remark =
              "volume of whole models by rays, with gaps, overlaps, openings and faces that "
              "look the wrong way (10 %, as far as axes agree)"};
}

/// Of the elastic stiffness, the error energy left out.
double filled(const Specimen& specimen) {
  const int nodes = int(specimen.rest.size());
  const galerkin::Points& points = specimen.points();
  const galerkin::Graph graph(points, galerkin::Incidence(points, nodes), nodes);
  return double(graph.neighbour.size()) / (double(nodes) * nodes);
}

PaperRow sparsity(bool) {
  // Beams of n sections, control points apart: blended over a length that does not grow with it.
  std::string ours;
  std::vector<double> share;
  for (const int sections : {5, 10, 20}) {
    const Specimen beam(quadratic(nurbs_beam({double(sections), 1, 1}, sections)), paper_rubber(),
                        as_printed(0.51, {3, 3, 5.0 * sections}));
    share.push_back(filled(beam));
    ours += fmt::format("{}{:.1f}", ours.empty() ? "" : " ", 100 * share.back());
  }
  const bool falls = share[1] < 0.62 * share[0] && share[2] < 0.62 * share[1];
  bool met = falls;
  struct Case {
    const char* file;
    double cutoff;
    Vec3 rays;
    double paper;
  };
  std::string models;
  for (const Case& c :
       {Case{"beam_cmp3.iges", 0.51, {3, 3, 15}, 46.9}, Case{"rocket.iges", 10, {9, 15, 5}, 100}}) {
    const auto patches = paper_model(c.file);
    if (!patches) continue;
    const double found =
        100 * filled(Specimen(*patches, paper_rubber(), as_printed(c.cutoff, c.rays)));
    models += fmt::format("; {:.1f}", found);
    met = met && std::abs(found - c.paper) < 10;
  }
  return {.expected = "falls as 1/n" + std::string(models.empty() ? "" : "; 46.9; 100"),
          .ours = ours + models,
          .met = met,
          .remark =
              "per cent of the stiffness matrix that are not zero: beams of 5, 10, 20 "
              "sections; then beam and rocket beside the paper's Table 1 (10 points; its tyre has "
              "92.5, ours 77)"};
}

// --- statics ---

/// The cantilever of Figs. 10 and 11: how far below its bottom at rest the surface comes.
struct Sag {
  double low = 0;
  bool converged = false;
};

constexpr int weight_steps = 8;

Sag sag(const std::vector<NurbsPatch>& patches, const Settings& settings, bool hold_plane = false) {
  Specimen beam(patches, paper_rubber(), settings, {}, galerkin::Law::Kind::square_neo_hookean);
  const double wall = bounds(beam.rest).low.x() + 1e-6;
  const auto at_wall = [&](const Vec3& p) { return p.x() < wall; };
  if (hold_plane) beam.hold(at_wall);
  else beam.hold_patches(at_wall);
  const double bottom = beam.box().low.z();
  // In steps: all at once Newton's method would leap far beyond, and turn points inside out.
  StaticReport found;
  for (int step = 0; step < weight_steps; ++step) {
    beam.weigh({0, 0, -10.0 / weight_steps}, 1000);
    found = beam.settle();
  }
  return {beam.box().low.z() - bottom, found.converged};
}

PaperRow deflection(bool quick) {
  const std::vector<double> golden = {-3.195, -3.828, -4.028, -4.134, -4.185, -4.362, -4.402};
  std::string expected, ours;
  bool met = true;
  for (int b = 1; b <= (quick ? 3 : 7); ++b) {
    const std::string file = fmt::format("scaling/b{}.igs", b);
    const auto patches = paper_model(file);
    if (!patches) return skipped(file);
    const Sag found = sag(*patches, as_printed(0.501, {3, 3, 50}));
    expected += fmt::format("{}{:.3f}", b > 1 ? " " : "", golden[b - 1]);
    ours += fmt::format("{}{:.3f}", b > 1 ? " " : "", found.low);
    met = met && found.converged && std::abs(found.low / golden[b - 1] - 1) < 0.02;
  }
  return {.expected = expected,
          .ours = ours,
          .met = met,
          .remark =
              "lowest z [m] of the cantilevers b1, b2, ... at rest (2 %): faces unconnected, "
              "gamma = E, cut-off 0.501, 3 x 3 rays x 50, control points of the end cap held; "
              "finite elements -3.869"};
}

PaperRow variants(bool) {
  const auto patches = paper_model("scaling/b3.igs");
  if (!patches) return skipped("scaling/b3.igs");
  const Settings plain = as_printed(0.501, {3, 3, 50});
  struct Case {
    double golden;
    Settings settings;
    bool hold_plane = false;
  };
  std::vector<Case> cases;
  const auto add = [&](double golden, const auto& change, bool hold_plane = false) {
    cases.push_back({golden, plain, hold_plane});
    change(cases.back().settings);
  };
  add(-2.942, [](Settings& s) { s.stability = 10; });
  add(-5.001, [](Settings& s) { s.stability = 0.1; });
  add(-3.899, [](Settings& s) { s.order = 1; });
  add(-4.028, [](Settings& s) { s.metric = Settings::Metric::parameter; });
  add(-3.920, [](Settings& s) { s.origins = Settings::Origins::lightest; });
  add(
      -3.593, [](Settings&) {}, true);
  add(
      -3.397, [](Settings& s) { s.connect = Settings::Connect::weld; }, true);
  std::string expected, ours;
  bool met = true;
  for (const Case& c : cases) {
    const Sag found = sag(*patches, c.settings, c.hold_plane);
    expected += fmt::format("{}{:.3f}", expected.empty() ? "" : " ", c.golden);
    ours += fmt::format("{}{:.3f}", ours.empty() ? "" : " ", found.low);
    met = met && found.converged && std::abs(found.low / c.golden - 1) < 0.02;
  }
  return {.expected = expected,
          .ours = ours,
          .met = met,
          .remark =
              "b3 as in S-paper-deflection (-4.028) with gamma 10 E, E / 10, linear "
              "polynomials, parameter metric, lightest origins, the whole plane held, and "
              "that welded (2 %)"};
}

/// Uniaxial stretch: apparent over true Young's modulus. Control points of both end planes are
/// moved along x, all else is free.
double stretched(const std::vector<NurbsPatch>& patches, const Settings& settings) {
  const Specimen bar(patches, elastic_material(1, 0.45), settings);
  const Eigen::MatrixXd K = stiffness_at_rest(bar);
  const Box box = bounds(bar.rest);
  std::vector<int> free;
  Eigen::VectorXd u = Eigen::VectorXd::Zero(K.rows());
  for (int n = 0; n < int(bar.rest.size()); ++n) {
    const double x = bar.rest[n].x();
    const bool is_end = x < box.low.x() + 1e-6 || x > box.high.x() - 1e-6;
    if (is_end) u[3 * n] = x;
    else free.push_back(3 * n);
    free.insert(free.end(), {3 * n + 1, 3 * n + 2});
  }
  const Eigen::VectorXd right = -(K * u)(free);
  Eigen::MatrixXd inner = K(free, free);
  inner.diagonal().array() += 1e-10 * inner.diagonal().mean();  // keeps what may slide sideways
  const Eigen::VectorXd solved = inner.ldlt().solve(right);
  u(free) = solved;
  return u.dot(K * u) / box.extent().prod();
}

PaperRow seams(bool) {
  const auto beam = paper_model("scaling/b2.igs");
  if (!beam) return skipped("scaling/b2.igs");
  const std::vector<NurbsPatch> cube = quadratic(nurbs_box({1, 1, 1}));
  struct Case {
    const std::vector<NurbsPatch>& patches;
    int order;
    Settings::Connect connect;
    double golden;
  };
  const auto none = Settings::Connect::none, weld = Settings::Connect::weld;
  std::string expected, ours;
  bool met = true;
  for (const Case& c :
       {Case{cube, 1, none, 1}, Case{cube, 2, none, 0.931}, Case{*beam, 1, none, 0.763},
        Case{*beam, 2, none, 0.717}, Case{cube, 1, weld, 1}, Case{cube, 2, weld, 0.935},
        Case{*beam, 1, weld, 0.996}, Case{*beam, 2, weld, 0.994}}) {
    // Reference numbers are of "3 to 6 rays" without saying which. With 3 the quadratic beam is not
    // converged (.758; 6: .721, 10: .721), all other numbers are the same.
    Settings settings = as_printed(0.501, {6, 6, &c.patches == &cube ? 6.0 : 50.0});
    settings.order = c.order;
    settings.connect = c.connect;
    const double found = stretched(c.patches, settings);
    expected += fmt::format("{}{:.3f}", expected.empty() ? "" : " ", c.golden);
    ours += fmt::format("{}{:.3f}", ours.empty() ? "" : " ", found);
    met = met && std::abs(found / c.golden - 1) < 0.02;
  }
  return {.expected = expected,
          .ours = ours,
          .met = met,
          .remark =
              "stiffness of a stretched cube and beam of 10 faces over Young's modulus, "
              "polynomials linear and quadratic: apart, then welded (2 %); 6 x 6 rays"};
}

constexpr Experiment all[] = {
    {"S-paper-patch", "affine motion and rotation of whole CAD models (Fig. 9)", patch},
    {"S-paper-modes", "nothing but rigid motion is free", modes},
    {"S-paper-volumes", "volumes by rays (Fig. 7)", volumes},
    {"S-paper-models", "volumes of the authors' models", models},
    {"S-paper-sparsity", "how full the stiffness matrix is (Fig. 8, 13, Table 1)", sparsity},
    {"S-paper-deflection", "cantilevers of 6 to 30 faces (Fig. 10, 11)", deflection},
    {"S-paper-seams", "faces that are not connected make soft joints", seams},
    {"S-paper-variants", "the cantilever with everything chosen otherwise", variants},
};

}  // namespace

std::span<const Experiment> nurbs_paper_rows() { return all; }

}  // namespace pliant
