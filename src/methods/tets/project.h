#pragma once

#include <vector>

#include "methods/shared/two_constraints.h"
#include "methods/tets/compliance.h"

namespace pliant::tets {

/// Solves the shape and the volume constraint of one tet together (a 2 x 2 system), the other tets
/// held. Moves corners by mobility times gradient, so linear momentum is kept, and angular momentum
/// about the positions it finds. At rest nothing moves, whatever the stiffness. `reach` [m] is the
/// farthest any corner may go at once: near-flat tets would otherwise be thrown; infinity = off.
Projection project(const Tet& nodes, const Mat3& inverse_rest, const Compliance& compliance,
                   double reach, const std::vector<double>& mobility, std::vector<Vec3>& position,
                   Multipliers& multipliers);

/// The same as papers print it: shape first, then volume from where that leads. Rest is no fixed
/// point; volume is met last.
Projection project_in_turn(const Tet& nodes, const Mat3& inverse_rest, const Compliance& compliance,
                           double reach, const std::vector<double>& mobility,
                           std::vector<Vec3>& position, Multipliers& multipliers);

/// Hooke's law for Green's strain as one constraint, C = sqrt(2 Psi / E) with compliance 1/(E V
/// h^2). Its gradient is F S / (E C): the stress in that order, not S F as printed.
Projection project_hookean(const Tet& nodes, const Mat3& inverse_rest, const Hookean& law,
                           double compliance, double reach, const std::vector<double>& mobility,
                           std::vector<Vec3>& position, double& multiplier);

/// First Piola-Kirchhoff stress [Pa] that the multipliers of a substep of length h stand for; near
/// that of the law when a body is at rest, and right for nu = 0.5 too, where the law knows no
/// pressure.
Mat3 stress(const Multipliers& multipliers, const Mat3& F, double volume, double h);
Mat3 stress(double multiplier, const Hookean& law, const Mat3& F, double volume, double h);

}  // namespace pliant::tets
