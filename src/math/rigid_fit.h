#pragma once

#include <span>

#include "math/types.h"

namespace pliant {

/// The rigid motion (never a reflection) that carries `from` to `to` with the least sum of weight
/// times squared distance. Weights must be positive somewhere; where points leave a turn open (all
/// on a line or in one place) any best one is returned.
Pose best_rigid_fit(std::span<const Vec3> from, std::span<const Vec3> to,
                    std::span<const double> weight);

/// Weighted root mean square distance [m] that the best rigid motion leaves: 0 = the same shape.
double shape_distance(std::span<const Vec3> from, std::span<const Vec3> to,
                      std::span<const double> weight);

}  // namespace pliant
