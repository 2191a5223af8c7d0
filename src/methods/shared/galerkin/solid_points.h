#pragma once

#include "body/solid.h"
#include "methods/shared/galerkin/law.h"
#include "methods/shared/galerkin/points.h"
#include "methods/shared/galerkin/system.h"
#include "methods/shared/inner_damping.h"

namespace pliant::galerkin {

// What a solid's materials mean for a body of quadrature points.

/// Material 0 is the solid's own, then those of its regions.
const Material& material(const Solid& solid, int index);

/// One law per material; a sentence where nu is more than the method can.
std::vector<Law> laws(const Solid& solid, Law::Kind kind, std::vector<std::string>& warnings);

/// The materials' damping at each node, and which nodes hang together.
InnerDamping damping(const Points& points, const Solid& solid, int nodes);

double speed_of_sound(const Solid& solid);  // [m/s] the fastest
double stiffest(const Solid& solid);        // [Pa] largest Young's modulus

/// How linear systems will be solved, and from which step length on how.
std::string solver_note(System& system, const Nodes& nodes);

}  // namespace pliant::galerkin
