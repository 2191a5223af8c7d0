#include "studies/clusters_table.h"

#include <cmath>

#include "geometry/sample/poisson.h"
#include "studies/stopwatch.h"

namespace pliant {
namespace {

Show taffy_at_work(const ClustersSetup& setup) {
  Taffy taffy(setup);
  taffy.begin_fold();
  return std::move(taffy.show);
}

Show dough_at_work(const ClustersSetup& setup) {
  Dough dough(setup);
  dough.begin_squeeze();
  return std::move(dough.show);
}

Show bar_at_work(const ClustersSetup& setup) { return pulled_bar(setup); }

/// With about these many particles and triangles, as built.
ClustersSetup fitted(const TableScene& scene) {
  ClustersSetup setup = scene.setup;
  setup.radius = poisson_spacing(scene.make(setup).body().built_volume, int(scene.paper.particles));
  const double triangles = double(scene.make(setup).body().skin.triangles.size());
  setup.edge *= std::sqrt(triangles / scene.paper.triangles);
  return setup;
}

const TableScene all[] = {{"Armadillo",
                           {2.61, 12.37, 10.92, 25.90, 11707, 0.387, 697, 71, 60e3},
                           as_in_paper(0.1, 0.9, 0.1),
                           shot_figure,
                           0.05},
                          {"Bunny",
                           {4.77, 18.87, 9.94, 33.58, 37883, 0.165, 1387, 127, 36e3},
                           as_in_paper(0.1, 0.9, 0.1),
                           bar_at_work,
                           0.3},
                          {"Cow",
                           {1.76, 26.05, 11.81, 39.62, 4452, 0.80, 394, 56, 239e3},
                           as_in_paper(1e-4, 0.99, 0.5),
                           between_bars,
                           0.5},
                          {"Taffy",
                           {2.33, 34.99, 15.02, 52.34, 6188, 0.655, 512, 95, 342e3},
                           as_in_paper(1e-4, 0.99, 0.99),
                           taffy_at_work,
                           0.5},
                          {"Dough",
                           {2.12, 7.38, 7.33, 16.83, 7073, 0.501, 335, 108, 46e3},
                           as_in_paper(0.1, 0.9, 0.1),
                           dough_at_work,
                           0.5}};

}  // namespace

std::span<const TableScene> table_scenes() { return all; }

TableLine play_line(const TableScene& scene, bool full, int frames) {
  Show show = scene.make(full ? fitted(scene) : scene.setup);
  World& world = show.world;
  show.play(scene.start);
  const clusters::AdaptTimes before = clusters_of(world).times();
  TableLine line;
  for (int f = 0; f < frames; ++f) {
    StepReport report;
    line.total += milliseconds_of([&] { report = world.step(1.0 / 60); }) / frames;
    for (const Phase phase :
         {Phase::drive, Phase::advance, Phase::find_contacts, Phase::solve_contacts, Phase::finish})
      line.simulation += 1e3 * report.times[phase] / frames;
    const clusters::Matter& matter = clusters_of(world).matter();
    line.particles += double(matter.particles()) / frames;
    line.clusters += double(matter.clusters.size()) / frames;
    for (const clusters::Cluster& cluster : matter.clusters)
      line.members += double(cluster.member.size()) / double(matter.clusters.size()) / frames;
    line.triangles += double(show.body().skin.triangles.size()) / frames;
    line.seeding += show.seeding() / frames;
  }
  const clusters::AdaptTimes after = clusters_of(world).times();
  line.simulation += 1e3 * (after.flow - before.flow) / frames;
  line.surface = 1e3 * (after.track - before.track) / frames;
  line.resampling = 1e3 * (after.resample - before.resample + after.bind - before.bind) / frames;
  return line;
}

}  // namespace pliant
