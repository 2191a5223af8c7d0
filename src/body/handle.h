#pragma once

#include <limits>
#include <vector>

#include "math/motion.h"

namespace pliant {

/// Nodes that the scene moves: at rest (a pin), along keyframes, or turning. Or vertices of the
/// drawn skin, for methods that hold those.
struct Handle {
  std::vector<int> nodes;
  std::vector<Vec3> rest;  // [m] where each of them is while the motion is at rest
  std::vector<int> vertices;
  std::vector<Vec3> vertex_rest;  // [m]
  Motion motion;
  double release = std::numeric_limits<double>::infinity();  // [s] free from then on
};

}  // namespace pliant
