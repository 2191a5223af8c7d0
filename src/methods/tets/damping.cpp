#include "methods/tets/damping.h"

#include "core/disjoint_sets.h"

namespace pliant::tets {
namespace {

std::vector<double> rates(const TetElements& elements, int nodes) {
  std::vector<double> rate(std::size_t(nodes), 0), volume(std::size_t(nodes), 0);
  for (int i = 0; i < elements.size(); ++i)
    for (const int node : elements.nodes[i]) {
      rate[node] += elements.volume[i] * elements.damping[i];
      volume[node] += elements.volume[i];
    }
  for (int n = 0; n < nodes; ++n) rate[n] /= volume[n];
  return rate;
}

std::vector<int> pieces(const TetElements& elements, int nodes) {
  DisjointSets joined(nodes);
  for (const Tet& tet : elements.nodes)
    for (int k = 1; k < 4; ++k) joined.join(tet[0], tet[k]);
  return joined.numbers();
}

}  // namespace

Damping::Damping(const TetElements& elements, int nodes)
    : InnerDamping(rates(elements, nodes), pieces(elements, nodes)) {}

}  // namespace pliant::tets
