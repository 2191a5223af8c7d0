#pragma once

#include "studies/blocks.h"

namespace pliant {

/// The bars that benchmarks speak of: unit cross-section, five tets a cell, both ends held.
struct Bar {
  const char* name;
  int along, across;  // cells

  double length() const { return double(along) / across; }
  Eigen::Vector3i cells() const { return {along, across, across}; }
};

inline constexpr Bar bar_1k = {"bar-1k", 12, 4}, bar_10k = {"bar-10k", 32, 8},
                     bar_100k = {"bar-100k", 80, 16}, bar_1m = {"bar-1M", 160, 36};

/// Alone in a world without gravity; cells and size of the setup are the bar's.
inline World bar_world(const Bar& bar, BlockSetup setup) {
  setup.cells = bar.cells();
  setup.size = {bar.length(), 1, 1};
  World world = block_world(setup);
  hold(world, nodes_at(world, 0, 0));
  hold(world, nodes_at(world, 0, bar.length()));
  return world;
}

/// The state in which bars are timed: the far end moved by 5 % and turned by 0.1 rad at once.
inline Motion stretched_and_twisted(const Bar& bar) {
  Motion motion;
  motion.pivot = {bar.length(), 0.5, 0.5};
  motion.keys = {{0, Vec3(0.05 * bar.length(), 0, 0), Quat(Eigen::AngleAxisd(0.1, Vec3::UnitX()))}};
  return motion;
}

/// The far end moves away until the bar is `stretch` times as long.
inline Motion pulled_to(double stretch, const Bar& bar, double duration) {
  Motion motion;
  motion.keys = {{0, Vec3::Zero(), Quat::Identity()},
                 {duration, Vec3((stretch - 1) * bar.length(), 0, 0), Quat::Identity()}};
  return motion;
}

inline Handle& far_end(World& world) { return world.bodies[0].handles[1]; }

}  // namespace pliant
