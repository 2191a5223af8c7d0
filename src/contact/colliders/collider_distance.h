#pragma once

#include <limits>
#include <optional>

#include "contact/colliders/collider.h"

namespace pliant {

/// Where a point meets a collider's surface.
struct ColliderHit {
  double gap = 0;               // [m] normal . (p - point); negative = inside
  Vec3 normal = Vec3::UnitY();  // unit length, out of the solid; open meshes: towards p
  Vec3 point = Vec3::Zero();    // on the surface
};

/// Nearest surface point of a shape, in its local coordinates, within `reach`; inside counts by its
/// depth. Solids answer always where that costs nothing; meshes only within reach.
std::optional<ColliderHit> shape_distance(const ColliderShape& shape, const Vec3& p,
                                          double reach = std::numeric_limits<double>::infinity());

/// The same for a point in the world and a collider at `pose`.
std::optional<ColliderHit> collider_distance(
    const Collider& collider, const Pose& pose, const Vec3& p,
    double reach = std::numeric_limits<double>::infinity());

/// A hit in local coordinates, carried into the world.
ColliderHit in_world(const ColliderHit& hit, const Pose& pose);

}  // namespace pliant
