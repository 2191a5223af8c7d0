#include "methods/groups/measure_shapes.h"

#include "core/assert.h"
#include "core/errors.h"

namespace pliant::groups {
namespace {

/// [kg] What each member of group g counts in its fit; they sum to the members' mass.
std::vector<double> fit_weights(const Groups& groups, int g, bool by_mass) {
  const std::span<const int> members = groups.members(g);
  double mass = 0;
  for (const int p : members) {
    ASSERT(groups.mass[p] > 0, "every particle has mass");
    mass += groups.mass[p];
  }
  const bool own = !by_mass && !groups.weight.empty();
  const std::size_t first = groups.start[g];
  double sum = 0;
  for (std::size_t k = 0; own && k < members.size(); ++k) sum += groups.weight[first + k];
  std::vector<double> weights;
  for (std::size_t k = 0; k < members.size(); ++k)
    weights.push_back(by_mass ? groups.mass[members[k]]
                      : own   ? groups.weight[first + k] / sum * mass
                              : mass / double(members.size()));
  return weights;
}

}  // namespace

Shapes measure_shapes(const Groups& groups, std::span<const Material> materials,
                      const Settings& settings) {
  Shapes shapes;
  shapes.patches = int(groups.hold.size());
  std::vector<Vec3> arms;
  std::vector<double> masses;
  for (int g = 0; g < groups.size(); ++g) {
    const std::span<const int> members = groups.members(g);
    const std::vector<double> weights = fit_weights(groups, g, settings.weighs_by_mass());
    arms.clear();
    masses.clear();
    double mass = 0;
    for (const int p : members) mass += groups.mass[p];
    Vec3 middle = Vec3::Zero();
    for (std::size_t k = 0; k < members.size(); ++k)
      middle += weights[k] / mass * groups.rest[members[k]];
    for (const int p : members) {
      arms.push_back(groups.rest[p] - middle);
      masses.push_back(groups.mass[p]);
    }
    const double hold = g >= groups.solids() ? groups.hold[g - groups.solids()] : 0;
    const Shape& shape =
        add_shape({members, arms, weights, masses, groups.volume[g], hold},
                  materials[groups.material[g]], settings.law, settings.lame, shapes);
    if (!(shape.length > 1e-12 * middle.norm()) || !(shape.volume > 0))
      throw InputError("", "",
                       "has a group (" + std::to_string(g) + ", of " +
                           std::to_string(members.size()) + " particles) without any extent");
  }
  return shapes;
}

}  // namespace pliant::groups
