#include <algorithm>
#include <fmt/format.h>

#include "math/rigid_fit.h"
#include "studies/clusters_papers.h"
#include "studies/clusters_table.h"

// Figures 1 and 4 to 8 of Chentanez, Mueller, Macklin 2016. A picture has no numbers: a row asks
// for what must be true of what is seen in it. "Sound" is a surface that is closed and manifold in
// every frame, mass that is the same to the bit, and no cluster across two pieces.

namespace pliant {
namespace {

/// [m] How far the skin lies behind its place on the given surface along z, at most, within 0.25 m
/// of each place; seen from where the body as a whole has gone.
std::vector<double> dents(const Skin& skin, const std::vector<Vec3>& places) {
  const TriangleMesh& given = *skin.provenance.given;
  std::vector<Vec3> from, to;
  for (int v = 0; v < skin.size(); ++v) {
    const Origin& origin = skin.provenance.origin[v];
    if (origin.triangle < 0) continue;
    Vec3 place = Vec3::Zero();
    for (int k = 0; k < 3; ++k)
      place += origin.weights()[k] * given.points[given.triangles[origin.triangle][k]];
    from.push_back(place);
    to.push_back(skin.position[v]);
  }
  const Pose moved = best_rigid_fit(from, to, std::vector<double>(from.size(), 1));
  std::vector<double> deepest(places.size(), 0);
  for (std::size_t v = 0; v < from.size(); ++v)
    for (std::size_t k = 0; k < places.size(); ++k)
      if ((from[v] - places[k]).norm() < 0.25)
        deepest[k] = std::max(deepest[k], from[v].z() - moved.apply_inverse(to[v]).z());
  return deepest;
}

std::string joined(const std::vector<double>& values, const char* format = "{:.2f}") {
  std::string text;
  for (const double v : values)
    text += (text.empty() ? "" : ", ") + fmt::format(fmt::runtime(format), v);
  return text;
}

/// L-1, fig. 1.
PaperRow shot(bool quick) {
  Show show = shot_figure(as_in_paper(0.1, 0.9, 0.1));
  show.play(quick ? 0.7 : 1);
  const std::vector<double> soon = dents(show.body().skin, shot_places());
  show.play(quick ? 0.3 : 1);
  const std::vector<double> late = dents(show.body().skin, shot_places());
  const Watched& w = show.watched();
  const bool dented = *std::min_element(late.begin(), late.end()) > 0.03;
  return {"dents where it was hit, |F_P| above 1.75, that stay; a closed surface",
          fmt::format("dents of {} m, later {} m; |F_P| up to {:.2f}", joined(soon), joined(late),
                      w.largest_stretch),
          dented && w.largest_stretch > 1.75 && w.sound(), w.told()};
}

/// L-4, fig. 4.
PaperRow pulled(bool) {
  Show show = pulled_bar(as_in_paper(0.1, 0.9, 0.1));
  show.play(4.5);
  show.let_go();
  show.play(0.5);
  const Watched& w = show.watched();
  return {"parts into closed pieces; volume within 1 % at the end, 2 % on the way",
          fmt::format("{} pieces, volume {:.1f} % off, {:.1f} % at most", w.pieces,
                      100 * std::abs(w.volume - 1), 100 * w.volume_error),
          w.pieces >= 2 && std::abs(w.volume - 1) < 0.01 && w.volume_error < 0.02 && w.sound(),
          w.told()};
}

/// L-5, fig. 5.
PaperRow bars(bool quick) {
  Show show = between_bars(as_in_paper(1e-4, 0.99, 0.5));
  show.play(quick ? 1 : 3);
  const Watched& w = show.watched();
  return {
      "survives; no cluster of two pieces",
      fmt::format("{} pieces at most, {} clusters across pieces, {:.0f} % of the particles beside "
                  "which others are made",
                  w.most_pieces, w.mixed, 100 * w.seeding),
      w.sound(), w.told()};
}

ClustersSetup taffy_setup() {
  ClustersSetup setup;
  setup.yield = 0.001;
  setup.flow = 20;
  setup.poisson = 0.49;
  return setup;
}

/// L-6, fig. 6. With our law: under the paper's, the strand of this machine tears when it is
/// folded.
PaperRow taffy(bool quick) {
  Taffy taffy(taffy_setup());
  std::vector<double> closed;
  for (int k = 0; k < (quick ? 1 : 3); ++k) {
    taffy.fold();
    closed.push_back(solid_share(taffy.show.body().skin));
  }
  const Watched& w = taffy.show.watched();
  const bool kept =
      w.volume_error < 0.02 && w.most < 2 * w.particles_before && 2 * w.fewest > w.particles_before;
  const bool folded = *std::min_element(closed.begin(), closed.end()) > 0.9;
  return {"three folds that merge; volume within 2 %, particles within x0.5 to x2",
          fmt::format("{} of lines through the folds closed; {} pieces", joined(closed), w.pieces),
          kept && folded && w.pieces == 1 && w.sound(), w.told()};
}

/// The machine of fig. 6 goes on and on.
PaperRow endless_taffy(bool quick) {
  ClustersSetup setup = taffy_setup();
  setup.radius = 0.13;
  Taffy taffy(setup);
  const int frames = quick ? 1000 : 10000;
  int folds = 0;
  for (; taffy.show.frames() < frames; ++folds) taffy.fold();
  const Watched& w = taffy.show.watched();
  return {fmt::format("{} frames: sound, and nothing is lost", frames),
          fmt::format("{} folds in {} frames, {} pieces at most, {} at the end", folds,
                      taffy.show.frames(), w.most_pieces, w.pieces),
          w.sound() && is_finite(taffy.show.body().nodes), w.told()};
}

/// L-7, fig. 7, with our law.
PaperRow dough(bool quick) {
  ClustersSetup setup;
  setup.poisson = 0.49;
  Dough dough(setup);
  dough.squeeze();
  const double squeezed = dough.show.height();
  if (!quick) dough.roll();
  dough.fold();
  const double closed = solid_share(dough.show.body().skin);
  const Watched& w = dough.show.watched();
  return {"merges when it is folded; volume within 2 %",
          fmt::format("{:.2f} of lines through the fold closed, volume {:.1f} % off at most",
                      closed, 100 * w.volume_error),
          closed > 0.9 && w.volume_error < 0.02 && w.sound(),
          fmt::format("0.80 m high, squeezed {:.2f}, at the end {:.2f}; {}", squeezed,
                      dough.show.height(), w.told())};
}

/// L-8, fig. 8: knuckles that move by themselves instead of hands.
PaperRow hands(bool) {
  Show show = kneaded(as_in_paper(0.1, 0.9, 0.5));
  show.play(4);
  const Watched& w = show.watched();
  return {"prints that stay; volume within 2 %",
          fmt::format("volume {:.1f} % off at most", 100 * w.volume_error),
          w.volume_error < 0.02 && w.sound(), w.told()};
}

/// L-9: figure 6 without what section 3.3 does.
PaperRow without_resampling(bool) {
  double back[2] = {};
  int pieces[2] = {};
  for (const bool resample : {true, false}) {
    ClustersSetup setup = as_in_paper(1e-2, 0.9, 0.9);
    setup.resample = resample;
    Show show = pulled_bar(setup, 6);
    show.play(4.5);
    const double drawn = show.bounds().extent().x();
    show.let_go();
    show.play(1);
    back[resample] = 1 - show.bounds().extent().x() / drawn;
    pieces[resample] = show.watched().most_pieces;
  }
  return {"without resampling it springs back and cannot part; with it, it stays",
          fmt::format(
              "drawn out, it comes back by {:.1f} % without and {:.1f} % with; {} and {} pieces",
              100 * back[false], 100 * back[true], pieces[false], pieces[true]),
          back[false] > 0.05 && back[true] < 0.03 && pieces[false] == 1};
}

/// L-10: a bar is cut across its middle, its halves are drawn apart and pressed together again.
PaperRow cut_and_pressed(bool) {
  Show show = cut_bar(as_in_paper(0.1, 0.9, 0.1));
  show.play(0.25);
  const Box before = show.bounds();
  const bool parted =
      show.world.cut(show.body().id, {.point = before.centre(), .normal = Vec3::UnitX()});
  show.play(2);
  const int apart = show.watched().pieces;
  const double drawn = show.bounds().extent().x() / before.extent().x();
  show.play(2.75);
  const Watched& w = show.watched();
  return {"two closed pieces, no cluster of both, until they are pressed together: one again",
          fmt::format("{} pieces while drawn to {:.2f} times the length, {} at the end", apart,
                      drawn, w.pieces),
          parted && apart == 2 && w.most_pieces == 2 && drawn > 1.1 && w.pieces == 1 && w.sound(),
          w.told()};
}

/// L-11, table 1.
PaperRow table(bool quick) {
  std::string ours, remark;
  bool met = true;
  for (const TableScene& scene : table_scenes()) {
    const TableLine line = play_line(scene, false, quick ? 15 : 60);
    const double share = line.resampling / line.total;
    met = met && share < 0.5;
    ours += fmt::format("{}{} {:.0f} %", ours.empty() ? "" : ", ", scene.name, 100 * share);
    remark += fmt::format(
        "{}{}: {:.0f} particles, {:.0f} % beside which others may be made (paper {:.0f} %), {:.0f} "
        "clusters of {:.0f}, {:.0f} triangles; sim {:.1f}, surface {:.1f}, resampling {:.1f}, in "
        "all "
        "{:.1f} ms",
        remark.empty() ? "" : "; ", scene.name, line.particles, 100 * line.seeding,
        100 * scene.paper.seeding, line.clusters, line.members, line.triangles, line.simulation,
        line.surface, line.resampling, line.total);
  }
  return {"all columns; resampling at most half of the time", ours + " of the time", met, remark};
}

const Experiment all[] = {
    {"L-1", "clusters: a figure shot in four places, fig. 1", shot},
    {"L-4", "clusters: a bar pulled until it parts, fig. 4", pulled},
    {"L-5", "clusters: a ball between moving bars, fig. 5", bars},
    {"L-6", "clusters: taffy folded three times, fig. 6", taffy},
    {"L-long", "clusters: taffy folded for 10,000 frames", endless_taffy},
    {"L-7", "clusters: dough squeezed, rolled and folded, fig. 7", dough},
    {"L-8", "clusters: dough kneaded by two knuckles, fig. 8", hands},
    {"L-9", "clusters: without resampling", without_resampling},
    {"L-10", "clusters: a bar cut in two, drawn apart and pressed together", cut_and_pressed},
    {"L-11", "clusters: the columns of table 1, scenes of a few thousand particles", table},
};

}  // namespace

std::span<const Experiment> clusters_shows() { return all; }

}  // namespace pliant
