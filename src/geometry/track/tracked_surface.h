#pragma once

#include <cstdint>
#include <vector>

#include "geometry/mesh/origin.h"
#include "geometry/mesh/triangle_mesh.h"

namespace pliant::track {

/// A closed surface that is moved by its points and changes its triangles: it stretches, folds,
/// merges, splits and is cut. After every Tracker::advance() it is closed and manifold: each
/// directed edge is there once, and so is its opposite; the triangles at a point form one fan.
struct TrackedSurface {
  std::vector<Vec3> points;  // [m] to be moved by the caller between two calls of advance()
  std::vector<Triangle> triangles;
  std::vector<Origin> origin;  // per point
  std::vector<int> source;     // per triangle: of the original, whose part it is; -1 = inside
  std::vector<int> piece;  // per point: closed piece of matter, a void belongs to what is round it
  // Per point: surfaces of different numbers are looked at one by one and never unite. 0 until cut.
  std::vector<int> apart;
  std::vector<std::uint8_t> marks;  // per point: sharp, and twice the frames for which it is fresh
  std::int64_t frame = 0;           // how often it advanced: shifts the lattice

  // On a spike of the given surface or on the edge of a cut: not blunted.
  static constexpr std::uint8_t sharp = 1;
  // Made by a patch or a cut not long ago: short edges there are what these leave, no pinches.
  static constexpr std::uint8_t fresh = 2 * 8;

  int pieces() const;  // how many there are
  void archive(Archive& archive);
};

struct TrackSettings {
  double longest = 0;  // [m] longer edges are split
  // Shorter ones are collapsed. A tenth works too but leaves many more slivers.
  double shortest = 0.25;  // of the longest
  double cell = 0.7;       // of the longest: the lattice's cells. 1 loses twice the detail
  double thin = 0.35;      // cells: matter that is thinner disappears
  double gap = 0.2;        // cells: gaps that are thinner close
  double glue = 1.5;       // cells: gaps that are thinner close where Matter::joined says so
  double crumb = 0.5;      // cells^3: smaller pieces are dropped
  bool merge = true;       // false: pieces never unite
};

}  // namespace pliant::track
