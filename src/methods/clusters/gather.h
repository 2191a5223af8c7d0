#pragma once

#include <functional>

#include "geometry/query/neighbours.h"
#include "methods/clusters/matter.h"

namespace pliant::clusters {

// Mueller's numbers (large elasto-plastic deformation), in radii r.
inline constexpr double spacing_of_clusters = 3;  // no centre this close to another of its round
inline constexpr double reach_of_clusters = 4;    // members lie within
inline constexpr int fewest_clusters = 2;         // of a particle, unless there is nobody around

/// What new clusters take over from those around: how much these are stretched at present.
struct Source {
  Vec3 centre;
  Mat3 map;  // arms to members
  double strain, damage;
  int piece;
};
std::vector<Source> sources(const Matter& matter, const Nodes& nodes);

/// Whether a particle may belong to a cluster round another: true where a way through the body
/// joins them. `from` rises only when the last question was about another one.
using Joined = std::function<bool(int from, int to)>;

/// Makes clusters round candidates in random order until each candidate lies near a centre, one
/// round. They see the elastic stretch that `sources` see there. `near`: all particles.
void gather(Matter& matter, const Nodes& nodes, const Neighbours& near, std::vector<int> candidates,
            const std::vector<Source>& sources, const Joined& joined = {});

/// All clusters of a body at rest: rounds until every particle has enough.
void gather_all(Matter& matter, const Nodes& nodes);

}  // namespace pliant::clusters
