#pragma once

#include "math/types.h"

namespace pliant {

/// On which side of the plane through a, b, c the point d lies: +1 = where a, b, c turn clockwise
/// (below), -1 = above, 0 = in the plane. That is the sign of (a-d) x (b-d) . (c-d), and it is
/// exact: where rounding could decide, the sum is formed without any.
int orientation(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d);

}  // namespace pliant
