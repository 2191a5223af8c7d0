// Elements with two constraints, shape and volume, solved as one 2 x 2 system; and what hardly ever
// happens (constraints that are hardly told apart, a move too long or not finite, a collapsed
// element). Included as wide_math-inl.h is.

#if defined(PLIANT_WIDE_PAIR_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef PLIANT_WIDE_PAIR_INL_H
#undef PLIANT_WIDE_PAIR_INL_H
#else
#define PLIANT_WIDE_PAIR_INL_H
#endif

#include "methods/shared/sweep_trouble.h"
#include "methods/shared/wide_math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace pliant::HWY_NAMESPACE {
namespace {

constexpr float collapsed_below = 1e-10f;  // squared stretch: float positions know no less
constexpr float told_apart = 1e-6f;        // of a11 a22
constexpr float not_finite = 1e30f;

/// Hardly told apart: shape first, then volume with what is left, so that volume is met. What is
/// beyond floats has no answer, and no number says so.
HWY_NOINLINE void solve_apart(Mask apart, V a11, V a12, V a22, V r1, V r2, V& shape, V& volume) {
  const Tag d;
  const Raw one_by_one =
      hn::IfThenElseZero(hn::Gt(a11.v, hn::Set(d, 1e-30f)), hn::Div(r1.v, a11.v));
  const Raw left = hn::NegMulAdd(a12.v, one_by_one, r2.v);
  const Raw after = hn::IfThenElseZero(hn::Gt(a22.v, hn::Set(d, 1e-30f)), hn::Div(left, a22.v));
  const Raw none = hn::Add(hn::Sub(a11.v, a11.v), hn::Sub(a22.v, a22.v));
  shape.v = hn::IfThenElse(apart, shape.v, hn::Add(one_by_one, none));
  volume.v = hn::IfThenElse(apart, volume.v, after);
}

/// Determinant of the system, summed from parts that are all positive; and whether it is large
/// enough to divide by.
HWY_INLINE V pair_determinant(V g11, V a12, V g22, V shape, V volume, V a11) {
  const V alike = max(minus_product(g11 * g22, a12, a12), all(0));
  return plus_product(plus_product(alike, shape, g22), volume, a11);
}
HWY_INLINE Mask are_apart(V det, V a11, V a22) {
  return hn::Gt(det.v, (all(told_apart) * a11 * a22).v);
}

/// Changes of both multipliers. g11, g22, a12: what the constraints answer to each other.
/// r1, r2: what they lack; multipliers of earlier iterations, if `kept`, count.
struct Changes {
  V shape, volume;
};
template <bool kept>
HWY_INLINE Changes solve_pair(V g11, V a12, V g22, V shape, V volume, V r1, V r2,
                              const float* multipliers) {
  const V a11 = g11 + shape, a22 = g22 + volume;
  const V det = pair_determinant(g11, a12, g22, shape, volume, a11);
  if constexpr (kept) {
    r1 = minus_product(r1, shape, load(multipliers));
    r2 = minus_product(r2, volume, load(multipliers + lanes));
  }
  const V per_det = reciprocal(det);
  Changes changes = {minus_product(a22 * r1, a12, r2) * per_det,
                     minus_product(a11 * r2, a12, r1) * per_det};
  const Mask apart = are_apart(det, a11, a22);
  if (HWY_UNLIKELY(!hn::AllTrue(Tag(), apart)))
    solve_apart(apart, a11, a12, a22, r1, r2, changes.shape, changes.volume);
  return changes;
}

/// Share of the move that is made, and whether any may be made at all.
struct Limits {
  Raw share;
  Mask good;
};
HWY_NOINLINE Limits limit(V farthest, V reach, V sum, V stretch_squared, SweepTrouble& trouble) {
  const Tag d;
  const Mask whole = hn::Gt(stretch_squared.v, hn::Set(d, collapsed_below));
  const Mask finite = hn::And(hn::Lt(farthest.v, hn::Set(d, not_finite)),
                              hn::Lt(hn::Abs(sum.v), hn::Set(d, not_finite)));
  const Mask collapsed = hn::Le(stretch_squared.v, hn::Set(d, collapsed_below));
  trouble.collapsed += int(hn::CountTrue(d, collapsed));
  trouble.skipped += int(hn::CountTrue(d, hn::AndNot(collapsed, hn::Not(finite))));
  const Raw shorter = hn::Sqrt(hn::Div(reach.v, farthest.v));
  const Raw one = hn::Set(d, 1.0f);
  return {hn::IfThenElse(hn::Gt(farthest.v, reach.v), shorter, one), hn::And(whole, finite)};
}

HWY_INLINE V3 limited(const Limits& limits, V3 move) {
  const auto part = [&](V a) HWY_ATTR {
    return V{hn::IfThenElseZero(limits.good, hn::Mul(a.v, limits.share))};
  };
  return {part(move.x), part(move.y), part(move.z)};
}

}  // namespace
}  // namespace pliant::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
