#pragma once

#include <cstdint>
#include <vector>

#include "geometry/query/bvh.h"

namespace pliant {

/// Whether two triangles of a mesh have more in common than the points they share: an edge passes
/// through the other one, or they overlap in a plane. Touching counts as fine.
bool triangles_overlap(const TriangleMesh& mesh, int first, int second);

struct SelfIntersections {
  std::vector<int> triangles;  // that overlap another one, rising
  std::int64_t pairs = 0;      // of them
  bool complete = true;        // false: so many that the search was ended
};

/// Looks at the pairs whose boxes overlap. The result does not depend on the number of threads.
SelfIntersections find_self_intersections(const TriangleMesh& mesh, const Bvh& bvh,
                                          std::int64_t most_tests = 200'000'000);

}  // namespace pliant
