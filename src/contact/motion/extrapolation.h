#pragma once

#include <vector>

#include "contact/motion/motion_budget.h"
#include "math/types.h"

namespace pliant {

/// Extrapolates vertex positions linearly in a frame that moves with the body, and bounds the
/// error. The extrapolation speed is scaled by 1, 0.5 or 0, whichever would have predicted the
/// previous interval best: vibrating vertices are better predicted as standing still.
class Extrapolation {
 public:
  struct Positions {  // of a skin: now and at the start of the substep
    const std::vector<Vec3>&position, &previous;
    int count() const { return int(position.size()); }
  };
  struct Limits {
    double most;     // [m] no two points are extrapolated further against each other,
    double steady;   // [m] and, where that lasts longer than a step, no further than this
    double near;     // [m] features that are further apart do not meet within a substep
    double shivers;  // [m] points that move further in a substep do not count as vibrating
    double slack;    // [m] by which distances may deviate from extrapolated ones
  };
  /// Extrapolates from here with the velocities of this substep of h seconds: for `step` seconds,
  /// or for as much less or more as the limits allow.
  void start_here(const Positions& points, double h, double step, const Limits& limits);
  /// Once per substep that follows. [m]: no two points moved further against each other in it, nor
  /// since contacts were last found.
  void follow(double in_substep, double since_detection);
  /// Nothing is known of where points are until look().
  void doubt() { budget_.doubt(); }
  /// Measures where points are, as far as it must, where bounds do not do.
  void look(const Positions& points);

  /// True when distances, or displacements in a substep, may deviate by more than the slack, as far
  /// as is known; or the time is over, or the substep is another one.
  bool strayed(int count, double h) const;

  /// [m] How far each point is extrapolated.
  void take_ways(std::vector<Vec3>& ways) const;
  double share() const { return h_ / lasts_; }  // of a substep in how long it lasts
  double step_off() const {
    return step_off_;
  }  // [m] by how much displacements of a substep deviate

  struct Frame {
    Mat3 turn = Mat3::Identity();  // since the start
    Vec3 centre = Vec3::Zero();
  };
  struct View {  // of all points, within a substep
    const Vec3 *position, *previous, *start, *step;
    int count;
    double substeps;  // since the start
    double goes;      // share of their speed with which they are extrapolated
    Frame now, before;
  };

 private:
  /// Displacement of a point in the first substep, in the frame of the body.
  Vec3 seen(const Vec3& position, const Vec3& previous) const {
    return position - now_.centre - before_.turn.transpose() * (previous - before_.centre);
  }
  /// The body's frame, fitted to some of its points.
  Frame frame_of(const std::vector<Vec3>& points) const;
  View view(const Positions& points, double goes) const;
  double best_share(const Positions& points) const;
  void set_step_off(double among_points);

  std::vector<Vec3> start_, step_;  // [m] per point: where it was, and went in a substep
  double h_ = 0, lasts_ = 0;        // [s]
  double elapsed_ = 0;              // [s]
  Limits limits_{};
  MotionBudget budget_;    // deviation between any two points
  double step_off_ = 0;    // [m] deviation of displacements of a substep
  double goes_apart_ = 0;  // [m] extrapolated displacement of any two in a substep
  Frame now_, before_;
  double goes_ = 1;
};

}  // namespace pliant
