#include "contact/motion/extrapolation.h"

#include <algorithm>
#include <limits>

#include "contact/motion/displacement.h"
#include "core/assert.h"
#include "math/polar.h"

namespace pliant {
namespace {

/// The diagonal of the box round some vectors; not a number where one of them is not finite.
template <class At>
double diagonal_of(int count, const At& at) {
  const DisplacementBound box = displacement_of(count, at);
  return box.max < HUGE_VAL ? 2 * box.deviation.norm() : std::numeric_limits<double>::quiet_NaN();
}

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

double places_off(const Extrapolation::View& view) {
  const double substeps = view.substeps * view.goes;
  return diagonal_of(view.count, [&](int i) -> Vec3 {
    const Vec3 foreseen = view.start[i] + substeps * view.step[i];
    return view.position[i] - view.now.centre - view.now.turn * foreseen;
  });
}

double ways_off(const Extrapolation::View& view) {
  const Mat3 since = view.now.turn * view.before.turn.transpose();
  return diagonal_of(view.count, [&](int i) -> Vec3 {
    const Vec3 moved =
        view.position[i] - view.now.centre - since * (view.previous[i] - view.before.centre);
    return moved - view.goes * (view.now.turn * view.step[i]);
  });
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
    const double off = places_off(view(points, share));
    if (off < least) best = share, least = off;
  }
  return best;
}

void Extrapolation::start_here(const Positions& points, double h, double step,
                               const Limits& limits) {
  ASSERT(h > 0 && points.position.size() == points.previous.size(), "a substep has begun");
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
  elapsed_ = 0;
  budget_.start(limits.slack);
  budget_.rebase();
  set_step_off((1 - goes_) * fastest);
}

void Extrapolation::take_ways(std::vector<Vec3>& ways) const {
  ASSERT(h_ > 0 && lasts_ >= h_, "an extrapolation was started");
  ways.resize(step_.size());
  const double substeps = goes_ / share();
  for (std::size_t i = 0; i < ways.size(); ++i) ways[i] = substeps * step_[i];
}

void Extrapolation::follow(double in_substep, double since_detection) {
  ASSERT(!(in_substep < 0) && !(since_detection < 0), "bounds are not negative");
  elapsed_ += h_;
  budget_.add(since_detection + goes_apart_);
  step_off_ = in_substep;
}

void Extrapolation::look(const Positions& points) {
  if (start_.size() != points.position.size() || start_.empty()) return;
  now_ = frame_of(points.position);
  budget_.measured(places_off(view(points, goes_)));
  if (budget_.holds(2 * step_off_)) return;
  before_ = frame_of(points.previous);
  set_step_off(ways_off(view(points, goes_)));
}

/// What is near each other also goes so much further by turning with the body.
void Extrapolation::set_step_off(double among_points) {
  step_off_ = among_points + limits_.near * (now_.turn - before_.turn).norm();
}

bool Extrapolation::strayed(int count, double h) const {
  if (h != h_ || int(start_.size()) != count) return true;
  return elapsed_ > (1 + 1e-9) * lasts_ || !budget_.holds(2 * step_off_);
}

}  // namespace pliant
