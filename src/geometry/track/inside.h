#pragma once

#include <cstdint>
#include <vector>

#include "geometry/track/lattice.h"

namespace pliant::track {

/// Answers what lies inside a tracked surface by looking at the nearest node of a lattice: exact to
/// a cell, and cheap enough to be asked for every particle.
class Inside {
 public:
  /// The piece that holds `p`; -1 outside.
  int piece_at(const Vec3& p) const;
  bool contains(const Vec3& p) const { return piece_at(p) >= 0; }
  /// Whether `p` or one of the six points `by` away along the axes is inside.
  bool near(const Vec3& p, double by) const;

  double cell() const { return lattices_.empty() ? 0 : lattices_.front().cell; }
  bool empty() const { return lattices_.empty(); }

  /// Which nodes can be reached from `start` by steps along edges of the lattice that stay inside
  /// and do not pass through the surface: two lips of a closed slit are near each other, but far by
  /// this. A walk over ten thousand nodes takes about 0.1 ms.
  class Walk {
   public:
    /// Steps from the start to the node nearest to `p`; -1 = not reached.
    int steps_to(const Vec3& p) const;
    /// Steps that there would be if nothing was in the way.
    int least_steps(const Vec3& p) const;

   private:
    friend class Inside;
    const Lattice* lattice_ = nullptr;
    Lattice::Node start_ = {}, low_ = {}, count_ = {};
    std::vector<std::int16_t> steps_;  // per node of a box about the start
    std::vector<int> front_, next_;
  };
  /// Looks at most `most` steps far. `walk` is kept by the caller so that nothing is allocated.
  void walk_from(const Vec3& start, int most, Walk& walk) const;

 private:
  friend class Tracker;
  std::vector<Lattice> lattices_;  // of surfaces far apart, or kept apart
};

}  // namespace pliant::track
