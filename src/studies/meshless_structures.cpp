#include <fmt/format.h>
#include <numbers>

#include "geometry/mesh/primitives.h"
#include "geometry/mesh/refine.h"
#include "studies/meshless_papers.h"
#include "studies/rig.h"

// Closed forms and published benchmarks that an engineer would ask for.

namespace pliant {
namespace {

bool left(const Vec3& p) { return p.x() < -0.5 + 1e-9; }
bool right(const Vec3& p) { return p.x() > 0.5 - 1e-9; }

/// 1 x 0.1 x 0.1 m, E = 1 MPa, held at the left.
Rig cantilever(double poisson, double spacing) {
  Rig rig(box_mesh({1, 0.1, 0.1}, 0.05), elastic_material(1e6, poisson), spacing);
  rig.hold(left);
  return rig;
}

/// P L^3 / 3 E I + P L / k G A for 0.5 N.
PaperRow timoshenko(bool quick) {
  double worst = 0;
  std::string ours;
  for (const auto& [poisson, deflection] : {std::pair(0.3, 0.020153), std::pair(0.45, 0.0201695)}) {
    Rig rig = cantilever(poisson, quick ? 0.05 : 0.025);
    rig.load(right, {0, -0.5, 0});
    const double tip = -rig.movement({0.5, 0, 0}, rig.linear()).y();
    worst = std::max(worst, std::abs(tip / deflection - 1));
    ours += fmt::format("{}{:.6f}", ours.empty() ? "" : " ", tip);
  }
  return {.expected = "0.020153 0.020170",
          .ours = ours,
          .met = worst < 0.03,
          .remark = fmt::format("deflection [m] at nu 0.3, 0.45; worst error {:.2f} % of 3 %",
                                100 * worst)};
}

PaperRow frequency(bool quick) {
  double worst = 0;
  std::string ours;
  for (const auto& [poisson, expected] : {std::pair(0.3, 0.506874), std::pair(0.45, 0.506556)}) {
    const double f = cantilever(poisson, quick ? 0.05 : 0.025).lowest_frequency();
    worst = std::max(worst, std::abs(f / expected - 1));
    ours += fmt::format("{}{:.5f}", ours.empty() ? "" : " ", f);
  }
  return {.expected = "0.50687 0.50656",
          .ours = ours,
          .met = worst < 0.03,
          .remark = fmt::format("first frequency [Hz] at nu 0.3, 0.45; worst error {:.2f} % of 3 %",
                                100 * worst)};
}

/// The elastica: P L^2 / E I = 2.
PaperRow elastica(bool quick) {
  Rig rig(box_mesh({1, 0.05, 0.05}, 0.05), elastic_material(1e6, 0.3), quick ? 0.025 : 0.0167);
  rig.hold(left);
  const double inertia = std::pow(0.05, 4) / 12;
  rig.load(right, {0, -2 * 1e6 * inertia, 0});
  const StaticReport report = rig.settle();
  const Vec3 tip = rig.movement({0.5, 0, 0});
  return {.expected = "0.4935 0.1606",
          .ours = fmt::format("{:.4f} {:.4f}", -tip.y(), -tip.x()),
          .met = report.converged && std::abs(-tip.y() / 0.49345748 - 1) < 0.05 &&
                 std::abs(-tip.x() / 0.16064172 - 1) < 0.05,
          .remark = fmt::format("tip of a 20 : 1 beam, down and inwards, 5 %; linear theory says "
                                "0.667; {} Newton iterations",
                                report.iterations)};
}

/// rho g L^2 / 2 E: exact for a corotated bar that is held along its axis only; ours is clamped.
PaperRow hanging_bar(bool quick) {
  Rig rig(box_mesh({0.1, 1, 0.1}, 0.05), elastic_material(1e5, 0.3), quick ? 0.05 : 0.025);
  rig.hold([](const Vec3& p) { return p.y() > 0.5 - 1e-9; });
  rig.weigh({0, -9.81, 0});
  const StaticReport report = rig.settle();
  const double sag = -rig.movement({0, -0.5, 0}).y();
  return {.expected = "0.049050",
          .ours = fmt::format("{:.6f}", sag),
          .met = report.converged && std::abs(sag / 0.04905 - 1) < 0.02,
          .remark =
              "lengthening [m] of a 1 m bar under its weight, 2 %; the top is clamped, which "
              "takes a little"};
}

PaperRow thick_sphere(bool quick) {
  const double edge = quick ? 0.12 : 0.08;
  double worst = 0;
  std::string ours;
  for (const auto& [poisson, inner_move, outer_move] :
       {std::tuple(0.3, 4.0e-3, 1.5e-3), std::tuple(0.45, 4.214286e-3, 1.178571e-3)}) {
    TriangleMesh surface = sphere_mesh(1, edge);
    TriangleMesh hollow = sphere_mesh(0.5, edge);
    // The facets lie a little inside the spheres; put their volumes right.
    const double ball = 4 * std::numbers::pi / 3;
    for (Vec3& p : surface.points) p *= std::cbrt(ball / volume(surface));
    for (Vec3& p : hollow.points) p *= std::cbrt(ball / 8 / volume(hollow));
    const int first = int(surface.points.size());
    surface.points.insert(surface.points.end(), hollow.points.begin(), hollow.points.end());
    for (const Triangle& t : hollow.triangles)
      surface.triangles.push_back({first + t[0], first + t[2], first + t[1]});
    Rig rig(surface, elastic_material(1e5, poisson), edge);
    rig.press([](const Vec3& p) { return p.norm() < 0.75; }, 1e3);
    const std::vector<Vec3> moved = rig.linear(1e-3);
    double inside = 0, outside = 0;
    constexpr int directions = 40;
    for (int i = 0; i < directions; ++i) {  // spread evenly over the sphere
      const double z = 1 - (2 * i + 1.0) / directions, turn = 2.399963 * i;
      const Vec3 d(std::sqrt(1 - z * z) * std::cos(turn), std::sqrt(1 - z * z) * std::sin(turn), z);
      inside += rig.movement(0.5 * d, moved).dot(d) / directions;
      outside += rig.movement(d, moved).dot(d) / directions;
    }
    worst =
        std::max({worst, std::abs(inside / inner_move - 1), std::abs(outside / outer_move - 1)});
    ours += fmt::format("{}{:.3f} {:.3f}", ours.empty() ? "" : ", ", 1e3 * inside, 1e3 * outside);
  }
  return {.expected = "4.000 1.500, 4.214 1.179",
          .ours = ours,
          .met = worst < 0.03,
          .remark = fmt::format("movement [mm] of the inner and outer surface under pressure at nu "
                                "0.3, 0.45; worst error {:.1f} % of 3 %",
                                100 * worst)};
}

/// Cook's membrane: 48 wide, 44 high at the left, 16 at the right, unit thickness, sheared.
PaperRow cook(bool quick) {
  TriangleMesh surface;
  const double x[4] = {0, 48, 48, 0}, y[4] = {0, 44, 60, 44};
  for (const double z : {-0.5, 0.5})
    for (int k = 0; k < 4; ++k) surface.points.emplace_back(x[k], y[k], z);
  surface.triangles = {{0, 2, 1}, {0, 3, 2}, {4, 5, 6}, {4, 6, 7}};
  for (int k = 0; k < 4; ++k) {
    const int next = (k + 1) % 4;
    surface.triangles.push_back({k, next, 4 + next});
    surface.triangles.push_back({k, 4 + next, 4 + k});
  }
  surface = refine_long_edges(surface, 2);
  Rig rig(surface, elastic_material(1, 1.0 / 3, 1), quick ? 1.5 : 1);
  rig.hold([](const Vec3& p) { return p.x() < 1e-9; });
  rig.load([](const Vec3& p) { return p.x() > 48 - 1e-9; }, {0, 1, 0});
  const double tip = rig.movement({48, 52, 0}, rig.linear()).y();
  return {.expected = "23.96",
          .ours = fmt::format("{:.2f}", tip),
          .met = std::abs(tip / 23.96 - 1) < 0.03,
          .remark = fmt::format("middle of the loaded edge, E 1, nu 1/3, load 1; {} particles, 3 %",
                                rig.body.nodes.size())};
}

constexpr Experiment all[] = {
    {"M-timoshenko", "cantilever under a tip load against beam theory", timoshenko},
    {"M-frequency", "first frequency of a cantilever against beam theory", frequency},
    {"M-elastica", "cantilever bent by half its length against the elastica", elastica},
    {"M-hanging", "bar hanging under its weight", hanging_bar},
    {"M-sphere", "thick sphere under pressure against Lame's solution", thick_sphere},
    {"M-cook", "Cook's membrane", cook},
};

}  // namespace

std::span<const Experiment> meshless_structures() { return all; }

}  // namespace pliant
