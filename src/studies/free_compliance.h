#pragma once

#include "body/body.h"
#include "geometry/sample/occupancy.h"
#include "methods/shared/galerkin/free_loads_solver.h"
#include "methods/shared/galerkin/free_response.h"

namespace pliant {

using Compliances = galerkin::FreeResponse::Work;  // [J] of each load
/// `load` balanced.
Compliances work_of(const free_bodies::Field& load, const free_bodies::Field& movement);

/// The judge: the solid's voxels as eight-node bricks with incompatible modes (Taylor, Beresford,
/// Wilson 1976), which bend without locking. Linear elasticity of modulus 1.
Compliances brick_compliance(const Occupancy& solid, const FreeLoads& loads, double poisson);

/// What a body of quadrature points gives, linearised at rest. Its material must have modulus 1.
Compliances body_compliance(Body& body, const FreeLoads& loads);

}  // namespace pliant
