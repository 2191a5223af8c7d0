// Compiled once per instruction set, as methods/tets/wide_project.cpp.

#include "core/wide_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "contact/motion/extrapolation.cpp"
#include <algorithm>
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
#include <limits>

#include "contact/motion/extrapolation.h"
#include "math/polar.h"

HWY_BEFORE_NAMESPACE();
namespace pliant::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

/// Vectors side by side.
template <class Tag>
struct Wide {
  using Numbers = hn::Vec<Tag>;
  Numbers x, y, z;

  static Wide load(const Vec3* from) {
    Wide v;
    hn::LoadInterleaved3(Tag(), from->data(), v.x, v.y, v.z);
    return v;
  }
  static Wide all(const Vec3& v) {
    return {hn::Set(Tag(), v.x()), hn::Set(Tag(), v.y()), hn::Set(Tag(), v.z())};
  }
  Wide minus(const Wide& b) const { return {hn::Sub(x, b.x), hn::Sub(y, b.y), hn::Sub(z, b.z)}; }
  Wide times(Numbers a) const { return {hn::Mul(a, x), hn::Mul(a, y), hn::Mul(a, z)}; }
  Wide plus(Numbers a, const Wide& b) const {  // a times b
    return {hn::MulAdd(a, b.x, x), hn::MulAdd(a, b.y, y), hn::MulAdd(a, b.z, z)};
  }
  Wide minus(Numbers a, const Wide& b) const {
    return {hn::NegMulAdd(a, b.x, x), hn::NegMulAdd(a, b.y, y), hn::NegMulAdd(a, b.z, z)};
  }
};

template <class Tag>
struct Turn {
  Wide<Tag> x, y, z;  // columns

  explicit Turn(const Mat3& turn)
      : x(Wide<Tag>::all(turn.col(0))),
        y(Wide<Tag>::all(turn.col(1))),
        z(Wide<Tag>::all(turn.col(2))) {}
  /// a, less v turned.
  Wide<Tag> take(const Wide<Tag>& v, const Wide<Tag>& a) const {
    return a.minus(v.x, x).minus(v.y, y).minus(v.z, z);
  }
};

template <class Tag>
struct Bounds {
  Wide<Tag> low, high;

  explicit Bounds(const Wide<Tag>& v) : low(v), high(v) {}
  void add(const Wide<Tag>& v) {
    low = {hn::Min(low.x, v.x), hn::Min(low.y, v.y), hn::Min(low.z, v.z)};
    high = {hn::Max(high.x, v.x), hn::Max(high.y, v.y), hn::Max(high.z, v.z)};
  }
  static double extent(hn::Vec<Tag> least, hn::Vec<Tag> most) {
    return hn::GetLane(hn::MaxOfLanes(Tag(), most)) - hn::GetLane(hn::MinOfLanes(Tag(), least));
  }
  double diagonal() const {
    return Vec3(extent(low.x, high.x), extent(low.y, high.y), extent(low.z, high.z)).norm();
  }
};

/// The diagonal of the box round some vectors: `at(i)` gives as many as a register holds, from the
/// i-th on, of which there are at least so many. Not a number where one of them is not.
template <class Tag, class At>
HWY_INLINE double diagonal_of(int count, const At& at) {
  const int lanes = int(hn::Lanes(Tag()));
  auto sum = hn::Zero(Tag());  // catches a NaN that min and max pass over
  Bounds<Tag> bounds(at(0));
  for (int i = 0; i < count; i += lanes) {
    const Wide<Tag> v = at(std::min(i, count - lanes));  // the last ones are seen twice
    bounds.add(v);
    sum = hn::Add(sum, hn::Add(hn::Add(v.x, v.y), v.z));
  }
  return bounds.diagonal() + 0 * hn::GetLane(hn::SumOfLanes(Tag(), sum));
}

template <class Tag>
double places_off_by(const Extrapolation::View& view) {
  const Turn<Tag> turn(view.now.turn);
  const auto centre = Wide<Tag>::all(view.now.centre);
  const auto ways = hn::Set(Tag(), view.substeps * view.goes);
  return diagonal_of<Tag>(view.count, [&](int i) HWY_ATTR {
    const auto foreseen =
        Wide<Tag>::load(view.start + i).plus(ways, Wide<Tag>::load(view.step + i));
    return turn.take(foreseen, Wide<Tag>::load(view.position + i).minus(centre));
  });
}

template <class Tag>
double ways_off_by(const Extrapolation::View& view) {
  const Turn<Tag> turn(view.now.turn), since(view.now.turn * view.before.turn.transpose());
  const auto centre = Wide<Tag>::all(view.now.centre), before = Wide<Tag>::all(view.before.centre);
  const auto goes = hn::Set(Tag(), view.goes);
  return diagonal_of<Tag>(view.count, [&](int i) HWY_ATTR {
    const auto position = Wide<Tag>::load(view.position + i).minus(centre);
    return turn.take(Wide<Tag>::load(view.step + i).times(goes),
                     since.take(Wide<Tag>::load(view.previous + i).minus(before), position));
  });
}

