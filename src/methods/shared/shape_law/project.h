#pragma once

#include "methods/shared/shape_law/compliance.h"
#include "methods/shared/two_constraints.h"

namespace pliant::shape_law {

/// The members of one group, taken out of the body: places to be changed, and inverse masses
/// (0 = held).
struct Members {
  std::span<Vec3> x;
  std::span<const double> w;
};

// All of these move members by inverse mass times gradient, so linear momentum is kept, and
// angular momentum about the places they find. `reach` [m] limits the root mean square (by weight,
// members counted as if their weights were their masses) of the moves of one projection.

/// Solves the shape and the volume constraint of group g together (a 2 x 2 system), the other
/// groups held. At rest nothing moves, whatever the stiffness.
Projection project(const Shapes& shapes, int g, const Compliance& compliance, double reach,
                   Members members, Multipliers& multipliers);

/// The same as papers print it: shape first, then volume from where that leads. Rest is no fixed
/// point; volume is met last.
Projection project_in_turn(const Shapes& shapes, int g, const Compliance& compliance, double reach,
                           Members members, Multipliers& multipliers);

/// Hooke's law for Green's strain as one constraint, C = sqrt(2 Psi / E). Its gradient is F S / (E
/// C): the stress in that order, not S F as printed.
Projection project_hookean(const Shapes& shapes, int g, const Compliance& compliance, double reach,
                           Members members, Multipliers& multipliers);

/// Members on a line have no law but a bar's: the distance of the outermost two.
Projection project_line(const Shapes& shapes, int g, const Compliance& compliance, double reach,
                        Members members, Multipliers& multipliers);

/// The baseline: draws members to the best rigid fit of the group, by `compliance.match`. The same
/// as a corotated law with nu = 0 and as stiff towards all that the fit cannot see.
void match_shape(const Shapes& shapes, int g, const Compliance& compliance, Members members);

/// Takes `share` of what the affine fit could not see in the places `before` out of the members'
/// places, times weight over mass of each. The law moves members by the same weight over mass from
/// the same places, so the two hardly meet; they never do where weights are masses.
void filter(const Shapes& shapes, int g, double share, Places before, Members members);

}  // namespace pliant::shape_law
