// Compiled once per instruction set, as methods/tets/wide_project.cpp.

#include "core/wide_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "contact/own_motion.cpp"
#include <algorithm>
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
#include <limits>

#include "contact/own_motion.h"
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

/// At least as many nodes as a register holds.
template <class Tag>
OwnMotion::Stray stray_by(const OwnMotion::View& view) {
  const Turn<Tag> now(view.now.turn), since(view.now.turn * view.before.turn.transpose());
  const auto centre = Wide<Tag>::all(view.now.centre), before = Wide<Tag>::all(view.before.centre);
  const auto goes = hn::Set(Tag(), view.goes), ways = hn::Set(Tag(), view.substeps * view.goes);
  auto sum = hn::Zero(Tag());  // catches a NaN that min and max pass over
  Wide<Tag> off, step;
  const auto look_at = [&](int i) HWY_ATTR {
    const auto went = Wide<Tag>::load(view.step + i);
    const auto position = Wide<Tag>::load(view.position + i).minus(centre);
    off = now.take(Wide<Tag>::load(view.start + i).plus(ways, went), position);
    step = now.take(went.times(goes),
                    since.take(Wide<Tag>::load(view.previous + i).minus(before), position));
    sum = hn::Add(sum, hn::Add(hn::Add(off.x, off.y), off.z));
  };
  look_at(0);
  Bounds<Tag> offs(off), steps(step);
  const int lanes = int(hn::Lanes(Tag()));
  for (int i = lanes; i < view.count; i += lanes) {
    look_at(std::min(i, view.count - lanes));  // the last ones are seen twice
    offs.add(off);
    steps.add(step);
  }
  return {offs.diagonal() + 0 * hn::GetLane(hn::SumOfLanes(Tag(), sum)), steps.diagonal()};
}

OwnMotion::Stray stray_of(const OwnMotion::View& view) {
  using Tag = hn::ScalableTag<double>;
  return view.count < int(hn::Lanes(Tag())) ? stray_by<hn::CappedTag<double, 1>>(view)
                                            : stray_by<Tag>(view);
}

}  // namespace
}  // namespace pliant::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace pliant {

HWY_EXPORT(stray_of);

namespace {

constexpr int samples = 64;        // nodes that tell how a body turns
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

OwnMotion::Frame OwnMotion::frame_of(const std::vector<Vec3>& points) const {
  const Vec3 centre = centre_of(points);
  Mat3 correlation = Mat3::Zero();
  for (std::size_t i = 0; i < points.size(); i += stride(points))
    correlation += (points[i] - centre) * start_[i].transpose();
  const Mat3 turn = polar_rotation(correlation);
  return {turn.allFinite() ? turn : Mat3(Mat3::Identity()), centre};
}

OwnMotion::Stray OwnMotion::stray(const Nodes& nodes, double goes) const {
  return HWY_DYNAMIC_DISPATCH(stray_of)({.position = nodes.position.data(),
                                         .previous = nodes.previous.data(),
                                         .start = start_.data(),
                                         .step = step_.data(),
                                         .count = nodes.size(),
                                         .substeps = elapsed_ / h_,
                                         .goes = goes,
                                         .now = now_,
                                         .before = before_});
}

/// Of their speed, with which nodes would have been foreseen best.
double OwnMotion::best_share(const Nodes& nodes) const {
  if (elapsed_ == 0 || start_.size() != nodes.position.size()) return 1;
  double best = 1, least = std::numeric_limits<double>::infinity();
  for (const double share : {1.0, 0.5, 0.0}) {
    const double off = stray(nodes, share).off;
    if (off < least) best = share, least = off;
  }
  return best;
}

void OwnMotion::start_here(const Nodes& nodes, double h, double step, const Limits& limits) {
  goes_ = best_share(nodes);
  start_ = nodes.position;
  now_ = {Mat3::Identity(), centre_of(nodes.position)};
  for (Vec3& p : start_) p -= now_.centre;
  before_ = frame_of(nodes.previous);
  step_.resize(start_.size());
  Box steps;
  for (std::size_t i = 0; i < step_.size(); ++i) {
    step_[i] = seen(nodes.position[i], nodes.previous[i]);
    steps.add(step_[i]);
  }
  h_ = h;
  limits_ = limits;
  const double fastest = steps.extent().norm();
  if (!(limits.spread * fastest <= limits.shivers)) goes_ = 1;
  const double ways = goes_ * fastest * step / h;
  lasts_ = step * std::clamp(limits.steady / std::max(ways, 1e-300), 1.0, most_steps);
  if (ways > limits.most) lasts_ = std::max(h, step * limits.most / ways);
  elapsed_ = off_ = 0;
  set_step_off((1 - goes_) * fastest);
}

void OwnMotion::follow(const Nodes& nodes) {
  elapsed_ += h_;
  if (start_.size() != nodes.position.size() || start_.empty()) return;
  before_ = now_;
  now_ = frame_of(nodes.position);
  const Stray now = stray(nodes, goes_);
  off_ = limits_.spread * now.off;
  set_step_off(now.step);
}

/// What is near each other also goes so much further by turning with the body.
void OwnMotion::set_step_off(double among_nodes) {
  step_off_ = limits_.spread * among_nodes + limits_.near * (now_.turn - before_.turn).norm();
}

bool OwnMotion::strayed(const Nodes& nodes, double slack, double h) const {
  if (h != h_ || start_.size() != nodes.position.size()) return true;
  return elapsed_ > (1 + 1e-9) * lasts_ || !(off_ + 2 * step_off_ <= slack);
}

}  // namespace pliant
#endif
