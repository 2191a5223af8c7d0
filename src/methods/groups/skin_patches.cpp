#include "methods/groups/skin_patches.h"

#include <algorithm>

// Under a force f on a spot of size d an elastic solid gives way by about f / (E d). The filter of
// a cell of size L with n vertices on its skin, d = L / sqrt(n) apart, holds each with E d^2 / L
// only: right for cells that bend, L / d times too soft against what touches a single vertex. A
// stiffer filter would lock bending; a patch is too small to feel it (a bar sags a few percent
// less). Wider patches hold finer skins better still, but cells of many vertices then bend too
// little.

namespace pliant::groups {
namespace {

constexpr double strength = 2;  // of E d; from 1 on bodies rest on each other without trouble
constexpr double share_of_volume = 1e-9;  // of a cell: no law is felt
constexpr double deep_weight = 0.5;       // of the particle below, against one for a vertex
// Of what lies below a patch: its depth over its distance, or over the spacing if that is more.
constexpr double least_slope = 0.05, steep = 0.3;

struct SkinGraph {
  std::vector<std::vector<int>> near;  // per particle, rising; empty = not on the skin
  std::vector<Vec3> normal;            // of any length
};

SkinGraph skin_graph(std::span<const Triangle> triangles, const std::vector<Vec3>& rest) {
  SkinGraph graph{std::vector<std::vector<int>>(rest.size()),
                  std::vector<Vec3>(rest.size(), Vec3::Zero())};
  for (const Triangle& t : triangles) {
    const Vec3 area = (rest[t[1]] - rest[t[0]]).cross(rest[t[2]] - rest[t[0]]);
    for (int k = 0; k < 3; ++k) {
      const int a = t[k], b = t[(k + 1) % 3];
      graph.normal[a] += area;
      if (a == b) continue;  // seams of the given surface may fall together
      graph.near[a].push_back(b);
      graph.near[b].push_back(a);
    }
  }
  for (std::vector<int>& list : graph.near) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
  }
  return graph;
}

/// Vertices whose rings cover the skin: first such that rings do not share vertices, then where
/// some are still left out.
std::vector<int> centres(const SkinGraph& graph) {
  std::vector<char> covered(graph.near.size(), 0);
  std::vector<int> result;
  for (const bool apart : {true, false})
    for (std::size_t v = 0; v < covered.size(); ++v) {
      const std::vector<int>& ring = graph.near[v];
      if (ring.empty() || covered[v]) continue;
      if (apart && std::any_of(ring.begin(), ring.end(), [&](int q) { return covered[q]; }))
        continue;
      covered[v] = 1;
      for (const int q : ring) covered[q] = 1;
      result.push_back(int(v));
    }
  return result;
}

/// A ring may be flat, and its fit needs three directions: a particle of the same cells that lies
/// well below. It takes no part in the hold, since the fit can follow it anywhere. Of those the one
/// with the fewest patches: patches that share one cannot be solved side by side. -1 = none.
int particle_below(const Groups& groups, std::span<const int> cells, const std::vector<int>& ring,
                   int v, const Vec3& normal, double spacing, const std::vector<int>& uses) {
  int found = -1;
  double steepest = least_slope;
  for (const int g : cells)
    for (const int q : groups.members(g)) {
      const Vec3 way = groups.rest[q] - groups.rest[v];
      const double slope = std::abs(normal.dot(way)) / std::max(spacing, way.norm());
      if (slope < steepest || q == v || std::binary_search(ring.begin(), ring.end(), q)) continue;
      // Steep ones are as good as each other.
      if (found >= 0 && slope > steep && steepest == steep && uses[q] >= uses[found]) continue;
      found = q;
      steepest = std::min(slope, steep);
    }
  return found;
}

}  // namespace

void add_skin_patches(std::span<const Triangle> triangles, std::span<const Material> materials,
                      Groups& groups) {
  const SkinGraph graph = skin_graph(triangles, groups.rest);
  std::vector<std::vector<int>> cells(groups.rest.size());
  for (int g = 0; g < groups.size(); ++g)
    for (const int p : groups.members(g)) cells[p].push_back(g);
  std::vector<int> uses(groups.rest.size(), 0);  // patches
  for (const int v : centres(graph)) {
    const std::vector<int>& ring = graph.near[v];
    double spacing = 0;
    for (const int q : ring)
      spacing += (groups.rest[q] - groups.rest[v]).norm() / double(ring.size());
    const Vec3 normal = graph.normal[v].normalized();
    const int below = particle_below(groups, cells[v], ring, v, normal, spacing, uses);
    if (below < 0) continue;
    std::vector<int> patch = ring;
    patch.push_back(v);
    groups.weight.insert(groups.weight.end(), patch.size(), 1);
    groups.weight.push_back(deep_weight);
    patch.push_back(below);
    for (const int p : patch) ++uses[p];
    const int cell = cells[v][0], made_of = groups.material[cell];
    groups.add(patch, share_of_volume * groups.volume[cell], made_of);
    groups.hold.push_back(strength * *materials[made_of].young * spacing * double(patch.size()));
  }
}

}  // namespace pliant::groups
