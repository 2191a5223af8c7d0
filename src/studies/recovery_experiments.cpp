#include "studies/recovery_experiments.h"

#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>

#include "formats/tetgen.h"
#include "geometry/mesh/primitives.h"
#include "geometry/sample/cell_grid.h"
#include "geometry/sample/crazy_block.h"
#include "geometry/sample/tet_block.h"
#include "math/rigid_fit.h"
#include "studies/blocks.h"
#include "studies/recovery.h"

// Bodies in disorder that come back: figs. 6 and 8 and the interactive demo of "A Constraint-based
// Formulation of Stable Neo-Hookean Materials", over many seeds.

namespace pliant {
namespace {

TetMesh of_unit_size(TetMesh mesh) {
  const double size = bounds(mesh.points).extent().maxCoeff();
  for (Vec3& p : mesh.points) p /= size;
  return mesh;
}

/// A model that does not come with the program: $PLIANT_MODELS/tets/armadillo_4k.node and .ele.
std::optional<TetMesh> armadillo() {
  const char* folder = std::getenv("PLIANT_MODELS");
  if (!folder) return std::nullopt;
  const std::filesystem::path file = std::filesystem::path(folder) / "tets/armadillo_4k.node";
  if (!std::filesystem::exists(file)) return std::nullopt;
  return of_unit_size(read_tetgen(file));
}
constexpr const char* no_armadillo = "armadillo_4k left out (PLIANT_MODELS has no such file)";

/// A creature of ellipsoids that reach into each other: belly, head, muzzle, ears, arms and legs.
TetMesh creature(double cell) {
  struct Part {
    Vec3 centre, radii;
  };
  constexpr double s = 1;  // mirrored below
  const std::vector<Part> parts = {
      {{0, 0.38, 0}, {0.23, 0.27, 0.19}},           {{0, 0.76, 0.02}, {0.19, 0.18, 0.17}},
      {{0, 0.71, 0.17}, {0.08, 0.07, 0.08}},        {{s * 0.15, 0.91, 0}, {0.07, 0.08, 0.05}},
      {{-s * 0.15, 0.91, 0}, {0.07, 0.08, 0.05}},   {{s * 0.26, 0.5, 0.05}, {0.14, 0.07, 0.07}},
      {{-s * 0.26, 0.5, 0.05}, {0.14, 0.07, 0.07}}, {{s * 0.14, 0.12, 0.09}, {0.09, 0.12, 0.15}},
      {{-s * 0.14, 0.12, 0.09}, {0.09, 0.12, 0.15}}};
  TriangleMesh surface;
  for (const Part& part : parts) {
    const TriangleMesh ball = sphere_mesh(1, 0.25);
    const int first = int(surface.points.size());
    for (const Vec3& p : ball.points)
      surface.points.push_back(part.centre + part.radii.cwiseProduct(p));
    for (const Triangle& t : ball.triangles)
      surface.triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
  }
  return of_unit_size(fill_with_cells(surface, cell).tets);
}

struct Count {
  int good = 0, all = 0;
  double slowest = 0;

