#pragma once

#include <vector>

#include "math/types.h"

namespace pliant {

/// The points of a cloud without those that scanners and photogrammetry leave in the air: groups of
/// less than a hundredth of all points, farther than a few times `link` [m] from the others. Kept
/// in their order. Where they would be more than a fifth, the cloud is uneven rather than dirty,
/// and nothing is left out.
std::vector<Vec3> without_outliers(const std::vector<Vec3>& points, double link);

}  // namespace pliant
