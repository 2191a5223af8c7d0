// What kernels over bundles share (bundles.h): from nodes to the gradient of a field at eight
// points, and back. Included once per instruction set by files that compile themselves so.

#if defined(PLIANT_GALERKIN_BUNDLE_KERNELS) == defined(HWY_TARGET_TOGGLE)
#ifdef PLIANT_GALERKIN_BUNDLE_KERNELS
#undef PLIANT_GALERKIN_BUNDLE_KERNELS
#else
#define PLIANT_GALERKIN_BUNDLE_KERNELS
#endif

#include <hwy/highway.h>

#include "methods/shared/galerkin/bundles.h"

HWY_BEFORE_NAMESPACE();
namespace pliant::galerkin::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Wide = hn::ScalableTag<float>;
constexpr int lanes = int(hn::MaxLanes(Wide()));
using Eight = hn::CappedTag<float, 8>;  // the points of a bundle side by side
constexpr int eight_lanes = int(hn::MaxLanes(Eight()));
using Four = hn::CappedTag<double, 4>;  // x y z and padding of a node
constexpr int four_lanes = int(hn::MaxLanes(Four()));

constexpr int padded_rows = Bundles::padded_rows;
constexpr int row_vectors = (Bundles::rows + lanes - 1) / lanes;

/// Positions relative to the bundle's first node, [slot][4] in floats.
HWY_INLINE void gather(const double* x, const int* nodes, int count, float* local) {
  const Four d;
  const hn::Rebind<float, Four> narrow;
  for (int k = 0; k < 4; k += four_lanes) {
    const auto near = hn::LoadU(d, x + 4 * nodes[0] + k);
    for (int s = 0; s < count; ++s)
      hn::StoreU(hn::DemoteTo(narrow, hn::Sub(hn::LoadU(d, x + 4 * nodes[s] + k), near)), narrow,
                 local + 4 * s + k);
  }
}

/// dF of all points: component i, derivative d of point p at change[32 i + 8 d + p].
HWY_INLINE void deform(const float* by_node, int count, const float* local, float* change) {
  const Wide d;
  hn::Vec<Wide> sum[3][row_vectors];
  for (int i = 0; i < 3; ++i)
    for (int v = 0; v < row_vectors; ++v) sum[i][v] = hn::Zero(d);
  for (int s = 0; s < count; ++s) {
    const auto x = hn::Set(d, local[4 * s]);
    const auto y = hn::Set(d, local[4 * s + 1]);
    const auto z = hn::Set(d, local[4 * s + 2]);
    for (int v = 0; v < row_vectors; ++v) {
      const auto g = hn::Load(d, by_node + padded_rows * s + lanes * v);
      sum[0][v] = hn::MulAdd(g, x, sum[0][v]);
      sum[1][v] = hn::MulAdd(g, y, sum[1][v]);
      sum[2][v] = hn::MulAdd(g, z, sum[2][v]);
    }
  }
  for (int i = 0; i < 3; ++i)
    for (int v = 0; v < row_vectors; ++v)
      hn::Store(sum[i][v], d, change + padded_rows * i + lanes * v);
}

/// Where component i, derivative d stands.
HWY_INLINE constexpr int at(int i, int d) { return padded_rows * i + 8 * d; }

/// The answer of `vectors` wide vectors of nodes from slot s on, [slot][4].
template <int vectors>
HWY_INLINE void answer_some(const float* by_row, int slots, int s, const float* change,
                            float* answers) {
  const Wide d;
  hn::Vec<Wide> sum[3][vectors];
  for (int i = 0; i < 3; ++i)
    for (int v = 0; v < vectors; ++v) sum[i][v] = hn::Zero(d);
  for (int r = 0; r < Bundles::rows; ++r) {
    const auto x = hn::Set(d, change[r]);
    const auto y = hn::Set(d, change[padded_rows + r]);
    const auto z = hn::Set(d, change[2 * padded_rows + r]);
    for (int v = 0; v < vectors; ++v) {
      const auto g = hn::Load(d, by_row + slots * r + s + lanes * v);
      sum[0][v] = hn::MulAdd(g, x, sum[0][v]);
      sum[1][v] = hn::MulAdd(g, y, sum[1][v]);
      sum[2][v] = hn::MulAdd(g, z, sum[2][v]);
    }
  }
  for (int v = 0; v < vectors; ++v)
    hn::StoreInterleaved4(sum[0][v], sum[1][v], sum[2][v], hn::Zero(d), d,
                          answers + 4 * (s + lanes * v));
}

/// The answer of the bundle's nodes. Three vectors at a time: nine sums hide how long one takes.
HWY_INLINE void answer(const float* by_row, int slots, int count, const float* change,
                       float* answers) {
  int left = (count + lanes - 1) / lanes, s = 0;
  for (; left >= 3 && left != 4; left -= 3, s += 3 * lanes)
    answer_some<3>(by_row, slots, s, change, answers);
  for (; left >= 2; left -= 2, s += 2 * lanes) answer_some<2>(by_row, slots, s, change, answers);
  if (left == 1) answer_some<1>(by_row, slots, s, change, answers);
}

}  // namespace pliant::galerkin::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
