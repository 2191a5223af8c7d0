#pragma once

#include "methods/clusters/resample.h"

namespace pliant::clusters {

/// Particles of a body while some come and go, each under its old number; the dead keep their
/// places until compact().
class Particles {
 public:
  Particles(Matter& matter, Nodes& nodes, const Neighbours& near);

  void populate(std::span<const Bare> bare);
  void remove_bad(const Interior& interior);
  void seed(const Interior& interior);
  void even_out();

  bool is_dead(int p) const { return dead_[p]; }
  /// Puts the survivors and then the new ones in a row, and says how.
  Resampled compact();

 private:
  bool is_crowded(int p, std::vector<int>& found) const;
  bool give_away(int p);
  bool has_room(const Vec3& place, std::vector<int>& found) const;
  bool try_seed(int beside, const Vec3& place);
  int add(int beside, const Vec3& place);
  double quantised(double mass) const;
  void move_mass(int from, int to, double mass);

  Matter& matter_;
  Nodes& nodes_;
  const Neighbours& near_;  // of those that were there at the start
  int before_;              // how many these are
  std::vector<char> dead_;
  std::vector<int> in_piece_;  // live particles of each piece
  std::vector<int> born_from_;
};

}  // namespace pliant::clusters
