#pragma once

#include "methods/nurbs/paper/blending.h"

namespace pliant::nurbs::paper {

/// Parts that deform about one origin. Every part belongs to one cluster, whose members are the
/// parts that are blended together somewhere inside; members may belong to other clusters.
struct Clusters {
  std::vector<std::vector<int>> members = {};  // parts, rising
  std::vector<int> of = {};                    // per part
  int candidates = 0;                          // sets of parts that are blended somewhere
};

/// Each part takes the set in whose region it has the most weight, or with `lightest` the least.
/// The paper's flow problem is that choice: its only capacities that bind are one set per part.
/// A part that is blended with no other is its own cluster.
Clusters choose_clusters(const std::vector<Blend>& blends, const std::vector<double>& volume,
                         int parts, bool lightest);

}  // namespace pliant::nurbs::paper
