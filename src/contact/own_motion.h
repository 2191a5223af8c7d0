#pragma once

#include <vector>

#include "body/nodes.h"

namespace pliant {

/// How a body's nodes go on, and whether they still do.
class OwnMotion {
 public:
  /// From here all are to go on as they did in this substep of h seconds, for `step` seconds, or
  /// for less so that no two go further than `most` [m] against each other.
  void start_here(const Nodes& nodes, double h, double step, double most);
  /// Once per substep that follows. `spread`: no point of the skin differs more from the others
  /// than this times what its nodes do.
  void follow(const Nodes& nodes, double spread);

  /// True when distances on the skin, and what of them depends on ways in a substep, may be off by
  /// more than `slack` [m], or the time is over, or it began otherwise.
  bool strayed(const Nodes& nodes, double slack, double h) const;

  double share() const { return h_ / lasts_; }   // of a substep in how long it lasts
  double step_off() const { return step_off_; }  // [m] by how much ways in this substep are off

 private:
  std::vector<Vec3> start_, step_;  // [m] per node: where it was, and went in a substep
  double h_ = 0, lasts_ = 0;        // [s]
  double elapsed_ = 0;              // [s]
  double off_ = 0, step_off_ = 0;   // [m] between any two points of the skin
};

}  // namespace pliant
