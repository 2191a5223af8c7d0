#pragma once

#include <limits>
#include <vector>

#include "math/types.h"

namespace pliant {

/// A force the scene applies to part of a body during a time window.
struct Load {
  enum class Kind {
    force,         // `vector` [N] in all, spread over `vertices` by `share`
    pressure,      // `pressure` [Pa] on `triangles`, against their outward normals, following them
    acceleration,  // `vector` [m/s^2] on `nodes`
    moment,        // `force` [N] on `vertices`, which sum to nothing
  };
  Kind kind = Kind::force;
  Vec3 vector = Vec3::Zero();
  double pressure = 0;
  std::vector<int> vertices;   // of the drawn skin
  std::vector<double> share;   // per vertex, sums to one
  std::vector<Vec3> force;     // per vertex
  std::vector<int> triangles;  // of the drawn skin
  std::vector<int> nodes;
  double start = 0;  // [s]
  double end = std::numeric_limits<double>::infinity();

  bool acts_at(double time) const { return time > start && time <= end; }
};

}  // namespace pliant
