#pragma once

#include "core/fields.h"
#include "materials/neo_hookean.h"

namespace pliant {

// What position-based methods have in common whose elements (tets, groups) hold a neo-Hookean law
// by two constraints, one on shape and one on volume.

/// Of the constraints of an element; zero at the start of a substep, kept between its iterations.
struct Multipliers {
  double shape = 0;
  double volume = 0;
};

enum class Projection {
  done,
  capped,     // the move was shortened to `reach`
  collapsed,  // all nodes in one point: no direction to go, nothing was moved
  skipped,    // the move was not finite; nothing was moved
};

/// Change of both multipliers; the matrix is symmetric and positive.
Multipliers solve_pair(double a11, double a12, double a22, double r1, double r2);

/// What E and nu mean for the neo-Hookean law.
enum class Lame {
  consistent,  // what an engineer means
  paper,       // put into the energy as papers do, which makes another material of them
};

/// How the two constraints of an element are solved.
enum class Solve {
  together,  // as one 2 x 2 system: rest stays at rest
  in_turn,   // shape, then volume, as papers do; plain kernel
};

void describe(Fields& fields, Lame& lame);
void describe(Fields& fields, Solve& solve);

/// The neo-Hookean law, or what Hooke's is like near rest. Throws InputError for a Poisson's ratio
/// that it does not allow.
NeoHookean constrained_law(double young, double poisson, bool hookean, Lame lame);

}  // namespace pliant
