#include "methods/groups/groups.h"

#include "core/assert.h"

namespace pliant::groups {

void Groups::add(std::span<const int> members, double of_volume, int of_material) {
  member.insert(member.end(), members.begin(), members.end());
  start.push_back(int(member.size()));
  volume.push_back(of_volume);
  material.push_back(of_material);
}

void share_masses(Groups& groups, std::span<const Material> materials) {
  groups.mass.assign(groups.rest.size(), 0);
  for (int g = 0; g < groups.size(); ++g) {
    const Material& material = materials[groups.material[g]];
    ASSERT(material.is_complete(), "materials are completed before a body is made");
    const std::span<const int> members = groups.members(g);
    const double share = *material.density * groups.volume[g] / double(members.size());
    for (const int p : members) groups.mass[p] += share;
  }
}

}  // namespace pliant::groups
