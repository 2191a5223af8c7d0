#pragma once

#include "math/types.h"

namespace pliant {

/// The rotation closest to F: R of F = R S, with determinant +1 also where F is turned inside out.
/// Where F has lost two directions there are many; then the one that turns least. None for points.
Mat3 polar_rotation(const Mat3& F);

}  // namespace pliant
