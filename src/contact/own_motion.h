#pragma once

#include <vector>

#include "body/nodes.h"

namespace pliant {

/// How a body's nodes go on, as seen by one who flies and turns with the body, and whether they
/// still do. What shivers stays nearer to where it is than to where it goes; so they are foreseen
/// to go on at that share of their speed which would have been the best the last time.
class OwnMotion {
 public:
  struct Limits {
    double most;     // [m] no two nodes are to go further against each other,
    double steady;   // [m] and where it lasts longer than a step, no further than this
    double near;     // [m] what is further apart does not meet within a substep
    double shivers;  // [m] what goes further in a substep is not said to shiver
    double spread;   // no point of the skin differs more from the others than this times its nodes
  };
  /// From here all are to go on as they did in this substep of h seconds: for `step` seconds, or
  /// for as much less or more as the limits allow.
  void start_here(const Nodes& nodes, double h, double step, const Limits& limits);
  /// Once per substep that follows.
  void follow(const Nodes& nodes);

  /// True when distances on the skin, and what of them depends on ways in a substep, may be off by
  /// more than `slack` [m], or the time is over, or it began otherwise.
  bool strayed(const Nodes& nodes, double slack, double h) const;

  /// [m] Where a point of the skin is foreseen to go in a substep.
  Vec3 way(const Vec3& position, const Vec3& previous) const {
    return goes_ * seen(position, previous);
  }
  double share() const { return h_ / lasts_; }   // of a substep in how long it lasts
  double step_off() const { return step_off_; }  // [m] by how much ways in this substep are off

  struct Frame {
    Mat3 turn = Mat3::Identity();  // since the start
    Vec3 centre = Vec3::Zero();
  };
  struct View {  // of all nodes, within a substep
    const Vec3 *position, *previous, *start, *step;
    int count;
    double substeps;  // since the start
    double goes;      // share of their speed with which nodes are foreseen to go on
    Frame now, before;
  };
  /// By how much nodes are elsewhere than foreseen, against each other, and what they go in this
  /// substep is other [m]; not a number where one of them is not.
  struct Stray {
    double off, step;
  };

 private:
  /// Where a point went in the substep that it starts with, as seen from the body.
  Vec3 seen(const Vec3& position, const Vec3& previous) const {
    return position - now_.centre - before_.turn.transpose() * (previous - before_.centre);
  }
  /// The body's, told by some of its nodes.
  Frame frame_of(const std::vector<Vec3>& points) const;
  Stray stray(const Nodes& nodes, double goes) const;
  double best_share(const Nodes& nodes) const;
  void set_step_off(double among_nodes);

  std::vector<Vec3> start_, step_;  // [m] per node: where it was, and went in a substep
  double h_ = 0, lasts_ = 0;        // [s]
  double elapsed_ = 0;              // [s]
  Limits limits_{};
  double off_ = 0, step_off_ = 0;  // [m] between any two points of the skin
  Frame now_, before_;
  double goes_ = 1;
};

}  // namespace pliant
