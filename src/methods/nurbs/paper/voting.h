#pragma once

#include "methods/nurbs/paper/part_surface.h"

namespace pliant::nurbs::paper {

/// All faces as triangles that look outwards, whatever the file says: a face looks to the side from
/// which more rays escape, or, where it is buried, from which they go further.
TriangleMesh outward_faces(const PartSurface& surface);

}  // namespace pliant::nurbs::paper
