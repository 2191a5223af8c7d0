#pragma once

#include "methods/nurbs/kinematics.h"

namespace pliant::nurbs {

/// Edges of only one triangle: the borders of all patches.
struct Border {
  std::vector<std::array<int, 2>> edge;
  std::vector<double> length;  // [m] per vertex: half of its edges; 0 = not on a border
};
Border find_border(const Tessellation& surface);

/// Holds borders of neighbouring patches together whose control points are not welded: each vertex
/// of a border follows the nearest border of every other patch within reach, a gap between them
/// deformed with the solid. Unstitched seams open by several percent of a stretch.
std::vector<ErrorRow> stitch_seams(const Net& net, const std::vector<Sample>& samples,
                                   const Fitter& fitter, int nodes, double stiffness);

}  // namespace pliant::nurbs
