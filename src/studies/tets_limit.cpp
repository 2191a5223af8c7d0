// Compiled once per instruction set, as methods/tets/wide_project.cpp.

#include "core/wide_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "studies/tets_limit.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "methods/shared/wide_math-inl.h"
#include "studies/limit_work.h"
#include "studies/tets_limit.h"

#ifndef PLIANT_TETS_LIMIT_ONCE
#define PLIANT_TETS_LIMIT_ONCE
namespace pliant {

/// Compliances times volume, and gamma, in units of a node's mass and a tet's size: soft rubber.
constexpr float tet_limit_shape = 4, tet_limit_volume = 0.4f, tet_limit_gamma = 1.1f;

}  // namespace pliant
#endif

HWY_BEFORE_NAMESPACE();
namespace pliant::HWY_NAMESPACE {
namespace {

struct LimitNode {
  V3 x;
  V w;
};

/// Of a tet: edges from the first corner, and the gradients of shape that come from them.
struct LimitShape {
  V3 e1, e2, e3, s1, s2, s3;
  V stretch, squares, spread, determinant, per_volume;
};

HWY_INLINE V over_corners(const LimitNode& n0, V a0, const LimitNode& n1, V a1, const LimitNode& n2,
                          V a2, const LimitNode& n3, V a3) {
  return plus_product(n0.w * a0, n1.w, a1) + plus_product(n2.w * a2, n3.w, a3);
}

HWY_INLINE void solve_limit(LimitNode& n0, LimitNode& n1, LimitNode& n2, LimitNode& n3,
                            const LimitShape& t) {
  const V3 v1 = cross(t.e2, t.e3), v2 = cross(t.e3, t.e1), v3 = cross(t.e1, t.e2);
  const V3 v0 = v1 + (v2 + v3);
  const V J = t.determinant * dot(t.e1, v1), a12 = J * t.spread;
  const V volumes =
      over_corners(n0, dot(v0, v0), n1, dot(v1, v1), n2, dot(v2, v2), n3, dot(v3, v3));
  const V a11 = plus_product(t.squares, t.stretch, all(tet_limit_shape) * t.per_volume);
  const V a22 =
      plus_product(all(tet_limit_volume) * t.per_volume, volumes, t.determinant * t.determinant);
  const V lack = all(tet_limit_gamma) - J;
  const V per_det = reciprocal(minus_product(a11 * a22, a12, a12));
  const V shape = plus_product(a22 * t.stretch, a12, lack) * per_det;  // with the other sign
  const V volume = plus_product(a11 * lack, a12, t.stretch) * per_det * t.determinant;
  const V3 p1 = v1 * volume - t.s1 * shape, p2 = v2 * volume - t.s2 * shape;
  const V3 p3 = v3 * volume - t.s3 * shape, p0 = p1 + (p2 + p3);
  n0.x = plus_product(n0.x, p0, -n0.w);
  n1.x = plus_product(n1.x, p1, n1.w);
  n2.x = plus_product(n2.x, p2, n2.w);
  n3.x = plus_product(n3.x, p3, n3.w);
}

HWY_INLINE void limit_tet(LimitNode& n0, LimitNode& n1, LimitNode& n2, LimitNode& n3,
                          const float* rest) {
  LimitShape t;
  t.e1 = n1.x - n0.x, t.e2 = n2.x - n0.x, t.e3 = n3.x - n0.x;
  const V l11 = load(rest + tets::rest_11 * lanes), l22 = load(rest + tets::rest_22 * lanes);
  const V l33 = load(rest + tets::rest_33 * lanes), l21 = load(rest + tets::rest_21 * lanes);
  const V l31 = load(rest + tets::rest_31 * lanes), l32 = load(rest + tets::rest_32 * lanes);
  const V3 f1 = plus_product(plus_product(t.e1 * l11, t.e2, l21), t.e3, l31);
  const V3 f2 = plus_product(t.e2 * l22, t.e3, l32), f3 = t.e3 * l33;
  t.stretch = dot(f1, f1) + (dot(f2, f2) + dot(f3, f3));
  t.s1 = f1 * l11, t.s2 = plus_product(f1 * l21, f2, l22);
  t.s3 = plus_product(plus_product(f1 * l31, f2, l32), f3, l33);
  const V3 s0 = t.s1 + (t.s2 + t.s3);
  t.squares =
      over_corners(n0, dot(s0, s0), n1, dot(t.s1, t.s1), n2, dot(t.s2, t.s2), n3, dot(t.s3, t.s3));
  const V sum1 = l11 + l21 + l31, sum2 = l22 + l32;
  const V b0 = plus_product(plus_product(sum1 * sum1, sum2, sum2), l33, l33);
  const V b2 = plus_product(l21 * l21, l22, l22);
  const V b3 = plus_product(plus_product(l31 * l31, l32, l32), l33, l33);
  t.spread = over_corners(n0, b0, n1, l11 * l11, n2, b2, n3, b3);
  t.determinant = l11 * l22 * l33;
  t.per_volume = load(rest + tets::rest_rows * lanes);
  solve_limit(n0, n1, n2, n3, t);
}

HWY_INLINE void limit_corner(LimitNode& n0, LimitNode& n1, LimitNode& n2, LimitNode& n3) {
  LimitShape t;
  t.e1 = n1.x - n0.x, t.e2 = n2.x - n0.x, t.e3 = n3.x - n0.x;
  const V q1 = dot(t.e1, t.e1), q2 = dot(t.e2, t.e2), q3 = dot(t.e3, t.e3);
  const V3 s0 = t.e1 + (t.e2 + t.e3);
  t.s1 = t.e1, t.s2 = t.e2, t.s3 = t.e3;
  t.stretch = q1 + (q2 + q3);
  t.squares = over_corners(n0, dot(s0, s0), n1, q1, n2, q2, n3, q3);
  t.spread = plus_product(n1.w + (n2.w + n3.w), n0.w, all(3));
  t.determinant = all(1);
  t.per_volume = all(6);
  solve_limit(n0, n1, n2, n3, t);
}

HWY_INLINE void limit_middle(LimitNode& n0, LimitNode& n1, LimitNode& n2, LimitNode& n3) {
  LimitShape t;
  t.e1 = n1.x - n0.x, t.e2 = n2.x - n0.x, t.e3 = n3.x - n0.x;
  const V3 s0 = (t.e1 + (t.e2 + t.e3)) * all(0.25f);
  t.s1 = t.e1 - s0, t.s2 = t.e2 - s0, t.s3 = t.e3 - s0;
  const V q0 = dot(s0, s0), q1 = dot(t.s1, t.s1), q2 = dot(t.s2, t.s2), q3 = dot(t.s3, t.s3);
  t.stretch = (q0 + q1) + (q2 + q3);
  t.squares = over_corners(n0, q0, n1, q1, n2, q2, n3, q3);
  t.spread = ((n0.w + n1.w) + (n2.w + n3.w)) * all(0.75f);
  t.determinant = all(0.5f);
  t.per_volume = all(3);
  solve_limit(n0, n1, n2, n3, t);
}

template <int count>
HWY_INLINE void gather_nodes(const float* nodes, const std::int32_t* place, LimitNode* n) {
  if constexpr (count > 1) gather_nodes<count - 1>(nodes, place, n);
  gather_rows(nodes, place + (count - 1) * lanes, n[count - 1].x, n[count - 1].w);
}
template <int count>
HWY_INLINE void scatter_nodes(const LimitNode* n, float* nodes, const std::int32_t* place) {
  if constexpr (count > 1) scatter_nodes<count - 1>(n, nodes, place);
  scatter_rows(n[count - 1].x, n[count - 1].w, nodes, place + (count - 1) * lanes);
}

void sweep_limit_tets(const LimitWork& work) {
  for (int b = 0; b < work.batches; ++b) {
    const std::int32_t* place = work.place + std::size_t(b) * 4 * lanes;
    LimitNode n[4];
    gather_nodes<4>(work.nodes, place, n);
    limit_tet(n[0], n[1], n[2], n[3], work.rest + std::size_t(b) * (tets::rest_rows + 1) * lanes);
    scatter_nodes<4>(n, work.nodes, place);
  }
}

void sweep_limit_cubes(const LimitWork& work) {
  for (int b = 0; b < work.batches; ++b) {
    const std::int32_t* place = work.place + std::size_t(b) * 8 * lanes;
    LimitNode n[8];
    gather_nodes<8>(work.nodes, place, n);
    limit_corner(n[0], n[1], n[2], n[4]);
    limit_corner(n[3], n[2], n[1], n[7]);
    limit_corner(n[5], n[4], n[7], n[1]);
    limit_corner(n[6], n[7], n[4], n[2]);
    limit_middle(n[1], n[2], n[4], n[7]);
    scatter_nodes<8>(n, work.nodes, place);
  }
}

}  // namespace
}  // namespace pliant::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <cmath>

