// Compiled once per instruction set, as methods/tets/wide_project.cpp.

#include "core/wide_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "math/weights.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "core/assert.h"
#include "core/parallel.h"
#include "math/weights.h"

HWY_BEFORE_NAMESPACE();
namespace pliant::HWY_NAMESPACE {
namespace {

/// The same sums as Weights::gather(row), to the last bit.
void gather_rows(const Weights& weights, int begin, int end, const Vec3* nodes, Vec3* points) {
  int row = begin;
#if HWY_MAX_BYTES >= 32
  // A point is three of four numbers. The fourth is not read, as behind the last node there is
  // none; it is written, and the next row writes over it: the last row goes the plain way.
  namespace hn = hwy::HWY_NAMESPACE;
  const hn::FixedTag<double, 4> four;
  const auto three = hn::FirstN(four, 3);
  const auto part = [&](int k) HWY_ATTR {
    const auto place = hn::MaskedLoad(three, four, nodes[weights.node[k]].data());
    return hn::Mul(hn::Set(four, weights.weight[k]), place);
  };
  for (; row + 1 < end; ++row) {
    const int first = weights.start[row], last = weights.start[row + 1];
    auto sum = hn::Zero(four);
    if (last - first == 4) {  // of a tet: the most usual
      sum = hn::Add(hn::Add(sum, part(first)), part(first + 1));
      sum = hn::Add(hn::Add(sum, part(first + 2)), part(first + 3));
    } else {
      for (int k = first; k < last; ++k) sum = hn::Add(sum, part(k));
    }
    hn::StoreU(sum, four, points[row].data());
  }
#endif
  for (; row < end; ++row) {
    Vec3 sum = Vec3::Zero();
    for (int k = weights.start[row]; k < weights.start[row + 1]; ++k)
      sum += weights.weight[k] * nodes[weights.node[k]];
    points[row] = sum;
  }
}

}  // namespace
}  // namespace pliant::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace pliant {

HWY_EXPORT(gather_rows);

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
    HWY_DYNAMIC_DISPATCH(gather_rows)(*this, begin, end, nodes.data(), points.data());
  });
}

}  // namespace pliant
#endif
