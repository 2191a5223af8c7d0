#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "geometry/mesh/triangle_mesh.h"

// For tests and debugging: what must be true of a tracked surface, found without any code of the
// tracker.

namespace pliant::track {

/// Says what is wrong with a surface, or nothing: every directed edge is there once and so is its
/// opposite, no triangle repeats a point, the triangles at a point form one fan, all is finite.
inline std::string broken(const std::vector<Vec3>& points, const std::vector<Triangle>& triangles) {
  const int count = int(points.size());
  for (const Vec3& p : points)
    if (!p.allFinite()) return "a point is not finite";
  std::vector<std::uint64_t> edges;
  edges.reserve(3 * triangles.size());
  for (const Triangle& t : triangles)
    for (int i = 0; i < 3; ++i) {
      const int a = t[i], b = t[(i + 1) % 3];
      if (a < 0 || a >= count) return "a triangle names no point";
      if (a == b) return "a triangle repeats a point";
      edges.push_back(std::uint64_t(a) << 32 | std::uint32_t(b));
    }
  std::sort(edges.begin(), edges.end());
  if (std::adjacent_find(edges.begin(), edges.end()) != edges.end())
    return "an edge is there twice";
  for (const std::uint64_t e : edges)
    if (!std::binary_search(edges.begin(), edges.end(), e << 32 | e >> 32))
      return "an edge is open";
  // Fans: from the first triangle on, the edge that leaves is the edge that enters the next.
  std::vector<std::vector<std::array<int, 2>>> around(points.size());
  for (const Triangle& t : triangles)
    for (int i = 0; i < 3; ++i) around[t[i]].push_back({t[(i + 1) % 3], t[(i + 2) % 3]});
  for (const auto& sides : around) {
    if (sides.empty()) continue;
    int at = sides[0][1];
    std::size_t steps = 1;
    while (at != sides[0][0] && steps <= sides.size()) {
      const auto side = std::find_if(sides.begin(), sides.end(),
                                     [&](const std::array<int, 2>& s) { return s[0] == at; });
      if (side == sides.end()) return "a fan is open";
      at = (*side)[1];
      ++steps;
    }
    if (steps != sides.size()) return "a point has two fans";
  }
  return "";
}

}  // namespace pliant::track
