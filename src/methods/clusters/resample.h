#pragma once

#include <functional>
#include <span>

#include "methods/clusters/gather.h"

namespace pliant::clusters {

/// What the particles' body encloses at present.
struct Interior {
  /// The piece of the body that holds a place; -1 = outside.
  std::function<int(const Vec3&)> piece_at;
  /// Whether the place is inside or about this near [m] to it.
  std::function<bool(const Vec3&, double)> is_near;
  /// Whether a way of little more than their distance joins two places without leaving the body.
  /// The first place rarely changes from one question to the next. Empty: any two are joined.
  std::function<bool(const Vec3&, const Vec3&)> joins;
};

/// Where a piece of the body needs a particle.
struct Bare {
  int piece;
  Vec3 place;
};

/// What happened to particles. `node`: old -> new, -1 = gone; `born_from`: of each new one the old
/// one beside which it was made. Both empty when none came or went.
struct Resampled {
  std::vector<int> node, born_from;
  bool clusters = false;  // some came, went, or have other members
};

/// Removes particles that are outside, crowded or light; makes new ones where clusters have been
/// drawn out; evens masses out; lets clusters follow, drops those that are worn out and makes new
/// ones, and in `bare` places. Mass is kept to the bit, momentum to rounding. Held particles stay.
Resampled resample(Matter& matter, Nodes& nodes, const Interior& interior,
                   std::span<const Bare> bare = {});

}  // namespace pliant::clusters
