#pragma once

#include "methods/nurbs/kinematics.h"
#include "methods/nurbs/paper/projection.h"

namespace pliant::nurbs::paper {

/// Holds the borders of parts to the other parts that they lie on or near: each vertex of a border
/// follows the nearest place of every part within reach, a gap between them deformed with that
/// part's cluster, so that affine motion costs nothing.
std::vector<ErrorRow> stitch(const Net& net, const PartSurface& surface,
                             const Projection& projection);

}  // namespace pliant::nurbs::paper
