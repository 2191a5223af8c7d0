// Compiled once per instruction set, as methods/tets/wide_project.cpp.

#include "core/wide_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "math/weights.cpp"
#include <cmath>
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
#include <mutex>

#include "core/assert.h"
#include "core/parallel.h"
#include "math/weights.h"

HWY_BEFORE_NAMESPACE();
namespace pliant::HWY_NAMESPACE {
namespace {

#if HWY_MAX_BYTES >= 32
namespace hn = hwy::HWY_NAMESPACE;
using Four = hn::FixedTag<double, 4>;  // a point, and nothing

HWY_INLINE hn::Vec<Four> load(const Vec3& p) {
  return hn::MaskedLoad(hn::FirstN(Four(), 3), Four(), p.data());
}

/// The box round some points, and their sum.
struct Round {
  hn::Vec<Four> low, high;
  hn::Vec<Four> sum;  // catches a NaN that min and max pass over

  Round()
      : low(hn::Set(Four(), HUGE_VAL)), high(hn::Set(Four(), -HUGE_VAL)), sum(hn::Zero(Four())) {}
  HWY_INLINE void add(hn::Vec<Four> p) {
    low = hn::Min(low, p), high = hn::Max(high, p);
    sum = hn::Add(sum, p);
  }
  static Vec3 vector(hn::Vec<Four> v) {
    double row[4];
    hn::StoreU(v, Four(), row);
    return Vec3(row);
  }
  Box box() const { return {vector(low), vector(high)}; }
  bool is_finite() const { return vector(sum).allFinite(); }
};
#endif

/// The same sums as Weights::gather(row), to the last bit. `see(row, point)` is called for each,
/// with a register of it where there are some.
template <class See>
HWY_INLINE void gather_each(const Weights& weights, int begin, int end, const Vec3* nodes,
                            Vec3* points, const See& see) {
  int row = begin;
#if HWY_MAX_BYTES >= 32
  // The fourth number is not read, as behind the last node there is none; it is written, and the
  // next row writes over it: the last row goes the plain way.
  const Four four;
  const auto part = [&](double weight, int node)
                        HWY_ATTR { return hn::Mul(hn::Set(four, weight), load(nodes[node])); };
  for (; row + 1 < end && !weights.fours.empty(); ++row) {
    const auto& [node, weight] = weights.fours[row];
    auto sum = hn::Add(hn::Zero(four), part(weight[0], node[0]));
    sum = hn::Add(sum, part(weight[1], node[1]));
    sum = hn::Add(sum, part(weight[2], node[2]));
    sum = hn::Add(sum, part(weight[3], node[3]));
    hn::StoreU(sum, four, points[row].data());
    see(row, sum);
  }
  for (; row + 1 < end; ++row) {
    auto sum = hn::Zero(four);
    for (int k = weights.start[row]; k < weights.start[row + 1]; ++k)
      sum = hn::Add(sum, part(weights.weight[k], weights.node[k]));
    hn::StoreU(sum, four, points[row].data());
    see(row, sum);
  }
#endif
  for (; row < end; ++row) {
    Vec3 sum = Vec3::Zero();
    for (int k = weights.start[row]; k < weights.start[row + 1]; ++k)
      sum += weights.weight[k] * nodes[weights.node[k]];
    points[row] = sum;
#if HWY_MAX_BYTES >= 32
    see(row, load(points[row]));
#else
    see(row, points[row]);
#endif
  }
}

void gather_rows(const Weights& weights, int begin, int end, const Vec3* nodes, Vec3* points) {
  gather_each(weights, begin, end, nodes, points, [](int, const auto&) {});
}

Weights::WayBoxes gather_ways(const Weights& weights, int begin, int end, const Vec3* nodes,
                              Vec3* points, const Vec3* first, const Vec3* second) {
#if HWY_MAX_BYTES >= 32
  Round one, two;
  const auto see = [&](int row, hn::Vec<Four> point) HWY_ATTR {
    one.add(hn::Sub(point, load(first[row])));
    two.add(hn::Sub(point, load(second[row])));
  };
  gather_each(weights, begin, end, nodes, points, see);
  return {one.box(), two.box(), one.is_finite() && two.is_finite()};
#else
  Box one, two;
  Vec3 sum = Vec3::Zero();
  gather_each(weights, begin, end, nodes, points, [&](int row, const Vec3& point) {
    one.add(point - first[row]);
    two.add(point - second[row]);
    sum += (point - first[row]) + (point - second[row]);
  });
  return {one, two, sum.allFinite()};
#endif
}

}  // namespace
}  // namespace pliant::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace pliant {

HWY_EXPORT(gather_rows);
HWY_EXPORT(gather_ways);

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

void Weights::pack() {
  fours.clear();
  if (node.size() < 2 * std::size_t(rows())) return;  // one by one they take less
  for (int r = 0; r < rows(); ++r) {
    const int count = start[r + 1] - start[r];
    if (count < 1 || count > 4) {
      fours.clear();
      return;
    }
    Four& four = fours.emplace_back();
    for (int k = 0; k < 4; ++k) {
      four.node[k] = node[start[r] + (k < count ? k : 0)];
      four.weight[k] = k < count ? weight[start[r] + k] : 0;
    }
  }
}

void Weights::gather(const std::vector<Vec3>& nodes, std::vector<Vec3>& points) const {
  ASSERT(fours.empty() || fours.size() == std::size_t(rows()), "packed when all rows were there");
  ASSERT(points.size() == std::size_t(rows()), "one point per row");
  parallel_for(rows(), 1024, [&](int begin, int end) {
    HWY_DYNAMIC_DISPATCH(gather_rows)(*this, begin, end, nodes.data(), points.data());
  });
}

Weights::WayBoxes Weights::gather(const std::vector<Vec3>& nodes, std::vector<Vec3>& points,
                                  const std::vector<Vec3>& first,
                                  const std::vector<Vec3>& second) const {
  const auto count = std::size_t(rows());
  ASSERT(fours.empty() || fours.size() == count, "packed when all rows were there");
  ASSERT(points.size() == count && first.size() == count && second.size() == count,
         "one point per row");
  std::mutex mutex;  // the box round boxes does not depend on their order
  WayBoxes all;
  parallel_for(rows(), 1024, [&](int begin, int end) {
    const WayBoxes some = HWY_DYNAMIC_DISPATCH(gather_ways)(
        *this, begin, end, nodes.data(), points.data(), first.data(), second.data());
    const std::lock_guard lock(mutex);
    all.first.add(some.first);
    all.second.add(some.second);
    all.finite = all.finite && some.finite;
  });
  return all;
}

}  // namespace pliant
#endif
