#pragma once

#include <optional>

#include "contact/colliders/collider_distance.h"

// Continuous checks. The path of a vertex is straight in the collider's own frame, so it does not
// matter which of the two moves. A vertex that went in is held at the surface it came through,
// however thin the solid and however far beyond it the path ends; no time of impact is needed,
// because the ordinary solve undoes the overshoot.

namespace pliant {

/// Where the path first enters the solid from outside (open mesh: first crosses it), with the
/// surface there; `gap` is that of `to`. Nothing when it does not enter, or starts inside. Local
/// coordinates.
std::optional<ColliderHit> sweep(const ColliderShape& shape, const Vec3& from, const Vec3& to);

struct Touch {
  ColliderHit hit;       // of `to`
  bool entered = false;  // the path crossed the surface
};

/// The contact of a vertex that moved along the path: the nearest surface within `reach`, unless
/// the path entered through another one. Local coordinates.
std::optional<Touch> touch(const ColliderShape& shape, const Vec3& from, const Vec3& to,
                           double reach);

}  // namespace pliant
