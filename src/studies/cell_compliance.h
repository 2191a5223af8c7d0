#pragma once

#include "studies/free_compliance.h"

namespace pliant {

/// The judge of thin walls: triquadratic bricks of 4 x 4 x 4 voxels, of which those that the
/// surface cuts count with the share that is inside (finite cells: Parvizian, Duester, Rank 2007).
/// So walls have their own thickness and not a whole number of voxels. Linear elasticity of
/// modulus 1. `voxels`: about so many inside the surface, which may be open.
Compliances cell_compliance(const TriangleMesh& surface, int voxels, const FreeLoads& loads,
                            double poisson);

}  // namespace pliant
