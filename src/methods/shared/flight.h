#pragma once

#include "body/nodes.h"

namespace pliant {

/// Velocities at the start of a substep that nobody has written down yet: the ways of the substep
/// before over its length; then a share of what is not the given rigid motion is taken, except from
/// nodes that were held. Saves two visits to every node.
struct LateVelocities {
  double per_h = 0;               // [1/s] of the substep before; 0 = nodes.velocity has them
  const double* share = nullptr;  // per node; null = nothing is taken
  Vec3 centre = Vec3::Zero();     // of the rigid motion
  Vec3 drift = Vec3::Zero();
  Vec3 spin = Vec3::Zero();

  /// Of node n. Which nodes were held is read from their mobility.
  Vec3 of(const Nodes& nodes, int n) const {
    if (per_h == 0) return nodes.velocity[n];
    const Vec3 velocity = per_h * (nodes.position[n] - nodes.previous[n]);
    if (!share || nodes.mobility[n] == 0) return velocity;
    const Vec3 rigid = drift + spin.cross(nodes.position[n] - centre);
    return velocity + share[n] * (rigid - velocity);
  }
};

/// Free flight of the nodes [begin, end) for h seconds: previous = where they are, velocity gains
/// what `force` gives it, position goes along. Held nodes go to their target. Sets mobility.
/// What every position-based method does first. Threads may share the nodes.
void fly(Nodes& nodes, int begin, int end, double h, const LateVelocities& late = {});

/// The other end of a substep: velocity = the way gone / h.
void velocities_from_ways(Nodes& nodes, int begin, int end, double h);

}  // namespace pliant
