// Elements with two constraints, shape and volume, solved as one 2 x 2 system: what hardly ever
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

/// Hardly told apart: shape first, then volume with what is left, so that volume is met.
HWY_NOINLINE void solve_apart(Mask apart, V a11, V a12, V a22, V r1, V r2, V& shape, V& volume) {
  const Tag d;
  const Raw one_by_one =
      hn::IfThenElseZero(hn::Gt(a11.v, hn::Set(d, 1e-30f)), hn::Div(r1.v, a11.v));
  const Raw left = hn::NegMulAdd(a12.v, one_by_one, r2.v);
  const Raw after = hn::IfThenElseZero(hn::Gt(a22.v, hn::Set(d, 1e-30f)), hn::Div(left, a22.v));
  shape.v = hn::IfThenElse(apart, shape.v, one_by_one);
  volume.v = hn::IfThenElse(apart, volume.v, after);
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
