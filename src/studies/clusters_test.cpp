#include <doctest/doctest.h>

#include "core/parallel.h"
#include "studies/blocks.h"
#include "studies/clusters_scenes.h"

using namespace pliant;

// Bodies of clusters in a world with contact. `pliant papers L-long` goes on for 10,000 frames.

namespace {

ClustersSetup coarse() {
  ClustersSetup setup;
  setup.yield = 0.001;
  setup.flow = 20;
  setup.poisson = 0.49;
  setup.radius = 0.16;
  return setup;
}

}  // namespace

TEST_CASE("taffy that is folded stays closed and keeps its mass and volume in every frame") {
  Taffy taffy(coarse());
  taffy.fold();
  const Watched& w = taffy.show.watched();
  CHECK_MESSAGE(w.sound(), w.told());
  CHECK(w.volume_error < 0.03);
  CHECK(w.most < 2 * w.particles_before);
  CHECK(solid_share(taffy.show.body().skin) > 0.9);
  CHECK(is_finite(taffy.show.body().nodes));
}

TEST_CASE("dough that is pressed ends in the same bits on 1, 2, 3 and 7 threads") {
  for (const bool paper : {false, true}) {
    std::uint64_t first = 0;
    for (const int count : {1, 2, 3, 7}) {
      set_threads(count);
      ClustersSetup setup = paper ? as_in_paper(0.01, 0.9, 0.5) : coarse();
      setup.radius = 0.16;
      Dough dough(setup);
      dough.begin_squeeze();
      dough.show.play(0.3);
      const std::uint64_t hash = state_hash(dough.show.world);
      if (count == 1) first = hash;
      CHECK(hash == first);
    }
  }
  set_threads(0);
}
