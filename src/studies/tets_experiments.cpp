#include "studies/tets_experiments.h"

#include <chrono>
#include <fmt/format.h>
#include <numbers>

#include "geometry/sample/tet_block.h"
#include "math/rigid_fit.h"
#include "studies/blocks.h"
#include "studies/tet_equilibrium.h"

// The experiments of "A Constraint-based Formulation of Stable Neo-Hookean Materials" (Macklin and
// Mueller 2021), by their numbers in our notes. Where the paper gives a number, that is "expected";
// where it shows a picture, what the picture means.

namespace pliant {
namespace {

double seconds_of(const auto& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

Measures measures(const World& world) {
  return world.bodies[0].method->measure(world.bodies[0].nodes);
}

double volume_ratio(const World& world) {
  const Measures m = measures(world);
  return m.volume / m.rest_volume;
}

/// A unit cube whose faces at x = 0 and x = 1 are held; returns the handle of the second.
Handle& clamp_ends(World& world) {
  hold(world, nodes_at(world, 0, 0));
  return hold(world, nodes_at(world, 0, 1));
}

struct Hung {
  double stretch = 1, volume = 1;
};

/// A block 1 m high, clamped at the top, its bottom pulled down by `traction` [Pa].
Hung hang(tets::Law law, double traction, bool quick) {
  const int n = quick ? 3 : 6;
  World world = block_world({.cells = {n, 2 * n, n},
                             .size = {0.5, 1, 0.5},
                             .young = 1e5,
                             .poisson = 0.49,
                             .damping = 8,
                             .law = law});
  hold(world, nodes_at(world, 1, 1));
  const std::vector<int> bottom = nodes_at(world, 1, 0);
  pull_face(world, 1, 0, {0, -traction, 0});
  play(world, quick ? 150 : 240);
  double down = 0;
  for (const int node : bottom) down -= world.bodies[0].nodes.position[node].y();
  return {1 + down / double(bottom.size()), volume_ratio(world)};
}

/// s (s^2 - 1) / 2 = T / E, solved for s: the Hookean bar.
double hookean_stretch(double load) {
  double s = 1;
  for (int i = 0; i < 50; ++i) s -= (0.5 * s * (s * s - 1) - load) / (1.5 * s * s - 0.5);
  return s;
}

/// Fig. 2: a block hung up with weights of 1, 2, 4, 8 on it. Rubber stretches and keeps its volume;
/// Green's strain stiffens and loses it.
PaperRow hung_block(bool quick) {
  const double young = 1e5, unit = 0.08;  // of E
  std::string rubber, hooke;
  double rubber_volume = 0, worst_stretch = 0, last = 1;
  bool loses = true;
  for (const double times : {1.0, 2.0, 4.0, 8.0}) {
    const Hung r = hang(tets::Law::neo_hookean, times * unit * young, quick);
    const Hung h = hang(tets::Law::hookean, times * unit * young, quick);
    rubber += fmt::format("{}{:.2f}", rubber.empty() ? "" : " ", r.stretch);
    hooke += fmt::format("{}{:.2f} ({:.3f})", hooke.empty() ? "" : " ", h.stretch, h.volume);
    rubber_volume = std::max(rubber_volume, std::abs(r.volume - 1));
    loses = loses && h.volume < last;
    last = h.volume;
    worst_stretch =
        std::max(worst_stretch, std::abs(h.stretch / hookean_stretch(times * unit) - 1));
  }
  return {
      .expected = "rubber keeps its volume, Hooke does not",
      .ours =
          fmt::format("V within {:.1f} %; Hooke {:+.0f} %", 100 * rubber_volume, 100 * (last - 1)),
      .met = rubber_volume < 0.02 && loses && last < 0.9 && worst_stretch < 0.05,
      .remark = fmt::format("nu = 0.49, traction 0.08 E times 1, 2, 4, 8: stretch of rubber {}; "
                            "of Hooke (volume) {}, off the closed form of a free bar by {:.1f} %",
                            rubber, hooke, 100 * worst_stretch)};
}

/// Fig. 3: the shape energy shifted by 3 mu / 2, along F = diag(s, 1, 1).
PaperRow curves(bool) {
  const NeoHookean law = NeoHookean::from(1, 0.3);
  double worst = 0;
  for (double s = 0; s <= 2.0001; s += 0.05) {
    const Mat3 F = Vec3(s, 1, 1).asDiagonal();
    // Everything but the volume term: mu/2 F:F. Its slope is mu s, linear, and it is never
    // negative.
    const double shape = 0.5 * law.mu * F.squaredNorm();
    worst = std::max(worst, -shape);
    const double volume_part = (s - law.gamma) / law.lambda_inverse;
    worst = std::max(worst, std::abs(law.stress(F)(0, 0) - (law.mu * s + volume_part)));
  }
  return {.expected = "linear slope, never negative",
          .ours = fmt::format("off by {:.0e}", worst),
          .met = worst < 1e-12,
          .remark = "shape energy along diag(s, 1, 1), s = 0 .. 2"};
}

struct TableRow {
  double poisson, paper;
};
constexpr TableRow table1[] = {
    {0.41, 1.25}, {0.45, 1.13}, {0.49, 1.02}, {0.495, 1.01}, {0.4995, 1.001}};

/// Fig. 4, table 1: a clamped cube pulled to 2.3 times its length. Less sensitive to nu than
/// Newton, same volume.
PaperRow stretched_cube(bool quick) {
  const int n = quick ? 4 : 8;
  const double stretch = 2.3;
  std::string paper, ours;
  double worst = 0, slowest = 0, fastest = 1e9;
  int newton_low = 1000, newton_high = 0;
  for (const TableRow& row : table1) {
    World world = block_world(
        {.cells = {n, n, n}, .young = 1e5, .poisson = row.poisson, .damping = 10, .substeps = 64});
    Handle& end = clamp_ends(world);
    end.motion.keys = {{0, Vec3::Zero(), Quat::Identity()},
                       {0.5, Vec3(stretch - 1, 0, 0), Quat::Identity()}};
    const double taken = seconds_of([&] { play(world, 150); });
    slowest = std::max(slowest, taken);
    fastest = std::min(fastest, taken);

    const TetMesh mesh = tet_block({n, n, n}, Vec3::Ones());
    std::vector<char> held;
    std::vector<Vec3> p = mesh.points;
    for (Vec3& x : p) {
      held.push_back(x.x() == 0 || x.x() == 1);
      x.x() *= stretch;
    }
    TetEnergy energy(mesh, NeoHookean::from(1e5, row.poisson), held);
    const NewtonReport report = find_equilibrium(energy, p, {.most_iterations = 200, .step = 1e-7});
    newton_low = std::min(newton_low, report.iterations);
    newton_high = std::max(newton_high, report.iterations);
    const double exact = volume(TetMesh{p, mesh.tets}) / volume(mesh);
    worst = std::max(worst, std::abs(volume_ratio(world) / exact - 1));
    paper += fmt::format("{}{:.4g}", paper.empty() ? "" : " ", row.paper);
    ours += fmt::format("{}{:.4f}", ours.empty() ? "" : " ", volume_ratio(world));
  }
  return {
      .expected = paper,
      .ours = ours,
      .met = worst < 0.005,
      .remark = fmt::format("volume at nu .41 .45 .49 .495 .4995 (the paper does not state its "
                            "stretch); worst against Newton {:.2f} %; "
                            "our time varies by {:.0f} %, Newton takes {} to {} iterations",
                            100 * worst, 100 * (slowest / fastest - 1), newton_low, newton_high)};
}

/// Fig. 5: a cube twisted by 90 degrees at once, twice; the interior starts where it was.
PaperRow twisted_cube(bool quick) {
  const int n = quick ? 8 : 15;
  World world = block_world({.cells = {n, n, n},
                             .young = 1e5,
                             .poisson = 0.49,
                             .damping = 20,
                             .substeps = 10,
                             .displacement_cap = 0});
  Handle& end = clamp_ends(world);
  end.motion.pivot = {1, 0.5, 0.5};
  std::string ours;
  bool met = true;
  for (const double turns : {0.25, 0.5}) {
    end.motion.keys = {
        {0, Vec3::Zero(), Quat(Eigen::AngleAxisd(2 * std::numbers::pi * turns, Vec3::UnitX()))}};
    play(world, 40);  // 400 sweeps
    const Measures m = measures(world);
    double speed = 0;
    for (const Vec3& v : world.bodies[0].nodes.velocity) speed = std::max(speed, v.norm());
    const double motion = speed / 600 * n;  // cells per sweep
    met = met && m.inverted == 0 && motion < 2.5e-2;
    ours += fmt::format("{}{:.0e} cells, {} inverted, V {:.3f}", ours.empty() ? "" : "; ", motion,
                        m.inverted, m.volume / m.rest_volume);
  }
  return {.expected = "right shape after 400 sweeps a turn",
          .ours = ours,
          .met = met,
          .remark =
              "motion per sweep after 400 sweeps, each turn; asked for: below 0.025 cells, none "
              "inverted. No "
              "cap, damping 20 (with 8 up to 20 of 16 875 tets stay inverted, depending on their "
              "order)"};
}

struct PulledAndPushed {
  double gain = 0, pushed = 0, back = 0;  // volume ratios minus one
  double least_J = 0, shape_error = 0;    // at the end
};

PulledAndPushed pull_and_push(int n, bool crazy) {
  World world = block_world({.cells = {n, n, n},
                             .young = 1e5,
                             .poisson = 0.5,
                             .damping = 10,
                             .substeps = 40,
                             .recovery = true,
                             .crazy = crazy});
  const Nodes& nodes = world.bodies[0].nodes;
  const std::vector<Vec3> rest = nodes.position;
  Handle& end = clamp_ends(world);
  end.motion.keys = {{0, Vec3::Zero(), Quat::Identity()},
                     {3, Vec3(3.5, 0, 0), Quat::Identity()},
                     {4, Vec3(3.5, 0, 0), Quat::Identity()},
                     {8, Vec3(-2.0 / 3, 0, 0), Quat::Identity()},
                     {11, Vec3::Zero(), Quat::Identity()}};
  PulledAndPushed result;
  play(world, 240);
  result.gain = volume_ratio(world) - 1;
  play(world, 240);
  result.pushed = volume_ratio(world) - 1;
  play(world, 240);
  result.back = volume_ratio(world) - 1;
  result.least_J = measures(world).min_J;
  result.shape_error = shape_distance(rest, nodes.position, nodes.mass);
  return result;
}

/// Fig. 7: pulled to 4.5 times, pushed to a third, and back.
PaperRow pulled_and_pushed(bool quick) {
  std::string ours, remark;
  bool met = true;
  for (const bool crazy : {false, true}) {
    const PulledAndPushed r = pull_and_push(quick ? 8 : 10, crazy);
    met =
        met && r.gain < 0.03 && std::abs(r.back) < 1e-3 && r.least_J > 0.95 && r.shape_error < 1e-3;
    ours +=
        fmt::format("{}{:+.1f} %, back {:.4f}", crazy ? "; crazy " : "", 100 * r.gain, 1 + r.back);
    remark += fmt::format("; {} pushed {:+.0f} %, back with least J {:.3f}, rms {:.0e}",
                          crazy ? "crazy" : "regular", 100 * r.pushed, r.least_J, r.shape_error);
  }
  return {.expected = "volume gain < 3 % at 4.5x",
          .ours = ours,
          .met = met,
          .remark =
              "nu = 0.5, clamped ends, 40 substeps, \"recovery\" (pushed to a third, tets fold "
              "at the clamps and the body gives way in volume until it is let out)" +
              remark};
}

/// Fig. 1: 80 000 tets with an animated core.
PaperRow animated_core(bool quick) {
  const int n = quick ? 10 : 25;  // 25^3 cells x 5 = 78 125 tets
  World world =
      block_world({.cells = {n, n, n}, .young = 1e5, .poisson = 0.5, .damping = 2, .substeps = 20});
  std::vector<int> core;
  const std::vector<Vec3>& p = world.bodies[0].nodes.position;
  for (int i = 0; i < int(p.size()); ++i)
    if ((p[i] - Vec3(0.5, 0.5, 0.5)).head<2>().norm() < 0.15) core.push_back(i);
  Handle& bone = hold(world, core);
  bone.motion.pivot = {0.5, 0.5, 0.5};
  bone.motion.spin = Motion::Spin{.axis = Vec3::UnitZ(), .rate = 2, .start = 0, .end = 0.5};
  const int frames = quick ? 10 : 20;
  const double taken = seconds_of([&] { play(world, frames); });
  const Measures m = measures(world);
  return {.expected = "8 ms a frame on a GPU",
          .ours = fmt::format("{:.0f} ms, {} tets, V {:.4f}", 1e3 * taken / frames, m.elements,
                              m.volume / m.rest_volume),
          .met = std::abs(m.volume / m.rest_volume - 1) < 0.02 && m.inverted == 0,
          .remark = "nu = 0.5, 20 substeps, this machine's threads; no self-contact yet"};
}

constexpr Experiment all[] = {
    {"C-1", "fig. 2: hung block under loads of 1, 2, 4, 8", hung_block},
    {"C-2", "fig. 3: shape energy along one stretch", curves},
    {"C-3", "fig. 4, table 1: clamped cube stretched 2.3 times", stretched_cube},
    {"C-4", "fig. 5: cube twisted by two quarter turns", twisted_cube},
    {"C-6", "fig. 7: pulled to 4.5 times, pushed to a third", pulled_and_pushed},
    {"C-8", "fig. 1: 80k tets around an animated core", animated_core},
};

}  // namespace

std::span<const Experiment> tets_paper_experiments() { return all; }

}  // namespace pliant
