#pragma once

#include <limits>
#include <vector>

#include "math/types.h"

namespace pliant {

/// How the points of a skin go on, as seen by one who flies and turns with it, and whether they
/// still do. What shivers stays nearer to where it is than to where it goes; so they are foreseen
/// to go on at that share of their speed which would have been the best the last time.
class Extrapolation {
 public:
  struct Positions {  // of a skin: now and at the start of the substep
    const std::vector<Vec3>&position, &previous;
    int count() const { return int(position.size()); }
  };
  struct Limits {
    double most;     // [m] no two points are to go further against each other,
    double steady;   // [m] and where it lasts longer than a step, no further than this
    double near;     // [m] what is further apart does not meet within a substep
    double shivers;  // [m] what goes further in a substep is not said to shiver
  };
  /// From here all are to go on as they did in this substep of h seconds: for `step` seconds, or
  /// for as much less or more as the limits allow.
  void start_here(const Positions& points, double h, double step, const Limits& limits);
  /// Once per substep that follows. `way` [m]: no two points went further against each other in it,
  /// nor than `went` since they were last seen.
  void follow(double way, double went);
  /// Nothing is known of where they are until somebody looks.
  void doubt() { off_ = std::numeric_limits<double>::infinity(); }
  /// Then, where bounds do not do: measures where they are, as far as it must.
  void look(const Positions& points, double slack);

  /// True when distances on the skin, and what of them depends on ways in a substep, may be off by
  /// more than `slack` [m], as far as is known; or the time is over, or it began otherwise.
  bool strayed(int count, double slack, double h) const;

  /// [m] Where each point is foreseen to go in the time that is foreseen.
  void take_ways(std::vector<Vec3>& ways) const;
  double share() const { return h_ / lasts_; }   // of a substep in how long it lasts
  double step_off() const { return step_off_; }  // [m] by how much ways in this substep are off

  struct Frame {
    Mat3 turn = Mat3::Identity();  // since the start
    Vec3 centre = Vec3::Zero();
  };
  struct View {  // of all points, within a substep
    const Vec3 *position, *previous, *start, *step;
    int count;
    double substeps;  // since the start
    double goes;      // share of their speed with which they are foreseen to go on
    Frame now, before;
  };

 private:
  /// Where a point went in the substep that it starts with, as seen from the body.
  Vec3 seen(const Vec3& position, const Vec3& previous) const {
    return position - now_.centre - before_.turn.transpose() * (previous - before_.centre);
  }
  /// The body's, told by some of its points.
  Frame frame_of(const std::vector<Vec3>& points) const;
  View view(const Positions& points, double goes) const;
  double best_share(const Positions& points) const;
  void set_step_off(double among_points);

  std::vector<Vec3> start_, step_;  // [m] per point: where it was, and went in a substep
  double h_ = 0, lasts_ = 0;        // [s]
  double elapsed_ = 0;              // [s]
  Limits limits_{};
  double off_ = 0, step_off_ = 0;  // [m] between any two points, or less than this
  double goes_apart_ = 0;  // [m] what any two are foreseen to go against each other in a substep
  Frame now_, before_;
  double goes_ = 1;
};

}  // namespace pliant
