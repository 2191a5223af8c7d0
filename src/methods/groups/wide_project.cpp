// Read project.cpp first: this is the same projection and filter for 4, 8 or 16 groups side by
// side, in floats. What differs, and why:
// - Gradients never appear. With w_i = 1/m_i all that happens to a group happens to F: the answers
//   to the constraints are tr(G Q^-1 G^T), and the move of member i is (change of F) arm_i. So
//   positions are read once and written once. Where members are held the same holds with the part
//   of Q^-1 that is left (see HeldRow).
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
#define HWY_TARGET_INCLUDE "methods/groups/wide_project.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "methods/groups/wide_project.h"
#include "methods/shared/wide_pair-inl.h"

HWY_BEFORE_NAMESPACE();
namespace pliant::groups::HWY_NAMESPACE {
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

/// Sums over members: their centre, and P = sum of share x arm^T.
struct Sums {
  V3 centre;
  V33 P;
};
HWY_INLINE void add_member(const float* member, V3 x, Sums& sums) {
  const V3 weighted = x * load(member + member_share * lanes);
  const V rx = load(member + member_x * lanes), ry = load(member + member_y * lanes);
  const V rz = load(member + member_z * lanes);
  sums.centre = sums.centre + weighted;
  sums.P.c1 = plus_product(sums.P.c1, weighted, rx);
  sums.P.c2 = plus_product(sums.P.c2, weighted, ry);
  sums.P.c3 = plus_product(sums.P.c3, weighted, rz);
}

/// What is to be done with a member at x (seen from the first one) with rest place r: move it by
/// A r + shift - filter x.
struct Moves {
  V33 A;
  V3 shift;
  V filter;
  // Where members may be held or follow: the fit is centre + fit r - x away.
  V33 fit;
  V3 centre;
};
HWY_INLINE V3 move_of(const float* member, V3 x, const Moves& moves) {
  const V rx = load(member + member_x * lanes), ry = load(member + member_y * lanes);
  const V rz = load(member + member_z * lanes);
  const V3 start = {minus_product(moves.shift.x, moves.filter, x.x),
                    minus_product(moves.shift.y, moves.filter, x.y),
                    minus_product(moves.shift.z, moves.filter, x.z)};
  return plus_product(start, moves.A, rx, ry, rz);
}

/// A matrix times the symmetric one in the rows of HeldRow.
struct Free {
  V n11, n22, n33, n21, n31, n32;
  HWY_INLINE explicit Free(const float* held)
      : n11(load(held + held_11 * lanes)),
        n22(load(held + held_22 * lanes)),
        n33(load(held + held_33 * lanes)),
        n21(load(held + held_21 * lanes)),
        n31(load(held + held_31 * lanes)),
        n32(load(held + held_32 * lanes)) {}
  HWY_INLINE V33 times(const V33& a) const {
    return {plus_product(plus_product(a.c1 * n11, a.c2, n21), a.c3, n31),
            plus_product(plus_product(a.c1 * n21, a.c2, n22), a.c3, n32),
            plus_product(plus_product(a.c1 * n31, a.c2, n32), a.c3, n33)};
  }
};
HWY_INLINE V frobenius(const V33& a, const V33& b) {
  return dot(a.c1, b.c1) + (dot(a.c2, b.c2) + dot(a.c3, b.c3));
}

/// From the sums of a group to the moves of its members. `some_held`: members may be held, or lanes
/// idle. `kept`: multipliers are read and written.
template <bool kept, bool some_held>
HWY_INLINE void project(const Sums& sums, const float* inverse, const float* give,
                        const float* held, bool filtering, float* multipliers, Moves& moves,
                        SweepTrouble& trouble) {
  const V d1 = load(inverse), d2 = load(inverse + lanes), d3 = load(inverse + 2 * lanes);
  V33 F = columns_times(sums.P, d1, d2, d3);
  if constexpr (some_held) {
    const V idle = load(held + held_idle * lanes);
    F.c1.x = F.c1.x + idle, F.c2.y = F.c2.y + idle, F.c3.z = F.c3.z + idle;
  }
  const V33 C = {cross(F.c2, F.c3), cross(F.c3, F.c1), cross(F.c1, F.c2)};
  const V J = dot(F.c1, C.c1);
  const V f1 = dot(F.c1, F.c1), f2 = dot(F.c2, F.c2), f3 = dot(F.c3, F.c3);
  const V stretch_squared = f1 + (f2 + f3);
  const V per_stretch = reciprocal_root(stretch_squared);

  V of_F, of_C, spread;  // tr(F N F^T), tr(C N C^T), tr N
  if constexpr (some_held) {
    const Free free(held);
    of_F = frobenius(F, free.times(F));
    of_C = frobenius(C, free.times(C));
    spread = free.n11 + (free.n22 + free.n33);
  } else {
    of_F = plus_product(plus_product(f1 * d1, f2, d2), f3, d3);
    of_C =
        plus_product(plus_product(dot(C.c1, C.c1) * d1, dot(C.c2, C.c2), d2), dot(C.c3, C.c3), d3);
    spread = d1 + (d2 + d3);
  }
  const V g11 = of_F * (per_stretch * per_stretch), g22 = of_C;
  const V a12 = J * per_stretch * spread;
  const V shape = load(give + give_shape * lanes), volume = load(give + give_volume * lanes);
  const V a11 = g11 + shape, a22 = g22 + volume;
  const V alike = max(minus_product(g11 * g22, a12, a12), all(0));
  const V det = plus_product(plus_product(alike, shape, g22), volume, a11);

  V r1 = -(stretch_squared * per_stretch);
  V r2 = load(give + give_gamma * lanes) - J;
  if constexpr (kept) {
    r1 = minus_product(r1, shape, load(multipliers));
    r2 = minus_product(r2, volume, load(multipliers + lanes));
  }
  const V per_det = reciprocal(det);
  V of_shape = minus_product(a22 * r1, a12, r2) * per_det;
  V of_volume = minus_product(a11 * r2, a12, r1) * per_det;
  const Mask apart = hn::Gt(det.v, (all(told_apart) * a11 * a22).v);
  if (HWY_UNLIKELY(!hn::AllTrue(Tag(), apart)))
    solve_apart(apart, a11, a12, a22, r1, r2, of_shape, of_volume);

  V along_shape = of_shape * per_stretch, along_volume = of_volume;
  V33 G = {plus_product(F.c1 * along_shape, C.c1, along_volume),
           plus_product(F.c2 * along_shape, C.c2, along_volume),
           plus_product(F.c3 * along_shape, C.c3, along_volume)};
  // Mean square move of the members, as if all were free.
  const V farthest =
      plus_product(plus_product(dot(G.c1, G.c1) * d1, dot(G.c2, G.c2), d2), dot(G.c3, G.c3), d3);
  const V reach = load(give + give_reach * lanes);
  const V sum = of_shape + of_volume;
  V filter = filtering ? load(give + give_filter * lanes) : all(0);
  const Mask ordinary =
      hn::And(hn::And(hn::Le(farthest.v, reach.v), hn::Lt(hn::Abs(sum.v), all(not_finite).v)),
              hn::Gt(stretch_squared.v, all(collapsed_below).v));
  Mask good = hn::FirstN(Tag(), std::size_t(lanes));
  const bool odd = !hn::AllTrue(Tag(), ordinary);
  if (HWY_UNLIKELY(odd)) {
    const Limits limits = limit(farthest, reach, sum, stretch_squared, trouble);
    G = {limited(limits, G.c1), limited(limits, G.c2), limited(limits, G.c3)};
    of_shape.v = hn::IfThenElseZero(limits.good, hn::Mul(of_shape.v, limits.share));
    of_volume.v = hn::IfThenElseZero(limits.good, hn::Mul(of_volume.v, limits.share));
    // What has no finite place is not filtered either.
    good = hn::Lt(stretch_squared.v, all(not_finite).v);
    filter.v = hn::IfThenElseZero(good, filter.v);
  }
  const V33 B = columns_times(G, d1, d2, d3);
  moves.filter = filter;
  if constexpr (some_held) {
    const V33 N = Free(held).times(G);
    const V3 centre = plus_product(sums.centre, G, load(held + held_x * lanes),
                                   load(held + held_y * lanes), load(held + held_z * lanes));
    moves.centre = centre;
    moves.fit = {F.c1 + (N.c1 - B.c1), F.c2 + (N.c2 - B.c2), F.c3 + (N.c3 - B.c3)};
    moves.shift = centre * filter;
    moves.A = {plus_product(B.c1, moves.fit.c1, filter), plus_product(B.c2, moves.fit.c2, filter),
               plus_product(B.c3, moves.fit.c3, filter)};
  } else {
    moves.shift = sums.centre * filter;
    moves.A = {plus_product(B.c1, F.c1, filter), plus_product(B.c2, F.c2, filter),
               plus_product(B.c3, F.c3, filter)};
  }
  if (HWY_UNLIKELY(odd)) {
    const auto kept_finite = [&](V a) HWY_ATTR { return V{hn::IfThenElseZero(good, a.v)}; };
    const auto finite = [&](V3 a) HWY_ATTR {
      return V3{kept_finite(a.x), kept_finite(a.y), kept_finite(a.z)};
    };
    moves.shift = finite(moves.shift);
    if constexpr (some_held) {
      moves.centre = finite(moves.centre);
      moves.fit = {finite(moves.fit.c1), finite(moves.fit.c2), finite(moves.fit.c3)};
    }
    moves.A = {finite(moves.A.c1), finite(moves.A.c2), finite(moves.A.c3)};
  }
  if constexpr (kept) {
    store(load(multipliers) + of_shape, multipliers);
    store(load(multipliers + lanes) + of_volume, multipliers + lanes);
  }
}

HWY_INLINE V3 if_free(V w, V3 move) {
  const Mask free = hn::Gt(w.v, hn::Zero(Tag()));
  return {{hn::IfThenElseZero(free, move.x.v)},
          {hn::IfThenElseZero(free, move.y.v)},
          {hn::IfThenElseZero(free, move.z.v)}};
}

/// How far a member is from the fit of its group.
HWY_INLINE V3 way_to_fit(const float* member, V3 x, const Moves& moves) {
  return plus_product(moves.centre - x, moves.fit, load(member + member_x * lanes),
                      load(member + member_y * lanes), load(member + member_z * lanes));
}

/// What members that follow take from the sums of their group beyond its share, see give_back() in
/// project.cpp: added up, then taken from the moves of all.
HWY_INLINE void add_follower(const float* member, const float* follows, V w, V3 x,
                             const Moves& moves, Sums& sums) {
  const V3 extra = if_free(w, way_to_fit(member, x, moves) * load(follows));
  add_member(member, extra, sums);
}
HWY_INLINE void give_back(const Sums& extra, const float* inverse, Moves& moves) {
  const V rest = all(1) - moves.filter;
  const V33 bent = columns_times(extra.P, load(inverse) * rest, load(inverse + lanes) * rest,
                                 load(inverse + 2 * lanes) * rest);
  moves.A = {moves.A.c1 - bent.c1, moves.A.c2 - bent.c2, moves.A.c3 - bent.c3};
  moves.shift = moves.shift - extra.centre * rest;
}
HWY_INLINE V3 with_following(const float* member, const float* follows, V3 x, const Moves& moves,
                             V3 move) {
  const V extra = load(follows) * (all(1) - moves.filter);
  return plus_product(move, way_to_fit(member, x, moves), extra);
}

HWY_INLINE Sums no_sums() {
  const V3 zero = {all(0), all(0), all(0)};
  return {zero, {zero, zero, zero}};
}

/// Groups side by side. `count`: members of each, 0 = as the batch says.
template <bool kept, bool some_held, int count>
HWY_INLINE void sweep_batch(const WideBatches& batches, int b, bool filtering, float* nodes,
                            float* multipliers, SweepTrouble& trouble) {
  const Batch& batch = batches.batch[b];
  const int rows = count > 0 ? count : batch.rows;
  const std::int32_t* place = batches.place.data() + batch.place;
  const float* rest = batches.rest.data() + batch.rest;
  const float* give = batches.give.data() + std::size_t(b) * give_rows * lanes;
  const float* held = batches.held.data() + std::size_t(b) * held_rows * lanes;
  V3 x[most_side_by_side];
  V w[some_held ? most_side_by_side : 1];
  V unused;
  Sums sums = no_sums();
  V3 first;
  gather_present(nodes, place, first, some_held ? w[0] : unused);
  x[0] = {all(0), all(0), all(0)};  // seen from the first: far from the origin digits are few
  for (int k = 1; k < rows; ++k) {
    V3 here;
    gather_present(nodes, place + k * lanes, here, some_held ? w[k] : unused);
    x[k] = here - first;
    add_member(rest + k * member_rows * lanes, x[k], sums);
  }
  Moves moves;
  project<kept, some_held>(sums, rest + rows * member_rows * lanes, give, held, filtering,
                           kept ? multipliers + std::size_t(b) * 2 * lanes : nullptr, moves,
                           trouble);
  const float* follows = batches.follows.data() + batch.place;
  const bool follow = some_held && batch.follow && filtering;
  if (follow) {
    Sums extra = no_sums();
    for (int k = 0; k < rows; ++k)
      add_follower(rest + k * member_rows * lanes, follows + k * lanes, w[k], x[k], moves, extra);
    give_back(extra, rest + rows * member_rows * lanes, moves);
  }
  for (int k = 0; k < rows; ++k) {
    V3 move = move_of(rest + k * member_rows * lanes, x[k], moves);
    if (follow)
      move = with_following(rest + k * member_rows * lanes, follows + k * lanes, x[k], moves, move);
    if constexpr (some_held) move = if_free(w[k], move);
    move_nodes(move, nodes, place + k * lanes);
  }
}

HWY_INLINE V total(V a) { return {hn::SumOfLanes(Tag(), a.v)}; }
HWY_INLINE V3 total(V3 a) { return {total(a.x), total(a.y), total(a.z)}; }

/// One large group, its members side by side; after the sums all lanes do the same.
template <bool kept>
HWY_NOINLINE void sweep_large(const WideBatches& batches, int b, bool filtering, float* nodes,
                              float* multipliers, SweepTrouble& trouble) {
  const Batch& batch = batches.batch[b];
  const std::int32_t* place = batches.place.data() + batch.place;
  const float* rest = batches.rest.data() + batch.rest;
  const float* give = batches.give.data() + std::size_t(b) * give_rows * lanes;
  const float* held = batches.held.data() + std::size_t(b) * held_rows * lanes;
  const float* n = nodes + place[0];
  const V3 first = {all(n[0] + n[4]), all(n[1] + n[5]), all(n[2] + n[6])};
  Sums sums = no_sums();
  for (int k = 0; k < batch.rows; ++k) {
    V3 here;
    V w;
    gather_present(nodes, place + k * lanes, here, w);
    add_member(rest + k * member_rows * lanes, here - first, sums);
  }
  sums = {total(sums.centre), {total(sums.P.c1), total(sums.P.c2), total(sums.P.c3)}};
  Moves moves;
  SweepTrouble one;
  project<kept, true>(sums, rest + batch.rows * member_rows * lanes, give, held, filtering,
                      kept ? multipliers + std::size_t(b) * 2 * lanes : nullptr, moves, one);
  trouble.collapsed += one.collapsed > 0 ? 1 : 0;
  trouble.skipped += one.skipped > 0 ? 1 : 0;
  const float* follows = batches.follows.data() + batch.place;
  const bool follow = batch.follow && filtering;
  if (follow) {
    Sums extra = no_sums();
    for (int k = 0; k < batch.rows; ++k) {
      V3 here;
      V w;
      gather_present(nodes, place + k * lanes, here, w);
      add_follower(rest + k * member_rows * lanes, follows + k * lanes, w, here - first, moves,
                   extra);
    }
    extra = {total(extra.centre), {total(extra.P.c1), total(extra.P.c2), total(extra.P.c3)}};
    give_back(extra, rest + batch.rows * member_rows * lanes, moves);
  }
  for (int k = 0; k < batch.rows; ++k) {
    V3 here;
    V w;
    gather_present(nodes, place + k * lanes, here, w);
    const float* member = rest + k * member_rows * lanes;
    V3 move = move_of(member, here - first, moves);
    if (follow) move = with_following(member, follows + k * lanes, here - first, moves, move);
    move_nodes(if_free(w, move), nodes, place + k * lanes);
  }
}

template <bool kept>
SweepTrouble sweep(const WideBatches& batches, int begin, int end, bool filtering, float* nodes,
                   float* multipliers) {
  SweepTrouble trouble;
  for (int b = begin; b < end; ++b) {
    const Batch& batch = batches.batch[b];
    if (batch.large) sweep_large<kept>(batches, b, filtering, nodes, multipliers, trouble);
    else if (batch.held)
      sweep_batch<kept, true, 0>(batches, b, filtering, nodes, multipliers, trouble);
    else if (batch.rows == 8)
      sweep_batch<kept, false, 8>(batches, b, filtering, nodes, multipliers, trouble);
    else sweep_batch<kept, false, 0>(batches, b, filtering, nodes, multipliers, trouble);
  }
  return trouble;
}

SweepTrouble sweep_any(const WideBatches& batches, int begin, int end, bool filtering, float* nodes,
                       float* multipliers) {
  return multipliers ? sweep<true>(batches, begin, end, filtering, nodes, multipliers)
                     : sweep<false>(batches, begin, end, filtering, nodes, multipliers);
}

}  // namespace
}  // namespace pliant::groups::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace pliant::groups {
namespace {

HWY_EXPORT(sweep_any);

}  // namespace

SweepTrouble sweep_batches(const WideBatches& batches, int begin, int end, bool filtering,
                           float* nodes, float* multipliers) {
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

}  // namespace pliant::groups
#endif