  void add(const RecoveryResult& result) {
    good += result.recovered;
    ++all;
    slowest = std::max(slowest, result.time);
  }
};

constexpr Scramble all_scrambles[] = {Scramble::plane, Scramble::space, Scramble::line,
                                      Scramble::point};

/// Every way of scrambling, nu from 0.3 to 0.5: how often the body comes back.
PaperRow all_seeds(bool quick) {
  std::vector<TetMesh> meshes = {
      tet_block({quick ? 6 : 10, quick ? 6 : 10, quick ? 6 : 10}, Vec3::Ones())};
  const std::optional<TetMesh> animal = armadillo();
  if (animal && !quick) meshes.push_back(*animal);
  Count thrown, collapsed, inverted, without;
  for (const TetMesh& mesh : meshes)
    for (const double poisson : {0.3, 0.45, 0.49, 0.5})
      for (int seed = 0; seed < (quick ? 1 : 20); ++seed) {
        RecoveryTrial trial{.seed = seed, .poisson = poisson};
        for (const Scramble kind : all_scrambles) {
          const bool is_collapse = kind == Scramble::line || kind == Scramble::point;
          if (is_collapse && seed >= 3) continue;
          trial.scramble = kind;
          (is_collapse ? collapsed : thrown).add(recover(mesh, trial));
        }
        if (seed >= 5) continue;
        trial.scramble = std::nullopt;
        inverted.add(recover(mesh, trial));
        if (seed >= 2) continue;
        trial.scramble = Scramble::plane;
        trial.recovery = false;
        trial.most_time = 4;
        without.add(recover(mesh, trial));
      }
  const bool met =
      thrown.good == thrown.all && collapsed.good == collapsed.all && inverted.good == inverted.all;
  return {.expected = "always",
          .ours = fmt::format("{} of {}", thrown.good + collapsed.good + inverted.good,
                              thrown.all + collapsed.all + inverted.all),
          .met = met,
          .remark = fmt::format(
              "nu .3 .45 .49 .5: plane and space {} of {} (slowest {:.1f} s), line and point {} of "
              "{}, a fifth inverted {} of {}; without \"recovery\" plane {} of {}; cube{}",
              thrown.good, thrown.all, thrown.slowest, collapsed.good, collapsed.all, inverted.good,
              inverted.all, without.good, without.all,
              quick    ? " of 6^3 cells"
              : animal ? " of 10^3 cells and armadillo_4k"
                       : std::string(" of 10^3 cells; ") + no_armadillo)};
}

std::string shape_of(const RecoveryResult& r) {
  return fmt::format("rms {:.0e}, {} inverted", r.shape_error, r.inverted);
}

/// Fig. 6: the worst mesh there is, all nodes thrown into a plane, incompressible.
PaperRow crazy_cube(bool quick) {
  const TetMesh mesh = crazy_block(quick ? 8 : 20, 1);
  const TetQuality q = quality(mesh);
  Count count;
  RecoveryResult last;
  for (int seed = 0; seed < (quick ? 1 : 3); ++seed) {
    last = recover(mesh, {.seed = seed, .young = 1e5, .poisson = 0.5, .damping = 10});
    count.add(last);
  }
  return {.expected = "back within 3 s",
          .ours = fmt::format("{} of {}, {:.1f} s, {}", count.good, count.all, count.slowest,
                              shape_of(last)),
          .met = count.good == count.all && count.slowest < 3,
          .remark = fmt::format("{} tets, least angle {:.2f} degrees, edges {:.0f}:1, nu = 0.5, "
                                "thrown into a plane, \"recovery\"",
                                mesh.tets.size(), q.least_angle, q.edge_ratio)};
}

/// Fig. 8: a creature unfolds from a plane.
PaperRow organic(bool quick) {
  std::vector<TetMesh> meshes = {creature(quick ? 0.06 : 0.035)};
  const std::optional<TetMesh> animal = armadillo();
  if (animal) meshes.push_back(*animal);
  Count count;
  RecoveryResult last;
  std::string sizes;
  for (const TetMesh& mesh : meshes) {
    sizes += fmt::format("{}{}", sizes.empty() ? "" : " and ", mesh.tets.size());
    for (int seed = 0; seed < (quick ? 1 : 3); ++seed) {
      last = recover(mesh, {.seed = seed, .young = 1e5, .poisson = 0.5, .damping = 10});
      count.add(last);
    }
  }
  return {.expected = "unfolds",
          .ours = fmt::format("{} of {}, {:.1f} s, {}", count.good, count.all, count.slowest,
                              shape_of(last)),
          .met = count.good == count.all,
          .remark = fmt::format("{} tets, nu = 0.5, thrown into a plane, \"recovery\"{}{}", sizes,
                                animal ? "" : "; ", animal ? "" : no_armadillo)};
}

/// The demo's button: plates squash the body until they meet, wait, and are gone.
PaperRow squashed(bool quick) {
  const int n = quick ? 6 : 12;
  std::string ours;
  bool met = true;
  for (const double poisson : {0.45, 0.5}) {
    World world = block_world(
        {.cells = {n, n, n}, .young = 1e5, .poisson = poisson, .damping = 5, .recovery = true});
    Body& body = world.bodies[0];
    const std::vector<Vec3> rest = body.nodes.position;
    const std::vector<int> below = nodes_at(world, 1, 0), above = nodes_at(world, 1, 1);
    for (const bool top : {false, true}) {
      Handle& plate = hold(world, top ? above : below);
      plate.motion.keys = {{0, Vec3::Zero(), Quat::Identity()},
                           {0.5, Vec3(0, top ? -0.5 : 0.5, 0), Quat::Identity()}};
      plate.release = 1;
    }
    play(world, 55);
    const int worst = body.method->measure(body.nodes).inverted;
    play(world, quick ? 180 : 240);
    const Measures m = body.method->measure(body.nodes);
    const double error = shape_distance(rest, body.nodes.position, body.nodes.mass);
    met = met && m.inverted == 0 && error < 1e-2;
    ours += fmt::format("{}{} inverted, then {}, rms {:.0e}", ours.empty() ? "" : "; ", worst,
                        m.inverted, error);
  }
  return {.expected = "recovers when let go",
          .ours = ours,
          .met = met,
          .remark =
              "nu = 0.45; 0.5: top and bottom face pressed into one plane, held 0.5 s, let go; "
              "\"recovery\""};
}

constexpr Experiment all[] = {
    {"C-5", "fig. 6: crazy cube scrambled into a plane", crazy_cube},
    {"C-7", "fig. 8: an organic body unfolds", organic},
    {"C-9", "demo: squashed into a plane by plates", squashed},
    {"C-recovery", "scrambled, collapsed and inverted bodies, over seeds", all_seeds},
};

}  // namespace

std::span<const Experiment> recovery_experiments() { return all; }

}  // namespace pliant
