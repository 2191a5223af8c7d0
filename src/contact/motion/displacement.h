#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "body/nodes.h"

namespace pliant {

/// How far points went: all of them by `middle`, give or take `off`.
struct Way {
  Vec3 middle = Vec3::Zero();  // [m]
  Vec3 off = Vec3::Zero();     // [m] no point's way differs more from the middle, along each axis
  double furthest = 0;         // [m] none went further; infinite when one is not finite

  /// From the box round all ways.
  static Way within(const Vec3& low, const Vec3& high) {
    return {0.5 * (low + high), 0.5 * (high - low),
            low.cwiseAbs().cwiseMax(high.cwiseAbs()).norm()};
  }
  static Way endless() {
    constexpr double infinite = std::numeric_limits<double>::infinity();
    return {Vec3::Zero(), Vec3::Constant(infinite), infinite};
  }
  /// Of sums of these points, whose shares sum to one, and without their signs to no more than
  /// this.
  Way spread_by(double spread) const { return {middle, spread * off, spread * furthest}; }
};

/// How a skin moved: in this substep, and since contact last looked at it (then a solve may have
/// pushed it back, so that it went there and back again).
struct Moved {
  Way in_substep, since_seen;
};

/// No distance between a point of the one and one of the other changed by more than this [m].
inline double change_between(const Way& a, const Way& b) {
  return ((a.middle - b.middle).cwiseAbs() + a.off + b.off).norm();
}

/// `step(i)` [m]: where the i-th point went.
template <class Step>
Way way_of(int count, const Step& step) {
  if (count == 0) return {};
  Vec3 low = step(0), high = low, sum = low;
  for (int i = 1; i < count; ++i) {
    const Vec3 here = step(i);
    low = low.cwiseMin(here), high = high.cwiseMax(here);
    sum += here;  // catches a NaN that min and max pass over
  }
  return sum.allFinite() ? Way::within(low, high) : Way::endless();
}
/// Of all points, in parallel.
Way way_of(const std::vector<Vec3>& to, const std::vector<Vec3>& from);
/// Of these points of a skin: in this substep, since each was at its `start`, and since all were
/// where they were `seen`.
struct PointWays {
  Way in_substep, since_start, since_seen;
};
PointWays ways_of(const std::vector<int>& points, const std::vector<Vec3>& position,
                  const std::vector<Vec3>& previous, const std::vector<Vec3>& start,
                  const std::vector<Vec3>& seen);

/// [m] The least of what is left of their rooms when each of these points goes twice as far as it
/// went from its `start`, beyond `middle`; infinite where there are none.
double least_room_left(const std::vector<int>& points, const std::vector<Vec3>& position,
                       const std::vector<Vec3>& start, const std::vector<double>& room,
                       const Vec3& middle);

/// A distance to keep: never more than it was.
inline float rounded_down(double x) { return float(x - 1e-6 * std::abs(x)); }

/// Of the fastest node [m/s], when the step began.
double top_speed(const Nodes& nodes);

/// How far something of this speed [m/s] is foreseen to go in dt seconds [m]: with room for what it
/// may gain, about gravity. Whoever goes further is noticed, so this decides cost only.
double foreseen_way(double speed, double dt);

}  // namespace pliant