#include "core/assert.h"
#include "methods/shared/wide_nodes.h"

namespace pliant {
namespace {

HWY_EXPORT(sweep_limit_tets);
HWY_EXPORT(sweep_limit_cubes);

}  // namespace

TetsLimit::TetsLimit(const tets::WideBatches& batches, const float* nodes)
    : tets_(batches.tets), batches_(batches.batches()) {
  ASSERT(tets_ == 1 || batches.at_rest == tets::RestShape::cubes, "single tets or cubes");
  constexpr int row = 4;
  for (const std::int32_t place : batches.place)
    place_.push_back(place / NodeFloats::per_node * row);
  nodes_.assign(std::size_t(row * batches.slots), 0);
  for (int i = 0; i < batches.slots; ++i)
    for (int k = 0; k < row; ++k) nodes_.data()[i * row + k] = nodes[i * NodeFloats::per_node + k];
  if (tets_ > 1) return;
  const std::size_t lanes = std::size_t(batches.lanes), rows = tets::rest_rows + 1;
  rest_.assign(std::size_t(batches_) * rows * lanes, 1);
  for (std::size_t b = 0; b < std::size_t(batches_); ++b) {
    float* to = rest_.data() + b * rows * lanes;
    std::copy_n(batches.rest.data() + b * batches.rest_per_batch(), tets::rest_rows * lanes, to);
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      const float determinant = to[tets::rest_11 * lanes + lane] *
                                to[tets::rest_22 * lanes + lane] * to[tets::rest_33 * lanes + lane];
      to[tets::rest_rows * lanes + lane] = 6 * std::abs(determinant);
    }
  }
}

void TetsLimit::sweep() {
  const LimitWork work{batches_, place_.data(), rest_.data(), nodes_.data()};
  if (tets_ == 1) HWY_DYNAMIC_DISPATCH(sweep_limit_tets)(work);
  else HWY_DYNAMIC_DISPATCH(sweep_limit_cubes)(work);
}

}  // namespace pliant
#endif
