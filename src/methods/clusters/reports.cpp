#include <algorithm>
#include <cmath>

#include "methods/clusters/clusters_method.h"
#include "methods/shared/element_reports.h"

// What a body of clusters tells about itself; nothing here moves it.

namespace pliant::clusters {
namespace {

NeoHookean law_of(const Matter& matter, const Cluster& cluster) {
  const Material& material = matter.material[cluster.material];
  return NeoHookean::from(*material.young, *material.poisson);
}

}  // namespace

Measures ClustersMethod::measure(const Nodes& nodes) const {
  const std::vector<double> volume = volumes(matter_, nodes);
  Measures measures = measure_elements(int(matter_.clusters.size()), [&](int c) {
    const Cluster& cluster = matter_.clusters[c];
    const Fit now = fit(cluster, nodes);
    return ElementNow{now.map, volume[c], volume[c] * law_of(matter_, cluster).energy(now.map)};
  });
  Measures::Parts parts;
  for (const int piece : matter_.piece) parts.pieces = std::max(parts.pieces, piece + 1);
  parts.particles = matter_.particles();
  parts.clusters = int(matter_.clusters.size());
  measures.parts = parts;
  return measures;
}

StepAdvice ClustersMethod::advise(const Nodes& nodes, double dt) const {
  if (rules_.paper) return {1, "the paper's law"};
  const std::vector<double> volume = volumes(matter_, nodes);
  double highest = 0;  // beta / h^2, see shape_law/compliance.h
  for (std::size_t c = 0; c < matter_.clusters.size(); ++c) {
    const Cluster& cluster = matter_.clusters[c];
    const Fit now = fit(cluster, nodes);
    if (now.flat) continue;
    highest = std::max(highest, law_of(matter_, cluster).mu * volume[c] * now.response / 3);
  }
  const double substeps = std::ceil(dt * std::sqrt(highest / shape_law::advised_beta));
  return {int(std::clamp(substeps, 1.0, 1e9)), "the stiffness of the clusters"};
}

std::vector<std::string> ClustersMethod::warnings(const Nodes& nodes,
                                                  const Substep& substep) const {
  std::vector<std::string> lines;
  const shape_law::Softening soft =
      shape_law::softening(shapes_, substep.h, rules_.stiffening.guard);
  if (soft.groups > 0)
    lines.push_back(softened_line(soft.groups, shapes_.size(), "clusters", soft.worst, substep.h));
  const int inverted = measure(nodes).inverted;
  if (inverted > 0)
    lines.push_back(std::to_string(inverted) + " of " + std::to_string(matter_.clusters.size()) +
                    " clusters are inside out");
  if (skipped_ > 0)
    lines.push_back(std::to_string(skipped_) +
                    " projections had no finite result and were left out; more substeps may help");
  return lines;
}

std::vector<std::string> ClustersMethod::fields() const {
  std::vector<std::string> names = element_field_names();
  names.push_back("plastic_strain");
  return names;
}

bool ClustersMethod::element_field(std::string_view name, const Nodes& nodes,
                                   std::vector<double>& values) const {
  if (name == "plastic_strain") {
    values.clear();
    for (const Cluster& cluster : matter_.clusters) values.push_back(cluster.strain);
    return true;
  }
  return element_values(
      name, int(matter_.clusters.size()),
      [&](int c) { return fit(matter_.clusters[c], nodes).map; },
      [&](int c, const Mat3& F) { return law_of(matter_, matter_.clusters[c]).von_mises(F); },
      values);
}

bool ClustersMethod::field(std::string_view name, const Nodes& nodes,
                           std::vector<double>& values) const {
  std::vector<double> of_cluster;
  if (!element_field(name, nodes, of_cluster)) return false;
  const std::vector<double> volume = volumes(matter_, nodes);
  spread_to_nodes(
      of_cluster,
      [&](int c) {
        return present_volume(volume[c], fit(matter_.clusters[c], nodes).map.determinant());
      },
      [&](int c) { return std::span<const int>(matter_.clusters[c].member); }, nodes.size(),
      values);
  return true;
}

bool ClustersMethod::bulk(const Nodes& nodes, Bulk& bulk) const {
  const std::vector<double> volume = volumes(matter_, nodes);
  bulk_of_elements(
      int(matter_.clusters.size()), [&](int c) { return fit(matter_.clusters[c], nodes).map; },
      [&](int c, const Mat3& F) { return law_of(matter_, matter_.clusters[c]).cauchy(F); },
      [&](int c) { return matter_.clusters[c].strain; }, [&](int c) { return volume[c]; },
      [&](int c) { return std::span<const int>(matter_.clusters[c].member); }, nodes, bulk);
  return true;
}

}  // namespace pliant::clusters
