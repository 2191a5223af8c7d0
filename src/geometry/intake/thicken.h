#pragma once

#include "geometry/mesh/triangle_mesh.h"

namespace pliant {

/// A solid of the given thickness [m] behind an oriented surface: the surface itself, its copy
/// moved inwards, and a band along every open edge. Points of the surface keep their indices, so
/// do its triangles and groups. Made for sheets; where a surface bends more tightly than its
/// thickness, the copy passes through itself.
TriangleMesh thickened(const TriangleMesh& surface, double thickness);

}  // namespace pliant
