#pragma once

#include "body/method.h"
#include "methods/shared/galerkin/system.h"

namespace pliant::galerkin {

/// Newton's method for nodes.force = elastic forces, held nodes and grips at their targets. Steps
/// are full as long as they lead somewhere: bending makes the residual rise before it falls. When
/// none of several does, it returns to the best state and goes on with half steps; when that fails
/// too, the load is brought on in more steps.
StaticReport find_equilibrium(Elastic& elastic, System& system, Grips& grips, Nodes& nodes,
                              double wanted_residual);

}  // namespace pliant::galerkin