using All = hn::ScalableTag<double>;
using One = hn::CappedTag<double, 1>;

double places_off(const Extrapolation::View& view) {
  return view.count < int(hn::Lanes(All())) ? places_off_by<One>(view) : places_off_by<All>(view);
}

double ways_off(const Extrapolation::View& view) {
  return view.count < int(hn::Lanes(All())) ? ways_off_by<One>(view) : ways_off_by<All>(view);
}

}  // namespace
}  // namespace pliant::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace pliant {

HWY_EXPORT(places_off);
HWY_EXPORT(ways_off);

namespace {

constexpr int samples = 32;        // points that tell how a body turns
constexpr double most_steps = 16;  // that lists last

std::size_t stride(const std::vector<Vec3>& points) {
  return std::max<std::size_t>(1, points.size() / samples);
}

Vec3 centre_of(const std::vector<Vec3>& points) {
  Vec3 sum = Vec3::Zero();
  double count = 0;
  for (std::size_t i = 0; i < points.size(); i += stride(points), ++count) sum += points[i];
  return sum / count;
}

}  // namespace

Extrapolation::Frame Extrapolation::frame_of(const std::vector<Vec3>& points) const {
  const Vec3 centre = centre_of(points);
  Mat3 correlation = Mat3::Zero();
  for (std::size_t i = 0; i < points.size(); i += stride(points))
    correlation += (points[i] - centre) * start_[i].transpose();
  const Mat3 turn = polar_rotation(correlation);
  return {turn.allFinite() ? turn : Mat3(Mat3::Identity()), centre};
}

Extrapolation::View Extrapolation::view(const Positions& points, double goes) const {
  return {.position = points.position.data(),
          .previous = points.previous.data(),
          .start = start_.data(),
          .step = step_.data(),
          .count = points.count(),
          .substeps = elapsed_ / h_,
          .goes = goes,
          .now = now_,
          .before = before_};
}

/// Of their speed, with which points would have been foreseen best.
double Extrapolation::best_share(const Positions& points) const {
  if (elapsed_ == 0 || start_.size() != points.position.size()) return 1;
  double best = 1, least = std::numeric_limits<double>::infinity();
  for (const double share : {1.0, 0.5, 0.0}) {
    const double off = HWY_DYNAMIC_DISPATCH(places_off)(view(points, share));
    if (off < least) best = share, least = off;
  }
  return best;
}

void Extrapolation::start_here(const Positions& points, double h, double step,
                               const Limits& limits) {
  goes_ = best_share(points);
  start_ = points.position;
  now_ = {Mat3::Identity(), centre_of(points.position)};
  for (Vec3& p : start_) p -= now_.centre;
  before_ = frame_of(points.previous);
  step_.resize(start_.size());
  Box steps;
  for (std::size_t i = 0; i < step_.size(); ++i) {
    step_[i] = seen(points.position[i], points.previous[i]);
    steps.add(step_[i]);
  }
  h_ = h;
  limits_ = limits;
  const double fastest = steps.extent().norm();
  if (!(fastest <= limits.shivers)) goes_ = 1;
  goes_apart_ = goes_ * fastest;
  const double ways = goes_apart_ * step / h;
  lasts_ = step * std::clamp(limits.steady / std::max(ways, 1e-300), 1.0, most_steps);
  if (ways > limits.most) lasts_ = std::max(h, step * limits.most / ways);
  elapsed_ = off_ = 0;
  set_step_off((1 - goes_) * fastest);
}

void Extrapolation::take_ways(std::vector<Vec3>& ways) const {
  ways.resize(step_.size());
  const double substeps = goes_ / share();
  for (std::size_t i = 0; i < ways.size(); ++i) ways[i] = substeps * step_[i];
}

void Extrapolation::follow(double way, double went) {
  elapsed_ += h_;
  off_ += went + goes_apart_;
  step_off_ = way;
}

void Extrapolation::look(const Positions& points, double slack) {
  if (start_.size() != points.position.size() || start_.empty()) return;
  now_ = frame_of(points.position);
  off_ = HWY_DYNAMIC_DISPATCH(places_off)(view(points, goes_));
  if (off_ + 2 * step_off_ <= slack) return;
  before_ = frame_of(points.previous);
  set_step_off(HWY_DYNAMIC_DISPATCH(ways_off)(view(points, goes_)));
}

/// What is near each other also goes so much further by turning with the body.
void Extrapolation::set_step_off(double among_points) {
  step_off_ = among_points + limits_.near * (now_.turn - before_.turn).norm();
}

bool Extrapolation::strayed(int count, double slack, double h) const {
  if (h != h_ || int(start_.size()) != count) return true;
  return elapsed_ > (1 + 1e-9) * lasts_ || !(off_ + 2 * step_off_ <= slack);
}

}  // namespace pliant
#endif
