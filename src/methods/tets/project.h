#pragma once

#include <vector>

#include "methods/tets/compliance.h"

namespace pliant::tets {

/// Of the two constraints of a tet; zero at the start of a substep, kept between its iterations.
struct Multipliers {
  double shape = 0;
  double volume = 0;
};

enum class Projection {
  done,
  capped,     // the move was shortened to `reach`
  collapsed,  // all corners in one point: no direction to go, nothing was moved
  skipped,    // the move was not finite; nothing was moved
};

/// Solves the shape and the volume constraint of one tet together (a 2 x 2 system), the other tets
/// held. Moves corners by mobility times gradient, so linear momentum is kept, and angular momentum
/// about the positions it finds. At rest nothing moves, whatever the stiffness. `reach` [m] is the
/// farthest any corner may go at once: near-flat tets would otherwise be thrown; infinity = off.
Projection project(const Tet& nodes, const Mat3& inverse_rest, const Compliance& compliance,
                   double reach, const std::vector<double>& mobility, std::vector<Vec3>& position,
                   Multipliers& multipliers);

}  // namespace pliant::tets
