#include <algorithm>
#include <cmath>

#include "methods/groups/groups_method.h"
#include "methods/shared/element_reports.h"

// What a body of groups tells about itself; nothing here moves it.

namespace pliant::groups {

Measures GroupsMethod::measure(const Nodes& nodes) const {
  return measure_elements(shapes_.solids(), [&](int g) {
    const Mat3 F = deformation(shapes_, g, nodes.position);
    return ElementNow{F, shapes_.shape[g].volume, shapes_.energy(g, F)};
  });
}

StepAdvice GroupsMethod::advise(const Nodes&, double dt) const {
  // beta grows with h^2, so sqrt(beta(dt)) / n is its root at n substeps. The worst twentieth of
  // the groups (slivers) may be softened by the guard; resolving them too would cost everybody
  // else.
  std::vector<double> rates;
  for (int g = 0; g < shapes_.solids(); ++g) rates.push_back(stiffness_rate(shapes_, g));
  const auto chosen = rates.begin() + std::ptrdiff_t(0.95 * double(rates.size() - 1));
  std::nth_element(rates.begin(), chosen, rates.end());
  const double substeps = std::ceil(dt * std::sqrt(*chosen / advised_beta));
  return {int(std::clamp(substeps, 1.0, 1e9)), "the stiffness of the groups"};
}

std::vector<std::string> GroupsMethod::warnings(const Nodes& nodes, const Substep& substep) const {
  std::vector<std::string> lines;
  const Softening soft = softening(shapes_, substep.h, rules_.stiffening.guard);
  if (soft.groups > 0)
    lines.push_back(softened_line(soft.groups, shapes_.solids(), "groups", soft.worst, substep.h));
  const int inverted = measure(nodes).inverted;
  if (inverted > 0)
    lines.push_back(std::to_string(inverted) + " of " + std::to_string(shapes_.solids()) +
                    " groups are inside out");
  if (flow_.any() && flow_.capped() > 0)
    lines.push_back(flow_end_line(flow_.capped(), shapes_.solids(), "groups"));
  if (skipped_ > 0)
    lines.push_back(std::to_string(skipped_) +
                    " projections had no finite result and were left out; more substeps may help");
  return lines;
}

std::vector<std::string> GroupsMethod::fields() const {
  std::vector<std::string> names = element_field_names();
  names.push_back("plastic_strain");
  return names;
}

bool GroupsMethod::element_field(std::string_view name, const Nodes& nodes,
                                 std::vector<double>& values) const {
  if (name == "plastic_strain") {
    values.clear();
    for (int g = 0; g < shapes_.solids(); ++g) values.push_back(flow_.strain(g));
    return true;
  }
  return element_values(
      name, shapes_.solids(), [&](int g) { return deformation(shapes_, g, nodes.position); },
      [&](int g, const Mat3& F) { return shapes_.von_mises(g, F); }, values);
}

bool GroupsMethod::skin_stress(const Nodes& nodes, const Skin& skin, SkinStress& stress) const {
  return stress_.find(
      skin, [&](int g) { return shapes_.members(g); },
      [&](int g) { return shapes_.cauchy(g, deformation(shapes_, g, nodes.position)); }, stress);
}

bool GroupsMethod::field(std::string_view name, const Nodes& nodes,
                         std::vector<double>& values) const {
  std::vector<double> of_group;
  if (!element_field(name, nodes, of_group)) return false;
  spread_to_nodes(
      of_group,
      [&](int g) {
        return present_volume(shapes_.shape[g].volume,
                              deformation(shapes_, g, nodes.position).determinant());
      },
      [&](int g) { return shapes_.members(g); }, nodes.size(), values);
  return true;
}

bool GroupsMethod::bulk(const Nodes& nodes, Bulk& bulk) const {
  bulk_of_elements(
      shapes_.solids(), [&](int g) { return deformation(shapes_, g, nodes.position); },
      [&](int g, const Mat3& F) { return shapes_.cauchy(g, F); },
      [&](int g) { return flow_.strain(g); }, [&](int g) { return shapes_.shape[g].volume; },
      [&](int g) { return shapes_.members(g); }, nodes, bulk);
  return true;
}

double GroupsMethod::residual(const Nodes& nodes) const {
  double worst = 0;
  std::vector<Vec3> x;
  for (int g = 0; g < shapes_.solids(); ++g) {
    x.clear();
    for (const int p : shapes_.members(g)) x.push_back(nodes.position[p]);
    const Vec3 middle = centre(shapes_, g, x);
    const Mat3 F = deformation(shapes_, g, Places(x));
    for (std::size_t k = 0; k < x.size(); ++k)
      worst = std::max(worst, (x[k] - middle - F * shapes_.arm[shapes_.start[g] + k]).norm() /
                                  shapes_.shape[g].length);
  }
  return worst;
}

}  // namespace pliant::groups
