#pragma once

#include "body/nodes.h"

namespace pliant {

/// Free flight of the nodes [begin, end) for h seconds: previous = where they are, velocity gains
/// what `force` gives it, position goes along. Held nodes go to their target. Sets mobility.
/// What every position-based method does first. Threads may share the nodes.
void fly(Nodes& nodes, int begin, int end, double h);

/// The other end of a substep: velocity = the way gone / h.
void velocities_from_ways(Nodes& nodes, int begin, int end, double h);

}  // namespace pliant
