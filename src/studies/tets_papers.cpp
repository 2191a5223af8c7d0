#include "studies/tets_papers.h"

#include <fmt/format.h>

#include "studies/blocks.h"

// Closed forms and reference solutions for the constraint-based stable Neo-Hookean material on
// tets.

namespace pliant {
namespace {

/// A cube pulled by traction T on two opposite faces, sides free: J = 1 + (1-2nu)(1-1/s), T = mu (s
/// - J/s^2).
PaperRow uniaxial(bool) {
  const double young = 1e5, traction = 0.5 * young;
  double worst = 0;
  std::string ours;
  for (const auto& [poisson, stretch] : {std::pair(0.0, 1.558980), std::pair(0.3, 1.702113),
                                         std::pair(0.45, 1.779594), std::pair(0.5, 1.806444)}) {
    World world = block_world({.young = young, .poisson = poisson, .damping = 15, .substeps = 100});
    pull_apart(world, traction);
    play(world, 240);
    const Box box = bounds(world.bodies[0].nodes.position);
    worst = std::max(worst, std::abs(box.extent().x() / stretch - 1));
    ours += fmt::format("{}{:.5f}", ours.empty() ? "" : " ", box.extent().x());
  }
  return {.expected = "1.55898 1.70211 1.77959 1.80644",
          .ours = ours,
          .met = worst <= 1e-3,
          .remark = fmt::format("stretch at nu 0, .3, .45, .5; worst error {:.1e}", worst)};
}

/// 0.8 x 0.2 x 0.2 m, 8 x 2 x 2 cells, bent by its own weight; reference: minimum of the same
/// energy.
PaperRow cantilever(bool quick) {
  double worst = 0;
  std::string ours;
  for (const auto& [poisson, tip] : {std::pair(0.3, -0.408319), std::pair(0.45, -0.372188),
                                     std::pair(0.49, -0.327059), std::pair(0.499, -0.295893)}) {
    World world = block_world({.cells = {8, 2, 2},
                               .size = {0.8, 0.2, 0.2},
                               .young = 2e5,
                               .poisson = poisson,
                               .damping = 20});
    world.gravity = {0, -9.81, 0};
    hold(world, nodes_at(world, 0, 0));
    const int corner = 8;  // x fastest: node (8, 0, 0)
    const double start = world.bodies[0].nodes.position[corner].y();
    play(world, quick ? 300 : 900);
    const double deflection = world.bodies[0].nodes.position[corner].y() - start;
    worst = std::max(worst, std::abs(deflection / tip - 1));
    ours += fmt::format("{}{:.4f}", ours.empty() ? "" : " ", deflection);
  }
  return {.expected = "-0.4083 -0.3722 -0.3271 -0.2959",
          .ours = ours,
          .met = worst <= 0.01,
          .remark = fmt::format("tip [m] at nu .3 .45 .49 .499, 20 substeps; worst error {:.2f} %",
                                100 * worst)};
}

/// A free block spins down as omega0 / sqrt(1 + 2 omega0^2 h t): the law of the velocity update,
/// not of damping.
PaperRow spin(bool) {
  World world = block_world({.cells = {2, 2, 2}, .young = 1e6, .substeps = 10});
  Nodes& nodes = world.bodies[0].nodes;
  const Vec3 centre = centre_of_mass(nodes), omega(0, 10, 0);
  for (int i = 0; i < nodes.size(); ++i)
    nodes.velocity[i] = omega.cross(nodes.position[i] - centre);
  const double before = (angular_momentum(nodes) - centre.cross(momentum(nodes))).y();
  play(world, 120);
  const double after = (angular_momentum(nodes) - centre_of_mass(nodes).cross(momentum(nodes))).y();
  const double ratio = after / before;
  return {.expected = "0.7746",
          .ours = fmt::format("{:.4f}", ratio),
          .met = std::abs(ratio - 0.7746) < 0.01,
          .remark = "angular momentum left after 2 s at 10 rad/s, h = 1/600 s"};
}

double rest_drift(tets::Kernel kernel, double young, double poisson) {
  World world = block_world(
      {.cells = {3, 3, 3}, .young = young, .poisson = poisson, .substeps = 20, .kernel = kernel});
  const std::vector<Vec3> before = world.bodies[0].nodes.position;
  play(world, 50);
  double worst = 0;
  for (std::size_t i = 0; i < before.size(); ++i)
    worst = std::max(worst, (world.bodies[0].nodes.position[i] - before[i]).norm());
  return worst;
}

/// Nothing pulls, nothing moves: for soft and for absurdly stiff bodies. The law is tested in
/// double; floats round.
PaperRow rest(bool) {
  double plain = 0, soft = 0, stiff = 0;
  for (const double young : {1e3, 1e5, 1e7, 1e9})
    for (const double poisson : {0.0, 0.45, 0.5}) {
      plain = std::max(plain, rest_drift(tets::Kernel::plain, young, poisson));
      double& wide = young < 1e6 ? soft : stiff;
      wide = std::max(wide, rest_drift(tets::Kernel::automatic, young, poisson));
    }
  return {.expected = "< 1e-10",
          .ours = fmt::format("{:.1e}", plain),
          .met = plain < 1e-10,
          .remark = fmt::format(
              "farthest drift [m] of a unit cube in 1000 substeps, E 1e3..1e9, nu 0..0.5, plain "
              "kernel; floats of the wide kernels: {:.0e} for E up to 1e5, {:.0e} above",
              soft, stiff)};
}

constexpr Experiment all[] = {
    {"C-uniaxial", "cube under traction 0.5 E against the closed form", uniaxial},
    {"C-cantilever", "bar bent by its weight against the energy minimum", cantilever},
    {"C-spin", "free spin against the law of the time step", spin},
    {"C-rest", "rest state stays at rest", rest},
};

}  // namespace

std::span<const Experiment> tets_experiments() { return all; }

}  // namespace pliant
