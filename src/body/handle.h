#pragma once

#include <limits>
#include <vector>

#include "math/motion.h"

namespace pliant {

/// Vertices of the drawn skin that are held along one direction each and slide across it: rollers,
/// planes of symmetry.
struct Rollers {
  std::vector<int> vertex;
  std::vector<Vec3> place;      // [m]
  std::vector<Vec3> direction;  // unit length; a vertex may come with up to three
};

/// Nodes that the scene moves: at rest (a pin), along keyframes, or turning. Or vertices of the
/// drawn skin, for methods that hold those.
struct Handle {
  std::vector<int> nodes;
  std::vector<Vec3> rest;  // [m] where each of them is while the motion is at rest
  std::vector<int> vertices;
  std::vector<Vec3> vertex_rest;  // [m]
  Rollers rollers;                // instead, of static scenes
  Motion motion;
  double release = std::numeric_limits<double>::infinity();  // [s] free from then on
};

}  // namespace pliant
