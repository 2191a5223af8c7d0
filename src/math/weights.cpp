#include "math/weights.h"

#include "core/assert.h"
#include "core/parallel.h"

namespace pliant {

Weights Weights::identity(int rows) {
  Weights weights;
  for (int i = 0; i < rows; ++i) {
    const double one = 1;
    weights.add_row({&i, 1}, {&one, 1});
  }
  return weights;
}

void Weights::add_row(std::span<const int> nodes, std::span<const double> weights) {
  ASSERT(nodes.size() == weights.size(), "one weight per node");
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (weights[i] == 0) continue;
    node.push_back(nodes[i]);
    weight.push_back(weights[i]);
  }
  start.push_back(int(node.size()));
}

void Weights::gather(const std::vector<Vec3>& nodes, std::vector<Vec3>& points) const {
  ASSERT(points.size() == std::size_t(rows()), "one point per row");
  parallel_for(rows(), 1024, [&](int begin, int end) {
    for (int r = begin; r < end; ++r) points[r] = gather(r, nodes);
  });
}

}  // namespace pliant
