#include "math/motion.h"

#include <algorithm>

namespace pliant {
namespace {

Motion::Key interpolate(const std::vector<Motion::Key>& keys, double time) {
  const auto after =
      std::upper_bound(keys.begin(), keys.end(), time,
                       [](double t, const Motion::Key& key) { return t < key.time; });
  if (after == keys.begin()) return keys.front();
  if (after == keys.end()) return keys.back();
  const Motion::Key& a = *(after - 1);
  const Motion::Key& b = *after;
  const double s = (time - a.time) / (b.time - a.time);
  return {time, a.move + s * (b.move - a.move), a.turn.slerp(s, b.turn)};
}

}  // namespace

Pose Motion::at(double time) const {
  Quat turn = Quat::Identity();
  Vec3 move = Vec3::Zero();
  if (spin) {
    const double turning =
        std::clamp(time, spin->start, std::max(spin->start, spin->end)) - spin->start;
    turn = Quat(Eigen::AngleAxisd(spin->rate * turning, spin->axis));
  }
  if (!keys.empty()) {
    const Key key = interpolate(keys, time);
    turn = key.turn * turn;
    move = key.move;
  }
  return {turn, pivot - turn * pivot + move};
}

}  // namespace pliant
