#pragma once

#include <vector>

#include "math/types.h"

namespace pliant {

/// A plane that parts a body, or the part of one within polygons.
struct Cut {
  Vec3 point = Vec3::Zero();    // [m]
  Vec3 normal = Vec3::UnitY();  // any length but zero
  /// [m] Corners of simple polygons in that plane, in either sense. A piece of the body is parted
  /// where all of its section lies within them. Empty: the plane is endless.
  std::vector<std::vector<Vec3>> within = {};
  /// [m] Corners of a convex polygon: sections wholly within it are spared. A blade was there
  /// before.
  std::vector<Vec3> spared = {};
};

}  // namespace pliant
