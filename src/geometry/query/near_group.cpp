#include "geometry/query/near_group.h"

#include "core/errors.h"

namespace pliant {

NearGroup::NearGroup(const TriangleMesh& surface, const std::string& group)
    : NearGroup(surface, triangles_of_group(group, surface.groups)) {}

NearGroup::NearGroup(const TriangleMesh& surface, const std::vector<int>& triangles)
    : surface_(surface), tree_(surface), is_chosen_(surface.triangles.size(), 0) {
  for (const int t : triangles) is_chosen_[std::size_t(t)] = 1;
}

bool NearGroup::contains(const Vec3& place) const {
  const SurfacePoint nearest = tree_.closest_point(surface_, place);
  return nearest.triangle >= 0 && is_chosen_[std::size_t(nearest.triangle)];
}

std::vector<int> triangles_of_group(const std::string& name,
                                    const std::vector<TriangleMesh::Group>& groups) {
  std::vector<int> triangles;
  bool found = false;
  for (const TriangleMesh::Group& group : groups) {
    if (group.name != name) continue;
    found = true;
    triangles.insert(triangles.end(), group.triangles.begin(), group.triangles.end());
  }
  if (found) return triangles;
  constexpr std::size_t most = 40;
  std::string known;
  for (std::size_t g = 0; g < std::min(most, groups.size()); ++g)
    known += (g > 0 ? ", \"" : "\"") + groups[g].name + "\"";
  if (groups.size() > most) known += " and " + std::to_string(groups.size() - most) + " more";
  throw InputError("", "", "names the group \"" + name + "\", which this surface does not have",
                   groups.empty() ? "it has no groups" : "its groups are " + known);
}

}  // namespace pliant
