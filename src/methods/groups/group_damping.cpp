#include "methods/groups/group_damping.h"

#include <cmath>

#include "methods/shared/inner_damping.h"

// Mueller, Macklin et al. 2022, algorithm 2, with the substep for the step and an inertia that may
// be singular.

namespace pliant::groups {

GroupDamping::GroupDamping(const Shapes& shapes, double rate) {
  if (rate == 0) return;
  std::vector<char> seen;
  int particles = 0;
  const std::span<const int> members(shapes.member.data(),
                                     std::size_t(shapes.start[shapes.solids()]));
  for (const int p : members) {
    if (std::size_t(p) >= seen.size()) seen.resize(std::size_t(p) + 1, 0);
    particles += seen[p] ? 0 : 1;
    seen[p] = 1;
  }
  rate_ = rate * particles / double(members.size());
}

void GroupDamping::apply(const Shapes& shapes, Nodes& nodes, double h) const {
  if (rate_ == 0) return;
  const double share = 1 - std::exp(-rate_ * h);
  for (int g = 0; g < shapes.solids(); ++g) {
    const std::span<const int> members = shapes.members(g);
    Vec3 middle = Vec3::Zero(), drift = Vec3::Zero();
    for (const int n : members) {
      middle += nodes.mass[n] * nodes.position[n];
      drift += nodes.mass[n] * nodes.velocity[n];
    }
    middle /= shapes.shape[g].mass;
    drift /= shapes.shape[g].mass;
    Vec3 turning = Vec3::Zero();
    Mat3 spread = Mat3::Zero();
    for (const int n : members) {
      const Vec3 arm = nodes.position[n] - middle;
      turning += nodes.mass[n] * arm.cross(nodes.velocity[n]);
      spread += nodes.mass[n] * arm * arm.transpose();
    }
    const Vec3 spin = angular_velocity(spread.trace() * Mat3::Identity() - spread, turning);
    for (const int n : members)
      if (!nodes.held[n])
        nodes.velocity[n] +=
            share * (drift + spin.cross(nodes.position[n] - middle) - nodes.velocity[n]);
  }
}

}  // namespace pliant::groups
