#pragma once

#include <span>

#include "geometry/mesh/triangle_mesh.h"
#include "materials/material.h"

namespace pliant::groups {

/// About as many cells as take `budget` [ms] of a frame of 1/60 s on one core of a common machine,
/// at the substeps that their stiffness asks for: stiff bodies get fewer cells than soft ones, but
/// never fewer than 200. Not timed: the same scene must be the same everywhere.
int cells_within(double budget, const TriangleMesh& surface, std::span<const Material> materials);

}  // namespace pliant::groups
