// Compiled once per instruction set, as methods/tets/wide_project.cpp.

#include "core/wide_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "contact/motion/displacement.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
#include <mutex>
#include <span>

#include "contact/motion/displacement.h"
#include "core/assert.h"
#include "core/parallel.h"

HWY_BEFORE_NAMESPACE();
namespace pliant::HWY_NAMESPACE {
namespace {

#if HWY_MAX_BYTES >= 32
using Four = hwy::HWY_NAMESPACE::FixedTag<double, 4>;

/// A point and a zero.
HWY_INLINE hwy::HWY_NAMESPACE::Vec<Four> load(const Vec3& p) {
  namespace hn = hwy::HWY_NAMESPACE;
  return hn::MaskedLoad(hn::FirstN(Four(), 3), Four(), p.data());
}
#endif

/// The box round the ways that points went; not finite where one is not. At least one point.
Box box_of_ways(const Vec3* to, const Vec3* from, int count) {
  Vec3 low = to[0] - from[0], high = low;
  double sum = 0;  // catches a NaN that min and max pass over
  int i = 0;
#if HWY_MAX_BYTES >= 32
  // Four points are three vectors: x y z x, y z x y, z x y z.
  namespace hn = hwy::HWY_NAMESPACE;
  const Four four;
  if (count >= 4) {
    const double *here = to->data(), *start = from->data();
    const auto step = [&](int k) {
      return hn::Sub(hn::LoadU(four, here + 4 * k), hn::LoadU(four, start + 4 * k));
    };
    auto low0 = step(0), low1 = step(1), low2 = step(2);
    auto high0 = low0, high1 = low1, high2 = low2;
    auto sums = hn::Zero(four);
    for (; i + 4 <= count; i += 4) {
      const int k = i / 4 * 3;
      const auto way0 = step(k), way1 = step(k + 1), way2 = step(k + 2);
      low0 = hn::Min(low0, way0), low1 = hn::Min(low1, way1), low2 = hn::Min(low2, way2);
      high0 = hn::Max(high0, way0), high1 = hn::Max(high1, way1), high2 = hn::Max(high2, way2);
      sums = hn::Add(sums, hn::Add(hn::Add(way0, way1), way2));
    }
    double lows[12], highs[12];
    hn::StoreU(low0, four, lows);
    hn::StoreU(low1, four, lows + 4);
    hn::StoreU(low2, four, lows + 8);
    hn::StoreU(high0, four, highs);
    hn::StoreU(high1, four, highs + 4);
    hn::StoreU(high2, four, highs + 8);
    for (int k = 0; k < 12; ++k) {
      low[k % 3] = std::min(low[k % 3], lows[k]);
      high[k % 3] = std::max(high[k % 3], highs[k]);
    }
    sum = hn::GetLane(hn::SumOfLanes(four, sums));
  }
#endif
  for (; i < count; ++i) {
    const Vec3 way = to[i] - from[i];
    low = low.cwiseMin(way), high = high.cwiseMax(way);
    sum += way.sum();
  }
  if (!std::isfinite(sum)) low.setConstant(std::numeric_limits<double>::quiet_NaN());
  return {low, high};
}

/// See displacements_of. At least one point.
PointMotion point_ways(std::span<const int> points, const Vec3* to, const Vec3* from,
                       const Vec3* start, const Vec3* seen) {
  Box ways, since_start, since_detection;
  const int count = int(points.size());
#if HWY_MAX_BYTES >= 32
  namespace hn = hwy::HWY_NAMESPACE;
  const Four four;
  const auto first = load(to[points[0]]);
  auto low = hn::Sub(first, load(from[points[0]])), high = low;
  auto low_since = hn::Sub(first, load(start[0])), high_since = low_since;
  auto low_seen = hn::Sub(first, load(seen[points[0]])), high_seen = low_seen;
  auto sum = hn::Zero(four);
  for (int k = 0; k < count; ++k) {
    const auto here = load(to[points[k]]);
    const auto way = hn::Sub(here, load(from[points[k]])), all = hn::Sub(here, load(start[k]));
    const auto went = hn::Sub(here, load(seen[points[k]]));
    low = hn::Min(low, way), high = hn::Max(high, way);
    low_since = hn::Min(low_since, all), high_since = hn::Max(high_since, all);
    low_seen = hn::Min(low_seen, went), high_seen = hn::Max(high_seen, went);
    sum = hn::Add(sum, hn::Add(hn::Add(way, all), went));
  }
  double row[4];
  const auto vector = [&](auto v) HWY_ATTR {
    hn::StoreU(v, four, row);
    return Vec3(row);
  };
  ways = {vector(low), vector(high)};
  since_start = {vector(low_since), vector(high_since)};
  since_detection = {vector(low_seen), vector(high_seen)};
  const bool finite = vector(sum).allFinite();
#else
  Vec3 sum = Vec3::Zero();
  for (int k = 0; k < count; ++k) {
    const Vec3 here = to[points[k]], way = here - from[points[k]], all = here - start[k];
    ways.add(way);
    since_start.add(all);
    since_detection.add(here - seen[points[k]]);
    sum += way + all + seen[points[k]];
  }
  const bool finite = sum.allFinite();
#endif
  if (!finite)
    return {DisplacementBound::unbounded(), DisplacementBound::unbounded(),
            DisplacementBound::unbounded()};
  const auto within = [](const Box& box) { return DisplacementBound::within(box.low, box.high); };
  return {within(ways), within(since_start), within(since_detection)};
}

double least_left(std::span<const int> points, const Vec3* position, const Vec3* start,
                  const double* clearance, const Vec3& middle) {
  double least = HUGE_VAL;
  int k = 0;
  const int count = int(points.size());
#if HWY_MAX_BYTES >= 32
  namespace hn = hwy::HWY_NAMESPACE;
  const Four four;
  const auto all = load(middle);
  const auto squares = [&](int i) HWY_ATTR {
    const auto way = hn::Sub(hn::Sub(load(position[points[i]]), load(start[i])), all);
    return hn::Mul(way, way);
  };
  auto leasts = hn::Set(four, least);
  for (; k + 4 <= count; k += 4) {
    const auto p0 = squares(k), p1 = squares(k + 1), p2 = squares(k + 2), p3 = squares(k + 3);
    // x + y and z + 0 of two points each, then of all four.
    const auto even = hn::Add(hn::InterleaveLower(four, p0, p1), hn::InterleaveUpper(four, p0, p1));
    const auto odd = hn::Add(hn::InterleaveLower(four, p2, p3), hn::InterleaveUpper(four, p2, p3));
    const auto squared =
        hn::Add(hn::ConcatLowerLower(four, odd, even), hn::ConcatUpperUpper(four, odd, even));
    const auto way = hn::Sqrt(squared);
    leasts = hn::Min(leasts, hn::Sub(hn::LoadU(four, clearance + k), hn::Add(way, way)));
  }
  least = hn::GetLane(hn::MinOfLanes(four, leasts));
#endif
  for (; k < count; ++k) {
    const Vec3 way = position[points[k]] - start[k] - middle;
    least = std::min(least, clearance[k] - 2 * way.norm());
  }
  return least;
}

}  // namespace
}  // namespace pliant::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace pliant {

