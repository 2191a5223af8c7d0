#pragma once

#include <optional>
#include <vector>

#include "math/types.h"

namespace pliant {

/// Where something is at a given time: at rest, along keyframes, or turning about an axis. Used for
/// colliders and for handles, which are both moved by the scene and not by physics.
struct Motion {
  struct Key {
    double time = 0;               // [s]
    Vec3 move = Vec3::Zero();      // [m] away from the rest placement
    Quat turn = Quat::Identity();  // about `pivot`
  };
  struct Spin {
    Vec3 axis = Vec3::UnitY();  // unit length, through `pivot`
    double rate = 0;            // [rad/s]
    double start = 0;           // [s] at rest before, and again after `end`
    double end = std::numeric_limits<double>::infinity();
  };

  Vec3 pivot = Vec3::Zero();
  std::vector<Key> keys;  // by rising time; straight lines and slerp between, at rest outside
  std::optional<Spin> spin;

  bool moves() const { return !keys.empty() || spin.has_value(); }

  /// How a point of the rest placement is carried at `time`. Spin first, then keys.
  Pose at(double time) const;
};

}  // namespace pliant
