#include "methods/shared/galerkin/points.h"

#include <algorithm>

namespace pliant::galerkin {

void Points::add_tet(const std::array<int, 4>& corners, const Mat3& inverse_rest,
                     const Vec3& middle, double at_rest, int of) {
  for (int k = 0; k < 4; ++k) {
    node.push_back(corners[k]);
    value.push_back(0.25);
    gradient.push_back(k == 0 ? Vec3(-inverse_rest.colwise().sum().transpose())
                              : Vec3(inverse_rest.row(k - 1).transpose()));
  }
  start.push_back(int(node.size()));
  rest.push_back(middle);
  volume.push_back(at_rest);
  material.push_back(of);
  if (size() % 8 == 0) end_bundle();
}

void Points::end_bundle() {
  if (bundle.back() != size()) bundle.push_back(size());
}

double Consistency::worst() const { return std::max({values, places, gradients, identity}); }

Consistency consistency(const Points& points, const std::vector<Vec3>& nodes, double spacing) {
  Consistency off;
  for (int p = 0; p < points.size(); ++p) {
    double value = -1;
    Vec3 place = Vec3::Zero(), gradient = Vec3::Zero();
    Mat3 identity = -Mat3::Identity();
    for (int k = points.start[p]; k < points.start[p + 1]; ++k) {
      const Vec3 away = nodes[points.node[k]] - points.rest[p];  // no large numbers that cancel
      value += points.value[k];
      place += points.value[k] * away;
      gradient += points.gradient[k];
      identity += away * points.gradient[k].transpose();
    }
    off.values = std::max(off.values, std::abs(value));
    off.places = std::max(off.places, place.norm() / spacing);
    off.gradients = std::max(off.gradients, gradient.norm() * spacing);
    off.identity = std::max(off.identity, identity.norm());
  }
  return off;
}

Incidence::Incidence(const Points& points, int nodes) {
  start.assign(std::size_t(nodes) + 1, 0);
  for (const int n : points.node) ++start[n + 1];
  for (int n = 0; n < nodes; ++n) start[n + 1] += start[n];
  point.resize(points.node.size());
  entry.resize(points.node.size());
  std::vector<int> next(start.begin(), start.end() - 1);
  for (int p = 0; p < points.size(); ++p)
    for (int k = points.start[p]; k < points.start[p + 1]; ++k) {
      const int place = next[points.node[k]]++;
      point[place] = p;
      entry[place] = k;
    }
}

Graph::Graph(const Points& points, const Incidence& incidence, int nodes) {
  std::vector<int> seen(std::size_t(nodes), -1);
  for (int n = 0; n < nodes; ++n) {
    const auto row = std::ptrdiff_t(neighbour.size());
    for (int i = incidence.start[n]; i < incidence.start[n + 1]; ++i) {
      const int p = incidence.point[i];
      for (int k = points.start[p]; k < points.start[p + 1]; ++k) {
        const int other = points.node[k];
        if (seen[other] == n) continue;
        seen[other] = n;
        neighbour.push_back(other);
      }
    }
    std::sort(neighbour.begin() + row, neighbour.end());
    start.push_back(int(neighbour.size()));
  }
}

}  // namespace pliant::galerkin