HWY_EXPORT(box_of_ways);
HWY_EXPORT(point_ways);
HWY_EXPORT(least_left);

DisplacementBound displacement_of(const std::vector<Vec3>& to, const std::vector<Vec3>& from) {
  ASSERT(to.size() == from.size(), "displacements are of the same points");
  constexpr int grain = 8192;
  const int count = int(to.size());
  if (count == 0) return {};
  std::mutex mutex;  // the box round boxes does not depend on their order
  Box box;
  bool finite = true;
  parallel_for(count, grain, [&](int begin, int end) {
    const Box some =
        HWY_DYNAMIC_DISPATCH(box_of_ways)(to.data() + begin, from.data() + begin, end - begin);
    const std::lock_guard lock(mutex);
    finite = finite && some.low.allFinite();
    box.add(some);
  });
  return finite ? DisplacementBound::within(box.low, box.high) : DisplacementBound::unbounded();
}

PointMotion displacements_of(const std::vector<int>& points, const std::vector<Vec3>& position,
                             const std::vector<Vec3>& previous, const std::vector<Vec3>& start,
                             const std::vector<Vec3>& seen) {
  if (points.empty()) return {};
  ASSERT(start.size() == points.size() && position.size() == previous.size() &&
             position.size() == seen.size(),
         "each point has a start, all vertices have three places");
  return HWY_DYNAMIC_DISPATCH(point_ways)(points, position.data(), previous.data(), start.data(),
                                          seen.data());
}

double least_clearance(const std::vector<int>& points, const std::vector<Vec3>& position,
                       const std::vector<Vec3>& start, const std::vector<double>& clearance,
                       const Vec3& middle) {
  return HWY_DYNAMIC_DISPATCH(least_left)(points, position.data(), start.data(), clearance.data(),
                                          middle);
}

double top_speed(const Nodes& nodes) {
  double largest = 0;
  for (const Vec3& v : nodes.velocity) largest = std::max(largest, v.squaredNorm());
  return std::sqrt(largest);
}

double predicted_displacement(double speed, double dt) {
  ASSERT(!(speed < 0) && dt >= 0, "speeds have no direction, steps go forwards");
  constexpr double usual_acceleration = 10;  // [m/s^2]
  return 1.2 * speed * dt + usual_acceleration * dt * dt;
}

}  // namespace pliant
#endif
