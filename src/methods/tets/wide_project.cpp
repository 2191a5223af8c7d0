// Read project.cpp first: this is the same projection for 4, 8 or 16 elements side by side, in
// floats. What differs, and why:
// - Gradients come without F and its cofactors. The inverse rest shape is triangular (see
//   wide_batches.cpp), and the gradient of the volume is the face opposite a corner: B's
//   determinant times the cross product of two edges.
// - a12 needs no gradients: F^T cof(F) = J 1, so the dot products sum to J times the w |b|^2.
// - The determinant of the 2 x 2 system is summed from parts that are all positive.
// - Nodes are a place that stays and a move that grows: a place in floats is known to 1e-7 of the
//   body's size, and rounding to that at every step would push free bodies about.
// - What hardly ever happens (cap, collapse, no finite answer) sits behind one test per batch.
// The file compiles itself once per instruction set (Highway's foreach_target); the choice is made
// at run time.

#include "core/wide_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "methods/tets/wide_project.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "methods/shared/wide_pair-inl.h"
#include "methods/tets/wide_project.h"

HWY_BEFORE_NAMESPACE();
namespace pliant::tets::HWY_NAMESPACE {
namespace {

using namespace pliant::HWY_NAMESPACE;

/// A node per lane.
struct Corner {
  V3 start;
  V w;  // inverse mass
  V3 moved;
  HWY_INLINE V3 x() const { return start + moved; }
};

#if HWY_TARGET == HWY_SCALAR

HWY_INLINE void gather(const float* nodes, const std::int32_t* place, Corner& corner) {
  const float* n = nodes + place[0];
  corner = {
      {load(n), load(n + 1), load(n + 2)}, load(n + 3), {load(n + 4), load(n + 5), load(n + 6)}};
}

HWY_INLINE void scatter(V3 moved, float* nodes, const std::int32_t* place) {
  float* n = nodes + place[0] + 4;
  store(moved.x, n), store(moved.y, n + 1), store(moved.z, n + 2);
}

#else

// Part by part: a Corner returned whole goes through integer registers (g++ 12) at twice the cost.
HWY_INLINE void gather(const float* nodes, const std::int32_t* place, Corner& corner) {
  V filling;
  gather_rows(nodes, place, corner.start, corner.w);
  gather_rows(nodes + 4, place, corner.moved, filling);
}

HWY_INLINE void scatter(V3 moved, float* nodes, const std::int32_t* place) {
  const Tag tag;
  Raw a = moved.x.v, b = moved.y.v, c = moved.z.v, d = hn::Zero(tag);
  transpose(a, b, c, d);
  store_blocks(tag, a, nodes + 4, place);
  store_blocks(tag, b, nodes + 4, place + 1);
  store_blocks(tag, c, nodes + 4, place + 2);
  store_blocks(tag, d, nodes + 4, place + 3);
}

#endif

/// One tet per lane. `kept`: multipliers are read and written. `right`: at rest the edges at corner
/// 0 are at right angles, as at the corners of a box; then the triangular matrix is diagonal.
template <bool kept, bool right>
HWY_INLINE void project(Corner& c0, Corner& c1, Corner& c2, Corner& c3, const float* rest,
                        const float* give, float* multipliers, SweepTrouble& trouble) {
  const V3 x0 = c0.x(), e1 = c1.x() - x0, e2 = c2.x() - x0, e3 = c3.x() - x0;
  const V l11 = load(rest + rest_11 * lanes), l22 = load(rest + rest_22 * lanes);
  const V l33 = load(rest + rest_33 * lanes);
  const V l21 = right ? all(0) : load(rest + rest_21 * lanes);
  const V l31 = right ? all(0) : load(rest + rest_31 * lanes);
  const V l32 = right ? all(0) : load(rest + rest_32 * lanes);

  const V3 f1 = right ? e1 * l11 : plus_product(plus_product(e1 * l11, e2, l21), e3, l31);
  const V3 f2 = right ? e2 * l22 : plus_product(e2 * l22, e3, l32);
  const V3 f3 = e3 * l33;
  const V stretch_squared = dot(f1, f1) + (dot(f2, f2) + dot(f3, f3));

  // Of shape, times the stretch; of volume, divided by B's determinant.
  const V3 s1 = f1 * l11;
  const V3 s2 = right ? f2 * l22 : plus_product(f1 * l21, f2, l22);
  const V3 s3 = right ? f3 * l33 : plus_product(plus_product(f1 * l31, f2, l32), f3, l33);
  const V3 s0 = s1 + s2 + s3;  // with the other sign
  const V3 v1 = cross(e2, e3), v2 = cross(e3, e1), v3 = cross(e1, e2);
  const V3 v0 = v1 + (v2 + v3);
  const V determinant = l11 * l22 * l33;
  const V J = determinant * dot(e1, v1);

  // w |b|^2 summed over the corners; the rows of the triangular matrix are b1, b2, b3.
  const V b1 = l11 * l11;
  const V b2 = right ? l22 * l22 : plus_product(l21 * l21, l22, l22);
  const V b3 = right ? l33 * l33 : plus_product(plus_product(l31 * l31, l32, l32), l33, l33);
  const V b0x = l11 + l21 + l31, b0y = l22 + l32;
  const V b0 = right ? b1 + b2 + b3 : plus_product(plus_product(b0x * b0x, b0y, b0y), l33, l33);
  const V spread = plus_product(c0.w * b0, c1.w, b1) + plus_product(c2.w * b2, c3.w, b3);

  const V shape_squares = plus_product(c0.w * dot(s0, s0), c1.w, dot(s1, s1)) +
                          plus_product(c2.w * dot(s2, s2), c3.w, dot(s3, s3));
  const V volume_squares = plus_product(c0.w * dot(v0, v0), c1.w, dot(v1, v1)) +
                           plus_product(c2.w * dot(v2, v2), c3.w, dot(v3, v3));

  const V per_stretch = reciprocal_root(stretch_squared);
  const V g11 = shape_squares * (per_stretch * per_stretch);
  const V g22 = volume_squares * (determinant * determinant);
  const V a12 = J * per_stretch * spread;
  auto [of_shape, of_volume] = solve_pair<kept>(
      g11, a12, g22, load(give + give_shape * lanes), load(give + give_volume * lanes),
      -(stretch_squared * per_stretch), load(give + give_gamma * lanes) - J, multipliers);

  const V along_shape = of_shape * per_stretch, along_volume = of_volume * determinant;
  const V3 p1 = plus_product(s1 * along_shape, v1, along_volume);
  const V3 p2 = plus_product(s2 * along_shape, v2, along_volume);
  const V3 p3 = plus_product(s3 * along_shape, v3, along_volume);
  const V3 p0 = p1 + p2 + p3;  // the others' sum with the other sign: momentum is kept to rounding
  V3 m0 = p0 * -c0.w, m1 = p1 * c1.w, m2 = p2 * c2.w, m3 = p3 * c3.w;
  const V farthest = max(max(dot(m0, m0), dot(m1, m1)), max(dot(m2, m2), dot(m3, m3)));
  const V reach = load(give + give_reach * lanes);
  const V sum = of_shape + of_volume;  // catches a NaN that max() passes over

  const Mask ordinary =
      hn::And(hn::And(hn::Le(farthest.v, reach.v), hn::Lt(hn::Abs(sum.v), all(not_finite).v)),
              hn::Gt(stretch_squared.v, all(collapsed_below).v));
  if (HWY_UNLIKELY(!hn::AllTrue(Tag(), ordinary))) {
    const Limits limits = limit(farthest, reach, sum, stretch_squared, trouble);
    m0 = limited(limits, m0), m1 = limited(limits, m1);
    m2 = limited(limits, m2), m3 = limited(limits, m3);
    of_shape.v = hn::IfThenElseZero(limits.good, hn::Mul(of_shape.v, limits.share));
    of_volume.v = hn::IfThenElseZero(limits.good, hn::Mul(of_volume.v, limits.share));
  }
  c0.moved = c0.moved + m0, c1.moved = c1.moved + m1;
  c2.moved = c2.moved + m2, c3.moved = c3.moved + m3;
  if constexpr (kept) {
    store(load(multipliers) + of_shape, multipliers);
    store(load(multipliers + lanes) + of_volume, multipliers + lanes);
  }
}

template <bool kept>
SweepTrouble sweep_tets(const WideBatches& batches, int begin, int end, float* nodes,
                        float* multipliers) {
  SweepTrouble trouble;
  for (int b = begin; b < end; ++b) {
    const std::int32_t* place = batches.place.data() + std::size_t(b) * 4 * lanes;
    const float* rest = batches.rest.data() + std::size_t(b) * batches.rest_step;
    const float* give = batches.give.data() + std::size_t(b) * give_rows * lanes;
    Corner corner[4];
    for (int k = 0; k < 4; ++k) gather(nodes, place + k * lanes, corner[k]);
    project<kept, false>(corner[0], corner[1], corner[2], corner[3], rest, give,
                         kept ? multipliers + std::size_t(b) * 2 * lanes : nullptr, trouble);
    for (int k = 0; k < 4; ++k) scatter(corner[k].moved, nodes, place + k * lanes);
  }
  return trouble;
}

/// `boxes`: the cells are boxes at rest. (Two batches taking turns, so that the five tets of one
/// need not wait for each other, brought nothing.)
template <bool kept, bool boxes>
SweepTrouble sweep_cells(const WideBatches& batches, int begin, int end, float* nodes,
                         float* multipliers) {
  SweepTrouble trouble;
  for (int b = begin; b < end; ++b) {
    const std::int32_t* place = batches.place.data() + std::size_t(b) * 8 * lanes;
    const float* rest = batches.rest.data() + std::size_t(b) * batches.rest_step;
    const float* give = batches.give.data() + std::size_t(b) * 5 * give_rows * lanes;
    float* own = kept ? multipliers + std::size_t(b) * 5 * 2 * lanes : nullptr;
    Corner corner[8];
    for (int k = 0; k < 8; ++k) gather(nodes, place + k * lanes, corner[k]);
    for (int t = 0; t < 4; ++t)
      project<kept, boxes>(
          corner[cell_tets[t][0]], corner[cell_tets[t][1]], corner[cell_tets[t][2]],
          corner[cell_tets[t][3]], boxes ? rest : rest + t * rest_rows * lanes,
          give + t * give_rows * lanes, kept ? own + t * 2 * lanes : nullptr, trouble);
    project<kept, false>(corner[cell_tets[4][0]], corner[cell_tets[4][1]], corner[cell_tets[4][2]],
                         corner[cell_tets[4][3]], rest + (boxes ? box_rows : 4 * rest_rows) * lanes,
                         give + 4 * give_rows * lanes, kept ? own + 4 * 2 * lanes : nullptr,
                         trouble);
    for (int k = 0; k < 8; ++k) scatter(corner[k].moved, nodes, place + k * lanes);
  }
  return trouble;
}

template <bool kept>
SweepTrouble sweep(const WideBatches& batches, int begin, int end, float* nodes,
                   float* multipliers) {
  if (batches.tets == 1) return sweep_tets<kept>(batches, begin, end, nodes, multipliers);
  return batches.boxes ? sweep_cells<kept, true>(batches, begin, end, nodes, multipliers)
                       : sweep_cells<kept, false>(batches, begin, end, nodes, multipliers);
}

SweepTrouble sweep_any(const WideBatches& batches, int begin, int end, float* nodes,
                       float* multipliers) {
  return multipliers ? sweep<true>(batches, begin, end, nodes, multipliers)
                     : sweep<false>(batches, begin, end, nodes, multipliers);
}

}  // namespace
}  // namespace pliant::tets::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace pliant::tets {
namespace {

HWY_EXPORT(sweep_any);
}  // namespace

SweepTrouble sweep_batches(const WideBatches& batches, int begin, int end, float* nodes,
                           float* multipliers) {
  return HWY_DYNAMIC_DISPATCH(sweep_any)(batches, begin, end, nodes, multipliers);
}

SweepTrouble sweep_batches(const WideBatches& batches, float* nodes, float* multipliers) {
  SweepTrouble sum;
  for (int color = 0; color < batches.colors(); ++color) {
    const SweepTrouble trouble =
        sweep_batches(batches, batches.start[color], batches.start[color + 1], nodes, multipliers);
    sum.collapsed += trouble.collapsed;
    sum.skipped += trouble.skipped;
  }
  return sum;
}

}  // namespace pliant::tets
#endif
