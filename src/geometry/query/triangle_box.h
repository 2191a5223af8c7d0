#pragma once

#include "math/types.h"

namespace pliant {

/// Whether a triangle has a point in common with the box of this centre and half size. Exact up to
/// rounding; touching counts.
bool triangle_meets_box(const std::array<Vec3, 3>& triangle, const Vec3& centre, const Vec3& half);

}  // namespace pliant
