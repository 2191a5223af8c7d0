#include "geometry/mesh/topology.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "core/disjoint_sets.h"
#include "geometry/mesh/sides.h"

namespace pliant {
namespace {

std::vector<int> shells_of(const std::vector<Side>& sides, int triangles) {
  DisjointSets sets(triangles);
  for_each_edge(sides, [&](const Side* begin, const Side* end) {
    for (const Side* side = begin + 1; side < end; ++side)
      sets.join(begin->index / 3, side->index / 3);
  });
  return sets.numbers();
}

}  // namespace

Topology topology(const TriangleMesh& mesh) {
  Topology found;
  const std::vector<Side> sides = sorted_sides(mesh.triangles);
  int odd = 0;
  for_each_edge(sides, [&](const Side* begin, const Side* end) {
    const int count = int(end - begin);
    const int forward = int(std::count_if(begin, end, [](const Side& s) { return s.forward; }));
    ++found.edges;
    found.open_edges += count == 1;
    found.crowded_edges += count > 2;
    odd += count % 2;
    // As many one way as the other, but for the one that has no partner.
    found.twisted_edges += std::abs(2 * forward - count) > 1;
  });
  found.closed = odd == 0 && !mesh.triangles.empty();
  const std::vector<int> shell = shells_of(sides, int(mesh.triangles.size()));
  if (!shell.empty()) found.shells = 1 + *std::max_element(shell.begin(), shell.end());
  return found;
}

bool is_closed(const TriangleMesh& mesh) { return topology(mesh).closed; }
bool is_oriented(const TriangleMesh& mesh) { return topology(mesh).oriented(); }

std::vector<int> shell_of_triangles(const TriangleMesh& mesh) {
  return shells_of(sorted_sides(mesh.triangles), int(mesh.triangles.size()));
}

std::vector<std::vector<int>> boundary_loops(const TriangleMesh& mesh) {
  // Every point has an even number of odd edges, so a walk along them can only end where it began.
  struct Step {
    int from, to;
    int edge;
    bool along;  // in the triangle's own sense: preferred
  };
  std::vector<Step> steps;
  int edges = 0;
  for_each_edge(sorted_sides(mesh.triangles), [&](const Side* begin, const Side* end) {
    if ((end - begin) % 2 == 0 || begin->low == begin->high) return;
    const int forward = int(std::count_if(begin, end, [](const Side& s) { return s.forward; }));
    const bool along = 2 * forward > end - begin;
    steps.push_back({begin->low, begin->high, edges, along});
    steps.push_back({begin->high, begin->low, edges, !along});
    ++edges;
  });
  std::sort(steps.begin(), steps.end(), [](const Step& a, const Step& b) {
    if (a.from != b.from) return a.from < b.from;
    if (a.along != b.along) return a.along;
    return a.to < b.to;
  });
  std::vector<char> used(edges, 0);
  const auto next_from = [&](int point) -> const Step* {
    auto step = std::lower_bound(steps.begin(), steps.end(), point,
                                 [](const Step& s, int p) { return s.from < p; });
    for (; step != steps.end() && step->from == point; ++step)
      if (!used[step->edge]) return &*step;
    return nullptr;
  };
  std::vector<std::vector<int>> loops;
  for (const Step& start : steps) {
    if (used[start.edge] || !start.along) continue;
    std::vector<int>& loop = loops.emplace_back();
    for (const Step* step = &start; step; step = next_from(step->to)) {
      used[step->edge] = true;
      loop.push_back(step->from);
      if (step->to == start.from) break;
    }
  }
  return loops;
}

bool face_outwards(TriangleMesh& mesh) {
  if (!(volume(mesh) < 0)) return false;
  for (Triangle& t : mesh.triangles) std::swap(t[1], t[2]);
  return true;
}

}  // namespace pliant
