#pragma once

#include "math/types.h"

namespace pliant {

/// The smallest rotation that takes the direction of one vector to that of another; half a turn
/// about any axis across them where they are opposite. As Eigen's, without its singular values.
Quat shortest_turn(const Vec3& from, const Vec3& to);

}  // namespace pliant
