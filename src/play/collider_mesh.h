#pragma once

#include "contact/colliders/collider.h"

namespace pliant {

/// The surface of a bounded collider in its own coordinates, for pictures and files; empty for
/// planes.
TriangleMesh surface_of(const ColliderShape& shape);

}  // namespace pliant
