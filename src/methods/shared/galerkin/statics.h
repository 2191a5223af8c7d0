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

/// [m^2] of the skin at rest that each of its vertices stands for.
std::vector<double> vertex_areas(const Skin& skin);

/// `per_area` [Pa/m]: stiffness of the springs.
void add_rollers(const Skin& skin, const std::vector<double>& area, const Rollers& rollers,
                 double per_area, Grips& grips);

/// What holds a body in equilibrium, after elastic.update(). `first_roller`: of the grips.
void find_holding(const Elastic& elastic, const Grips& grips, int first_roller, const Nodes& nodes,
                  Holding& found);

}  // namespace pliant::galerkin
