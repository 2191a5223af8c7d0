// Read project.cpp first: this is the same projection and filter for 4, 8 or 16 groups side by
// side, in floats. What differs, and why:
// - Gradients never appear. All that happens to a group happens to F: the answers to the
//   constraints are tr(G N G^T) with a constant N (AnswerRow), and the move of member i is its
//   weight over its mass times (G Q^-1) arm_i. So positions are read once and written once, and
//   members that are held are no exception: their mobility is zero.
// - Along the principal axes of Q its inverse is three numbers. F seen from there is F times a
//   rotation, and the law is isotropic: nothing else changes.
// - a12 is J tr Q^-1, since F^T cof(F) = J 1. The determinant of the 2 x 2 system is summed from
//   parts that are all positive.
// - Particles are a place that stays and a move that grows, see methods/tets/wide_project.cpp.
// - What hardly ever happens (cap, collapse, no finite answer) sits behind one test per batch.
// The file compiles itself once per instruction set (Highway's foreach_target); the choice is made
// at run time.

#include "core/wide_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "methods/shared/shape_law/wide_project.cpp"
#include <algorithm>
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "methods/shared/shape_law/wide_project.h"
#include "methods/shared/wide_pair-inl.h"

HWY_BEFORE_NAMESPACE();
namespace pliant::shape_law::HWY_NAMESPACE {
namespace {

using namespace pliant::HWY_NAMESPACE;

/// A matrix per lane, by columns.
struct V33 {
  V3 c1, c2, c3;
};
HWY_INLINE V33 columns_times(const V33& a, V s1, V s2, V s3) {
  return {a.c1 * s1, a.c2 * s2, a.c3 * s3};
}
HWY_INLINE V3 plus_product(V3 sum, const V33& A, V x, V y, V z) {
  return plus_product(plus_product(plus_product(sum, A.c1, x), A.c2, y), A.c3, z);
}

/// What members of a group weigh.
enum class Shares {
  own,    // each its own
  even,   // the same, but groups side by side may differ in size: 0 where one has no more members
  alike,  // the same, and as many members in each group
};

/// Sums over members: their centre, and P = sum of share x arm^T. Shares that are the same for all
/// members are left out of P; if groups are alike out of the centre too, until all are summed.
struct Sums {
  V3 centre;
  V33 P;
};
template <Shares shares>
HWY_INLINE void add_member(const float* member, V3 x, Sums& sums) {
  const V rx = load(member + member_x * lanes), ry = load(member + member_y * lanes);
  const V rz = load(member + member_z * lanes);
  V3 weighted = x;
  if constexpr (shares == Shares::alike) {
    sums.centre = sums.centre + x;
  } else {
    const V share = load(member + member_share * lanes);
    sums.centre = plus_product(sums.centre, x, share);
    if constexpr (shares == Shares::own) weighted = x * share;
  }
  sums.P.c1 = plus_product(sums.P.c1, weighted, rx);
  sums.P.c2 = plus_product(sums.P.c2, weighted, ry);
  sums.P.c3 = plus_product(sums.P.c3, weighted, rz);
}

/// What is to be done with a member of mobility w at x (seen from the first one) with rest place r:
/// move it by w (A r + shift - filter x).
struct Moves {
  V33 A;
  V3 shift;
  V filter;
};
/// The move without its mobility. `sum` adds up, by share, what must be zero in the end.
template <Shares shares>
HWY_INLINE V3 push_of(const float* member, V3 x, const Moves& moves, V3& sum) {
  const V rx = load(member + member_x * lanes), ry = load(member + member_y * lanes);
  const V rz = load(member + member_z * lanes);
  const V3 start = {minus_product(moves.shift.x, moves.filter, x.x),
                    minus_product(moves.shift.y, moves.filter, x.y),
                    minus_product(moves.shift.z, moves.filter, x.z)};
  const V3 push = plus_product(start, moves.A, rx, ry, rz);
  if constexpr (shares == Shares::alike) sum = sum + push;
  else sum = plus_product(sum, push, load(member + member_share * lanes));
  return push;
}
template <Shares shares>
HWY_INLINE V lively(const float* member, V w) {
  return shares == Shares::own ? w * load(member + member_share * lanes) : w;
}

/// tr(A N A^T) for the symmetric N in the rows of AnswerRow; a11, a22, a33 are the squares of the
/// columns of A.
HWY_INLINE V answered(const V33& A, V a11, V a22, V a33, const float* answer) {
  const V mixed = plus_product(plus_product(dot(A.c1, A.c2) * load(answer + answer_21 * lanes),
                                            dot(A.c1, A.c3), load(answer + answer_31 * lanes)),
                               dot(A.c2, A.c3), load(answer + answer_32 * lanes));
  const V straight = plus_product(
      plus_product(a11 * load(answer + answer_11 * lanes), a22, load(answer + answer_22 * lanes)),
      a33, load(answer + answer_33 * lanes));
  return straight + (mixed + mixed);
}

/// From the sums of a group to the moves of its members. `kept`: multipliers are read and written.
template <bool kept>
HWY_INLINE void project(const Sums& sums, const float* inverse, const float* give,
                        const float* answer, bool filtering, float* multipliers, Moves& moves,
                        SweepTrouble& trouble) {
  const V d1 = load(inverse), d2 = load(inverse + lanes), d3 = load(inverse + 2 * lanes);
  V33 F = columns_times(sums.P, d1, d2, d3);
  const V idle = load(answer + answer_idle * lanes);
  F.c1.x = F.c1.x + idle, F.c2.y = F.c2.y + idle, F.c3.z = F.c3.z + idle;
  const V33 C = {cross(F.c2, F.c3), cross(F.c3, F.c1), cross(F.c1, F.c2)};
  const V J = dot(F.c1, C.c1);
  const V f1 = dot(F.c1, F.c1), f2 = dot(F.c2, F.c2), f3 = dot(F.c3, F.c3);
  const V stretch_squared = f1 + (f2 + f3);
  const V per_stretch = reciprocal_root(stretch_squared);

  const V spread = load(answer + answer_11 * lanes) +
                   (load(answer + answer_22 * lanes) + load(answer + answer_33 * lanes));
  const V g11 = answered(F, f1, f2, f3, answer) * (per_stretch * per_stretch);
  const V g22 = answered(C, dot(C.c1, C.c1), dot(C.c2, C.c2), dot(C.c3, C.c3), answer);
  const V a12 = J * per_stretch * spread;
  auto [of_shape, of_volume] = solve_pair<kept>(
      g11, a12, g22, load(give + give_shape * lanes), load(give + give_volume * lanes),
      -(stretch_squared * per_stretch), load(give + give_gamma * lanes) - J, multipliers);

  V along_shape = of_shape * per_stretch, along_volume = of_volume;
  V33 G = {plus_product(F.c1 * along_shape, C.c1, along_volume),
           plus_product(F.c2 * along_shape, C.c2, along_volume),
           plus_product(F.c3 * along_shape, C.c3, along_volume)};
  // Mean square move of the members, as if their weights were their masses.
  const V farthest =
      plus_product(plus_product(dot(G.c1, G.c1) * d1, dot(G.c2, G.c2), d2), dot(G.c3, G.c3), d3);
  const V reach = load(give + give_reach * lanes);
  const V sum = of_shape + of_volume;
  V filter = filtering ? load(give + give_filter * lanes) : all(0);
  const Mask ordinary =
      hn::And(hn::And(hn::Le(farthest.v, reach.v), hn::Lt(hn::Abs(sum.v), all(not_finite).v)),
              hn::Gt(stretch_squared.v, all(collapsed_below).v));
  const bool odd = !hn::AllTrue(Tag(), ordinary);
  Mask good = hn::FirstN(Tag(), std::size_t(lanes));
  if (HWY_UNLIKELY(odd)) {
    const Limits limits = limit(farthest, reach, sum, stretch_squared, trouble);
    G = {limited(limits, G.c1), limited(limits, G.c2), limited(limits, G.c3)};
    of_shape.v = hn::IfThenElseZero(limits.good, hn::Mul(of_shape.v, limits.share));
    of_volume.v = hn::IfThenElseZero(limits.good, hn::Mul(of_volume.v, limits.share));
    // What has no finite place is not filtered either.
    good = hn::Lt(stretch_squared.v, all(not_finite).v);
    filter.v = hn::IfThenElseZero(good, filter.v);
  }
  const V mass = load(give + give_mass * lanes);
  const V33 B = columns_times(G, d1 * mass, d2 * mass, d3 * mass);
  moves.filter = filter;
  moves.shift = sums.centre * filter;
  moves.A = {plus_product(B.c1, F.c1, filter), plus_product(B.c2, F.c2, filter),
             plus_product(B.c3, F.c3, filter)};
  if (HWY_UNLIKELY(odd)) {
    const auto kept_finite = [&](V a) HWY_ATTR { return V{hn::IfThenElseZero(good, a.v)}; };
    const auto finite = [&](V3 a) HWY_ATTR {
      return V3{kept_finite(a.x), kept_finite(a.y), kept_finite(a.z)};
    };
    moves.shift = finite(moves.shift);
    moves.A = {finite(moves.A.c1), finite(moves.A.c2), finite(moves.A.c3)};
  }
  if constexpr (kept) {
    store(load(multipliers) + of_shape, multipliers);
    store(load(multipliers + lanes) + of_volume, multipliers + lanes);
  }
}

HWY_INLINE Sums no_sums() {
  const V3 zero = {all(0), all(0), all(0)};
  return {zero, {zero, zero, zero}};
}

/// Groups side by side. `count`: members of each, 0 = as the batch says.
template <bool kept, Shares shares, int count>
HWY_INLINE void sweep_batch(const WideBatches& batches, int b, bool filtering, float* nodes,
                            float* multipliers, SweepTrouble& trouble) {
  const Batch& batch = batches.batch[b];
  const int rows = count > 0 ? count : batch.rows;
  const std::int32_t* place = batches.place.data() + batch.place;
  const float* inverse = batches.rest.data() + batch.rest;
  constexpr int step = (shares == Shares::alike ? member_share : member_rows) * lanes;
  const float* second = inverse + inverse_rows * lanes;  // of the first member nothing is kept
  const float* give = batches.give.data() + std::size_t(b) * give_rows * lanes;
  const float* answer = batches.answer.data() + std::size_t(b) * answer_rows * lanes;
  V3 x[most_side_by_side];
  V w[most_side_by_side];
  Sums sums = no_sums();
  V3 first;
  gather_present(nodes, place, first, w[0]);
  x[0] = {all(0), all(0), all(0)};  // seen from the first: far from the origin digits are few
  for (int k = 1; k < rows; ++k) {
    V3 here;
    gather_present(nodes, place + k * lanes, here, w[k]);
    x[k] = here - first;
  }
  // In a loop of their own the sums stay in registers.
  for (int k = 1; k < rows; ++k) add_member<shares>(second + (k - 1) * step, x[k], sums);
  if constexpr (shares == Shares::alike) sums.centre = sums.centre * all(1.0f / float(rows));
  Moves moves;
  project<kept>(sums, inverse, give, answer, filtering,
                kept ? multipliers + std::size_t(b) * 2 * lanes : nullptr, moves, trouble);
  V3 pushed = {all(0), all(0), all(0)};
  for (int k = 1; k < rows; ++k) {
    const float* member = second + (k - 1) * step;
    const V3 push = push_of<shares>(member, x[k], moves, pushed);
    move_nodes(push * lively<shares>(member, w[k]), nodes, place + k * lanes);
  }
  // The first takes what is left to zero. Pushes are small differences of large numbers; left to
  // itself their rounding would add up to a force on the body.
  const V last = -(shares == Shares::even ? w[0] * load(give + give_members * lanes) : w[0]);
  move_nodes(pushed * last, nodes, place);
}

HWY_INLINE V total(V a) { return {hn::SumOfLanes(Tag(), a.v)}; }
HWY_INLINE V3 total(V3 a) { return {total(a.x), total(a.y), total(a.z)}; }

/// Rows of members that a large group remembers between its two visits to them.
constexpr int most_rows = 64;

/// One large group, its members side by side; after the sums all lanes do the same.
template <bool kept, Shares shares>
HWY_NOINLINE void sweep_large(const WideBatches& batches, int b, bool filtering, float* nodes,
                              float* multipliers, SweepTrouble& trouble) {
  const Batch& batch = batches.batch[b];
  const std::int32_t* place = batches.place.data() + batch.place;
  const float* inverse = batches.rest.data() + batch.rest;
  const float* rest = inverse + inverse_rows * lanes;
  const float* give = batches.give.data() + std::size_t(b) * give_rows * lanes;
  const float* answer = batches.answer.data() + std::size_t(b) * answer_rows * lanes;
  const float* n = nodes + place[0];
  const V3 first = {all(n[0] + n[4]), all(n[1] + n[5]), all(n[2] + n[6])};
  V3 x[most_rows];
  V w[most_rows];
  const auto gather = [&](int k, V3& from_first, V& mobility) HWY_ATTR {
    gather_present(nodes, place + k * lanes, from_first, mobility);
    from_first = from_first - first;
  };
  const int remembered = std::min(batch.rows, most_rows);
  Sums sums = no_sums();
  for (int k = 0; k < remembered; ++k) gather(k, x[k], w[k]);
  for (int k = 0; k < remembered; ++k)
    add_member<shares>(rest + k * member_rows * lanes, x[k], sums);
  for (int k = remembered; k < batch.rows; ++k) {
    V3 here;
    V mobility;
    gather(k, here, mobility);
    add_member<shares>(rest + k * member_rows * lanes, here, sums);
  }
  sums = {total(sums.centre), {total(sums.P.c1), total(sums.P.c2), total(sums.P.c3)}};
  Moves moves;
  SweepTrouble one;
  project<kept>(sums, inverse, give, answer, filtering,
                kept ? multipliers + std::size_t(b) * 2 * lanes : nullptr, moves, one);
  trouble.collapsed += one.collapsed > 0 ? 1 : 0;
  trouble.skipped += one.skipped > 0 ? 1 : 0;
  V3 pushed = {all(0), all(0), all(0)};
  for (int k = batch.rows - 1; k >= 0; --k) {
    V3 here;
    V mobility;
    if (k < remembered) here = x[k], mobility = w[k];
    else gather(k, here, mobility);
    const float* member = rest + k * member_rows * lanes;
    V3 push = push_of<shares>(member, here, moves, pushed);
    if (k == 0) {  // as in sweep_batch
      const V share = load(member + member_share * lanes);
      const Mask self = hn::FirstN(Tag(), 1);
      const auto rest_of = [&](V sum, V own) HWY_ATTR {
        const V others = total(V{hn::IfThenElse(self, minus_product(sum, own, share).v, sum.v)});
        return V{hn::IfThenElse(self, hn::Neg(hn::Div(others.v, share.v)), own.v)};
      };
      push = {rest_of(pushed.x, push.x), rest_of(pushed.y, push.y), rest_of(pushed.z, push.z)};
    }
    move_nodes(push * lively<shares>(member, mobility), nodes, place + k * lanes);
  }
}

template <bool kept, Shares shares>
HWY_INLINE void sweep_side_by_side(const WideBatches& batches, int b, bool filtering, float* nodes,
                                   float* multipliers, SweepTrouble& trouble) {
  const int rows = batches.batch[b].rows;
  if (rows == 8) sweep_batch<kept, shares, 8>(batches, b, filtering, nodes, multipliers, trouble);
  else if (rows == 27)
    sweep_batch<kept, shares, 27>(batches, b, filtering, nodes, multipliers, trouble);
  else sweep_batch<kept, shares, 0>(batches, b, filtering, nodes, multipliers, trouble);
}

template <bool kept, Shares shares>
SweepTrouble sweep(const WideBatches& batches, int begin, int end, bool filtering, float* nodes,
                   float* multipliers) {
  SweepTrouble trouble;
  for (int b = begin; b < end; ++b) {
    const Batch& batch = batches.batch[b];
    if (batch.large) {
      sweep_large<kept, shares>(batches, b, filtering, nodes, multipliers, trouble);
      continue;
    }
    if (shares == Shares::even && batch.alike)
      sweep_side_by_side<kept, Shares::alike>(batches, b, filtering, nodes, multipliers, trouble);
    else sweep_side_by_side<kept, shares>(batches, b, filtering, nodes, multipliers, trouble);
  }
  return trouble;
}

SweepTrouble sweep_any(const WideBatches& batches, int begin, int end, bool filtering, float* nodes,
                       float* multipliers) {
  const auto run = [&](auto kernel) {
    return kernel(batches, begin, end, filtering, nodes, multipliers);
  };
  if (batches.even)
    return multipliers ? run(sweep<true, Shares::even>) : run(sweep<false, Shares::even>);
  return multipliers ? run(sweep<true, Shares::own>) : run(sweep<false, Shares::own>);
}

}  // namespace
}  // namespace pliant::shape_law::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace pliant::shape_law {
namespace {

HWY_EXPORT(sweep_any);

}  // namespace

int narrow_lanes() {
#if HWY_TARGETS & HWY_AVX2
  if (wide_lanes() == 16) return 8;  // whoever has AVX-512 has AVX2
#endif
  return wide_lanes();
}

SweepTrouble sweep_batches(const WideBatches& batches, int begin, int end, bool filtering,
                           float* nodes, float* multipliers) {
#if HWY_TARGETS & HWY_AVX2
  if (batches.lanes == 8 && wide_lanes() == 16)
    return N_AVX2::sweep_any(batches, begin, end, filtering, nodes, multipliers);
#endif
  return HWY_DYNAMIC_DISPATCH(sweep_any)(batches, begin, end, filtering, nodes, multipliers);
}

SweepTrouble sweep_batches(const WideBatches& batches, float* nodes) {
  SweepTrouble sum;
  for (int color = 0; color < batches.colors(); ++color) {
    const SweepTrouble trouble = sweep_batches(batches, batches.start[color],
                                               batches.start[color + 1], true, nodes, nullptr);
    sum.collapsed += trouble.collapsed;
    sum.skipped += trouble.skipped;
  }
  return sum;
}

}  // namespace pliant::shape_law
#endif
