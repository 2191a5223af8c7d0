#include "methods/shared/element_reports.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/assert.h"
#include "core/formatted.h"
#include "core/parallel.h"

namespace pliant {
namespace {

constexpr int grain = 512;  // elements per chunk of work

}  // namespace

Measures measure_elements(int count, FunctionRef<ElementNow(int)> element) {
  Measures zero;
  zero.elements = count;
  zero.min_J = std::numeric_limits<double>::infinity();
  std::vector<Measures> parts(std::size_t((count + grain - 1) / grain), zero);
  parallel_for(count, grain, [&](int begin, int end) {
    Measures& part = parts[begin / grain];
    for (int i = begin; i < end; ++i) {
      const ElementNow now = element(i);
      const double J = now.F.determinant();
      part.elastic_energy += now.energy;
      part.volume += now.volume * J;
      part.rest_volume += now.volume;
      part.min_J = std::min(part.min_J, J);
      part.inverted += J <= 0 ? 1 : 0;
    }
  });
  Measures sum = zero;
  for (const Measures& part : parts) {
    sum.elastic_energy += part.elastic_energy;
    sum.volume += part.volume;
    sum.rest_volume += part.rest_volume;
    sum.min_J = std::min(sum.min_J, part.min_J);
    sum.inverted += part.inverted;
  }
  return sum;
}

Vec3 principal_stretches(const Mat3& F) {
  const Mat3 squared = F.transpose() * F;
  const Eigen::SelfAdjointEigenSolver<Mat3> eigen(squared, Eigen::EigenvaluesOnly);
  Vec3 found = eigen.eigenvalues().reverse().cwiseMax(0).cwiseSqrt();
  if (F.determinant() < 0) found[2] *= -1;
  return found;
}

std::vector<std::string> element_field_names() {
  return {"J", "von_mises", "stretch_1", "stretch_2", "stretch_3"};
}

bool element_values(std::string_view name, int count, FunctionRef<Mat3(int)> F,
                    FunctionRef<double(int, const Mat3&)> von_mises, std::vector<double>& values) {
  const std::vector<std::string> known = element_field_names();
  if (std::find(known.begin(), known.end(), name) == known.end()) return false;
  values.assign(std::size_t(count), 0);
  parallel_for(count, grain, [&](int begin, int end) {
    for (int i = begin; i < end; ++i) {
      const Mat3 now = F(i);
      if (name == "J") values[i] = now.determinant();
      else if (name == "von_mises") values[i] = von_mises(i, now);
      else values[i] = principal_stretches(now)[name.back() - '1'];
    }
  });
  return true;
}

void spread_to_nodes(const std::vector<double>& of_elements,
                     FunctionRef<double(int)> present_volume,
                     FunctionRef<std::span<const int>(int)> nodes_of, int nodes,
                     std::vector<double>& values) {
  values.assign(std::size_t(nodes), 0);
  std::vector<double> sum(values.size(), 0);
  for (int i = 0; i < int(of_elements.size()); ++i) {
    const double weight = present_volume(i);
    for (const int node : nodes_of(i)) {
      values[node] += weight * of_elements[i];
      sum[node] += weight;
    }
  }
  for (std::size_t n = 0; n < values.size(); ++n) values[n] /= sum[n];
}

void bulk_of_elements(int count, FunctionRef<Mat3(int)> F,
                      FunctionRef<Mat3(int, const Mat3&)> stress,
                      FunctionRef<double(int)> plastic_strain, FunctionRef<double(int)> rest_volume,
                      FunctionRef<std::span<const int>(int)> nodes_of, const Nodes& nodes,
                      Bulk& bulk) {
  bulk.position = nodes.position;
  bulk.velocity = nodes.velocity;
  bulk.tets.clear();
  bulk.J.assign(std::size_t(nodes.size()), 0);
  bulk.plastic_strain.assign(bulk.J.size(), 0);
  bulk.stress.assign(bulk.J.size(), Mat3::Zero());
  std::vector<double> sum(bulk.J.size(), 0);
  for (int i = 0; i < count; ++i) {
    const Mat3 now = F(i);
    const double J = now.determinant(), weight = present_volume(rest_volume(i), J);
    const Mat3 pulled = weight * stress(i, now);
    for (const int node : nodes_of(i)) {
      bulk.J[node] += weight * J;
      bulk.stress[node] += pulled;
      bulk.plastic_strain[node] += weight * plastic_strain(i);
      sum[node] += weight;
    }
  }
  for (std::size_t n = 0; n < sum.size(); ++n) {
    ASSERT(sum[n] > 0, "every node has an element");
    bulk.J[n] /= sum[n];
    bulk.stress[n] /= sum[n];
    bulk.plastic_strain[n] /= sum[n];
  }
}

double present_volume(double rest_volume, double J) {
  return rest_volume * std::max(std::abs(J), 1e-6);
}

std::string softened_line(int count, int of, const char* what, double worst, double h) {
  return std::to_string(count) + " of " + std::to_string(of) + " " + what +
         " are softer than asked, the worst " + formatted("%.3g", worst) +
         " times, because substeps of " + formatted("%.2g", 1e3 * h) + " ms cannot resolve them; " +
         formatted("%.2g", std::sqrt(worst)) +
         " times as many substeps, larger cells or a softer material would";
}

std::string flow_end_line(int count, int of, const char* what) {
  return std::to_string(count) + " of " + std::to_string(of) + " " + what +
         " have been drawn out fourfold and flow no further; clusters make new ones";
}

}  // namespace pliant
