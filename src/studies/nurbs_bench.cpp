#include "studies/nurbs_bench.h"

#include <algorithm>
#include <fmt/format.h>

#include "core/parallel.h"
#include "studies/cad_bodies.h"
#include "studies/cad_drop.h"
#include "studies/stopwatch.h"
#include "world/world.h"

namespace pliant {
namespace {

/// A scene of the paper's Table 1 and what its step takes there. The models are the nearest that we
/// have.
struct PaperStep {
  const char* name;
  const char* model;
  double young, poisson, density;  // [Pa], [1], [kg/m^3]
  double seconds;                  // of a step in Table 1
};
constexpr PaperStep paper_steps[] = {
    {"beam-756", "beam_cmp3.iges", 1e6, 0.45, 1000, 3.95},
    {"rocket", "rocket.iges", 7e6, 0.40, 1270, 1.26},
    {"tire", "tire.iges", 1e6, 0.47, 2000, 12.8},
    {"chicken", "chicken_simple_closed.iges", 1e4, 0.47, 1270, 10.8},
    {"lamppost", "lamppost.iges", 1e6, 0.40, 3000, 2.22},
    {"mug", "mug_trimmed.iges", 1e4, 0.47, 1000, 11.9},
    {"castle", "castle_simple.iges", 1e5, 0.45, 1270, 8.02}};

constexpr const char* models[] = {"beam_cmp1.iges",
                                  "beam_cmp2.iges",
                                  "beam_cmp3.iges",
                                  "beam_cmp4.iges",
                                  "cube.iges",
                                  "rounded_cube.iges",
                                  "chicken_simple_closed.iges",
                                  "tire.iges",
                                  "lamppost.iges",
                                  "rocket.iges",
                                  "mug_solid.igs",
                                  "mug_trimmed.iges",
                                  "mug_intersect_2.igs",
                                  "castle_simple.iges"};

void add_making(const BenchWish& wish, std::vector<BenchRow>& rows) {
  for (const char* name : models) {
    BenchRow row;
    row.name = fmt::format("making/{}", name);
    if (!wish.wants(row.name)) continue;
    const std::optional<Solid> solid = cad_solid(name, elastic_material(1e5, 0.45));
    if (!solid) continue;
    Body body;
    row.threads = 2;
    set_threads(2);
    row.add("ms", fastest_of(wish.quick ? 1 : 2, [&] { body = nurbs::Settings().create(*solid); }));
    const nurbs::Kinematics made = nurbs::make_kinematics(solid->patches, solid->surface, {});
    set_threads(1);
    row.add("points", body.nodes.size());
    for (const StageClock::Stage& stage : made.clock.stages)
      row.add(stage.name, 1e3 * stage.seconds);
    rows.push_back(row);
  }
}

struct Fall {
  double ms = 0;       // of a frame while touching
  double slowest = 0;  // ms
  double contact = 0;  // share of finding and solving contacts
  int frames = 0;      // that touched
  int substeps = 0;
  double volume = 1;    // least share of what it is at rest
  double unsolved = 0;  // share of substeps
  std::string hash;
};

Fall fall(World& world, int frames) {
  Fall seen;
  seen.substeps = world.substeps;
  double contact = 0;
  bool touched = false;
  for (int f = 0; f < frames; ++f) {
    StepReport report = world.step(cad_frame);
    touched = touched || report.contacts > 0;
    const Measures now = world.bodies[0].method->measure(world.bodies[0].nodes);
    seen.volume = std::min(seen.volume, now.volume / now.rest_volume);
    seen.unsolved += double(report.unconverged_substeps) / (frames * seen.substeps);
    if (!touched) continue;
    double ms = 0;
    for (const double seconds : report.times.seconds) ms += 1e3 * seconds;
    contact += 1e3 * (report.times[Phase::find_contacts] + report.times[Phase::solve_contacts]);
    seen.ms += ms;
    seen.slowest = std::max(seen.slowest, ms);
    ++seen.frames;
  }
  seen.contact = contact / std::max(1e-300, seen.ms);
  seen.ms /= std::max(1, seen.frames);
  Archive state = Archive::hashing();
  for (Body& body : world.bodies) body.archive(state);
  seen.hash = hex(state.hash());
  return seen;
}

void add_steps(const BenchWish& wish, std::vector<BenchRow>& rows) {
  for (const PaperStep& paper : paper_steps) {
    BenchRow row;
    row.name = fmt::format("step/{}", paper.name);
    if (!wish.wants(row.name)) continue;
    const std::optional<Solid> solid =
        cad_solid(paper.model, elastic_material(paper.young, paper.poisson, paper.density, 2));
    if (!solid) continue;
    World world = cad_drop(*solid);
    const Fall seen = fall(world, wish.quick ? 40 : 90);
    row.add("points", world.bodies[0].nodes.size());
    row.add("volume", seen.volume);
    row.add("unsolved", seen.unsolved);
    row.add("substeps", seen.substeps);
    row.add("ms/substep", seen.ms / seen.substeps);
    row.add("slowest", seen.slowest / seen.substeps);
    row.add("contact share", seen.contact);
    row.add("paper x", 1e3 * paper.seconds / (seen.ms / seen.substeps));
    row.add("frames/s", 1e3 / seen.ms);
    set_threads(2);
    World shared = cad_drop(*solid);
    row.add("on 2", 1e3 / fall(shared, wish.quick ? 40 : 90).ms);
    set_threads(1);
    row.hash = seen.hash;
    rows.push_back(row);
  }
}

/// Fig. 13: cost against the number of parts.
void add_scaling(const BenchWish& wish, std::vector<BenchRow>& rows) {
  for (int k = 1; k <= 10; k += wish.quick ? 3 : 1) {
    BenchRow row;
    row.name = fmt::format("faces/b{}", k);
    if (!wish.wants(row.name)) continue;
    const std::optional<Solid> solid =
        cad_solid(fmt::format("scaling/b{}.igs", k), elastic_material(1e6, 0.45, 1000, 2), 5);
    if (!solid) continue;
    World world = cad_drop(*solid);
    const Fall seen = fall(world, wish.quick ? 90 : 120);
    row.add("faces", double(world.bodies[0].control_net->patches.size()));
    row.add("points", world.bodies[0].nodes.size());
    row.add("ms/substep", seen.ms / seen.substeps);
    row.hash = seen.hash;
    rows.push_back(row);
  }
}

std::vector<BenchRow> run(const BenchWish& wish) {
  std::vector<BenchRow> rows;
  set_threads(1);
  add_making(wish, rows);
  add_steps(wish, rows);
  add_scaling(wish, rows);
  set_threads(0);
  return rows;
}

constexpr Benchmark list[] = {
    {"nurbs", "CAD bodies: making them (2 threads), a substep while touching, faces", run},
};

}  // namespace

std::span<const Benchmark> nurbs_benchmarks() { return list; }

}  // namespace pliant
