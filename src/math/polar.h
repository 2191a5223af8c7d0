#pragma once

#include "math/types.h"

namespace pliant {

/// The rotation closest to F: R of F = R S, with determinant +1 also where F is turned inside out.
/// Where F has lost two directions there is no closest one; then `otherwise`.
Mat3 polar_rotation(const Mat3& F, const Mat3& otherwise = Mat3::Identity());

}  // namespace pliant
