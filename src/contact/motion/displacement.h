#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "body/nodes.h"

namespace pliant {

/// A bound of displacements: of all points by `mean`, give or take `deviation`.
struct DisplacementBound {
  Vec3 mean = Vec3::Zero();       // [m]
  Vec3 deviation = Vec3::Zero();  // [m] no point's displacement differs more, along each axis
  double max = 0;                 // [m] none is longer; infinite when one is not finite

  /// From the box round all displacements.
  static DisplacementBound within(const Vec3& low, const Vec3& high) {
    return {0.5 * (low + high), 0.5 * (high - low),
            low.cwiseAbs().cwiseMax(high.cwiseAbs()).norm()};
  }
  static DisplacementBound unbounded() {
    constexpr double infinite = std::numeric_limits<double>::infinity();
    return {Vec3::Zero(), Vec3::Constant(infinite), infinite};
  }
  /// The same bound for points that are interpolated from these, with weights that sum to 1 and
  /// whose absolute values sum to at most `weight_norm`.
  DisplacementBound scaled_by(double weight_norm) const {
    return {mean, weight_norm * deviation, weight_norm * max};
  }
};

/// How a skin moved: in this substep, and since contacts were last found (a solve may have pushed
/// it back between the two, so the displacement of substeps counts there and back).
struct SkinMotion {
  DisplacementBound in_substep, since_detection;
};

/// No distance between a point of the one and a point of the other changed by more than this [m].
inline double relative_displacement(const DisplacementBound& a, const DisplacementBound& b) {
  return ((a.mean - b.mean).cwiseAbs() + a.deviation + b.deviation).norm();
}

/// `step(i)` [m]: the displacement of the i-th point.
template <class Step>
DisplacementBound displacement_of(int count, const Step& step) {
  if (count == 0) return {};
  Vec3 low = step(0), high = low, sum = low;
  for (int i = 1; i < count; ++i) {
    const Vec3 here = step(i);
    low = low.cwiseMin(here), high = high.cwiseMax(here);
    sum += here;  // catches a NaN that min and max pass over
  }
  return sum.allFinite() ? DisplacementBound::within(low, high) : DisplacementBound::unbounded();
}
/// Of all points, in parallel.
DisplacementBound displacement_of(const std::vector<Vec3>& to, const std::vector<Vec3>& from);

/// Of some points of a skin: in this substep, since each was at its `start`, and since all were
/// where contacts were last found.
struct PointMotion {
  DisplacementBound in_substep, since_start, since_detection;
};
PointMotion displacements_of(const std::vector<int>& points, const std::vector<Vec3>& position,
                             const std::vector<Vec3>& previous, const std::vector<Vec3>& start,
                             const std::vector<Vec3>& at_detection);

/// [m] The least clearance that is left when each of these points goes twice as far as it went from
/// its `start`, beyond `mean`; infinite where there are none.
double least_clearance(const std::vector<int>& points, const std::vector<Vec3>& position,
                       const std::vector<Vec3>& start, const std::vector<double>& clearance,
                       const Vec3& mean);

/// A distance to keep: never more than it was.
inline float rounded_down(double x) { return float(x - 1e-6 * std::abs(x)); }

/// Of the fastest node [m/s], when the step began.
double top_speed(const Nodes& nodes);

/// How far something of this speed [m/s] is expected to go in dt seconds [m], with an allowance for
/// what it may gain, about gravity. Larger displacements are noticed, so this decides cost only.
double predicted_displacement(double speed, double dt);

}  // namespace pliant
