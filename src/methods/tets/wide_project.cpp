// Read project.cpp first: this is the same projection for 4, 8 or 16 elements side by side, in
// floats. What differs, and why:
// - Gradients come without F and its cofactors. The inverse rest shape is triangular (see
//   wide_batches.cpp), and the gradient of the volume is the face opposite a corner: B's
//   determinant times the cross product of two edges. Of cubes, which are the unit of length, even
//   the edges themselves are gradients.
// - No roots: the multiplier of shape is taken per stretch, and its row of the system times the
//   stretch.
// - a12 needs no gradients: F^T cof(F) = J 1, so the dot products sum to J times the w |b|^2.
// - The determinant of the 2 x 2 system is summed from parts that are all positive.
// - Nodes are a place that stays and a move that grows: a place in floats is known to 1e-7 of the
//   body's size, and rounding to that at every step would push free bodies about. (Places that
//   follow the moves save 4 % with cells, and bodies at rest tremble two to four times as much.)
// - Batches overlap: while one waits for its own products, nodes of the next are fetched and those
//   of the last are written (see Idle). They are of one run, where neighbours share no node.
// - What hardly ever happens (cap, collapse, no finite answer, constraints that are hardly told
//   apart) sits behind one test per batch, of a bound that is at hand: the w |p|^2 of all corners
//   sum to a square in the two multipliers.
// The file compiles itself once per instruction set (Highway's foreach_target); the choice is made
// at run time.

#include "core/wide_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "methods/tets/wide_project.cpp"
#include <algorithm>
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "methods/shared/wide_pair-inl.h"
#include "methods/tets/wide_project.h"

HWY_BEFORE_NAMESPACE();
namespace pliant::tets::HWY_NAMESPACE {
namespace {

using namespace pliant::HWY_NAMESPACE;

/// A node per lane: where the element found it, and how the element moved it since.
struct Corner {
  V3 start;
  V w;  // inverse mass
  V3 moved;
};

/// `fresh`: not moved yet, and `moved` not set.
template <bool fresh>
HWY_INLINE V3 present(const Corner& corner) {
  if constexpr (fresh) return corner.start;
  else return corner.start + corner.moved;
}
template <bool fresh>
HWY_INLINE void move(Corner& corner, V3 push) {
  if constexpr (fresh) corner.moved = push * corner.w;
  else corner.moved = plus_product(corner.moved, push, corner.w);
}
template <bool fresh>
HWY_INLINE void move_back(Corner& corner, V3 push) {
  if constexpr (fresh) corner.moved = push * -corner.w;
  else corner.moved = minus_product(corner.moved, push, corner.w);
}

/// The nodes of the asked corners. (As a list of constants, so that corners are where they are and
/// not looked up.)
template <int... which>
HWY_INLINE void gather(const float* nodes, const std::int32_t* place, Corner* corner) {
  (gather_present(nodes, place + which * lanes, corner[which].start, corner[which].w), ...);
}
template <int... which>
HWY_INLINE void scatter(const Corner* corner, float* nodes, const std::int32_t* place) {
  (move_nodes(corner[which].moved, nodes, place + which * lanes), ...);
}
template <int... which>
HWY_INLINE void stay(Corner* corner) {
  ((corner[which].moved = {all(0), all(0), all(0)}), ...);
}
template <int... which>
HWY_INLINE void pass_on(const Corner* from, Corner* to) {
  ((to[which] = from[which]), ...);
}

/// Gradients of the shape constraint, times the stretch; corner 0 has what the others sum to, with
/// the other sign.
struct ShapeGradients {
  V3 s1, s2, s3;
  V stretch_squared;
  V squares;      // w |s|^2 summed over the corners
  V spread;       // w |b|^2 summed over the corners
  V determinant;  // of the inverse rest shape
};

/// What a tet is at rest: anything; right-angled at corner 0, as at the corners of a box, so that
/// the triangular matrix is diagonal; the middle of a box; the same of a cube.
enum class At { any, box_corner, box_middle, cube_corner, cube_middle };

HWY_INLINE V weighed(V w0, V a0, V w1, V a1, V w2, V a2, V w3, V a3) {
  return plus_product(w0 * a0, w1, a1) + plus_product(w2 * a2, w3, a3);
}

/// e1, e2, e3: edges from corner 0; w0 to w3: inverse masses; determinant: of boxes, see
/// WideBatches.
template <At at>
HWY_INLINE void find_shape(V3 e1, V3 e2, V3 e3, V w0, V w1, V w2, V w3, const float* rest,
                           V determinant, ShapeGradients& g) {
  if constexpr (at == At::cube_corner) {
    const V q1 = dot(e1, e1), q2 = dot(e2, e2), q3 = dot(e3, e3);
    const V3 s0 = e1 + (e2 + e3);
    g.s1 = e1, g.s2 = e2, g.s3 = e3;
    g.stretch_squared = q1 + (q2 + q3);
    g.squares = weighed(w0, dot(s0, s0), w1, q1, w2, q2, w3, q3);
    g.spread = plus_product(w1 + (w2 + w3), w0, all(3));
    g.determinant = all(1);
  } else if constexpr (at == At::cube_middle) {
    // Regular: the gradients point from the centre to the corners.
    const V3 centre = (e1 + (e2 + e3)) * all(0.25f);
    g.s1 = e1 - centre, g.s2 = e2 - centre, g.s3 = e3 - centre;
    const V q0 = dot(centre, centre), q1 = dot(g.s1, g.s1), q2 = dot(g.s2, g.s2);
    const V q3 = dot(g.s3, g.s3);
    g.stretch_squared = (q0 + q1) + (q2 + q3);
    g.squares = weighed(w0, q0, w1, q1, w2, q2, w3, q3);
    g.spread = ((w0 + w1) + (w2 + w3)) * all(0.75f);
    g.determinant = all(0.5f);
  } else if constexpr (at == At::box_corner) {
    const V b1 = load(rest + box_11 * lanes), b2 = load(rest + box_22 * lanes);
    const V b3 = load(rest + box_33 * lanes);
    g.s1 = e1 * b1, g.s2 = e2 * b2, g.s3 = e3 * b3;
    const V3 s0 = g.s1 + (g.s2 + g.s3);
    const V f1 = dot(e1, g.s1), f2 = dot(e2, g.s2), f3 = dot(e3, g.s3);
    const V wb1 = w1 * b1, wb2 = w2 * b2, wb3 = w3 * b3;
    g.stretch_squared = f1 + (f2 + f3);
    g.squares = weighed(w0, dot(s0, s0), wb1, f1, wb2, f2, wb3, f3);
    g.spread = plus_product(wb1 + (wb2 + wb3), w0, b1 + (b2 + b3));
    g.determinant = determinant;
  } else if constexpr (at == At::box_middle) {
    // Twice the columns of F, times the box's edges: between opposite edges of the tet.
    const V3 across = e3 - e1, along = e3 + e1;
    const V3 f1 = across - e2, f2 = along - e2, f3 = across + e2;
    const V quarter = all(0.25f);
    const V b1 = load(rest + box_11 * lanes) * quarter, b2 = load(rest + box_22 * lanes) * quarter;
    const V b3 = load(rest + box_33 * lanes) * quarter;
    const V3 t1 = f1 * b1, t2 = f2 * b2, t3 = f3 * b3;
    const V3 sum = t2 + t3;
    const V3 s0 = t1 - sum;
    g.s1 = t2 - (t1 + t3), g.s2 = t3 - (t1 + t2), g.s3 = t1 + sum;
    g.stretch_squared = dot(f1, t1) + (dot(f2, t2) + dot(f3, t3));
    g.squares =
        weighed(w0, dot(s0, s0), w1, dot(g.s1, g.s1), w2, dot(g.s2, g.s2), w3, dot(g.s3, g.s3));
    g.spread = ((w0 + w1) + (w2 + w3)) * (b1 + (b2 + b3));
    g.determinant = determinant * all(0.5f);
  } else {
    const V l11 = load(rest + rest_11 * lanes), l22 = load(rest + rest_22 * lanes);
    const V l33 = load(rest + rest_33 * lanes), l21 = load(rest + rest_21 * lanes);
    const V l31 = load(rest + rest_31 * lanes), l32 = load(rest + rest_32 * lanes);
    const V3 f1 = plus_product(plus_product(e1 * l11, e2, l21), e3, l31);
    const V3 f2 = plus_product(e2 * l22, e3, l32), f3 = e3 * l33;
    g.stretch_squared = dot(f1, f1) + (dot(f2, f2) + dot(f3, f3));
    g.s1 = f1 * l11;
    g.s2 = plus_product(f1 * l21, f2, l22);
    g.s3 = plus_product(plus_product(f1 * l31, f2, l32), f3, l33);
    const V3 s0 = g.s1 + g.s2 + g.s3;
    g.squares =
        weighed(w0, dot(s0, s0), w1, dot(g.s1, g.s1), w2, dot(g.s2, g.s2), w3, dot(g.s3, g.s3));
    // The rows of the triangular matrix are b1, b2, b3.
    const V b0x = l11 + l21 + l31, b0y = l22 + l32;
    const V b0 = plus_product(plus_product(b0x * b0x, b0y, b0y), l33, l33), b1 = l11 * l11;
    const V b2 = plus_product(l21 * l21, l22, l22);
    const V b3 = plus_product(plus_product(l31 * l31, l32, l32), l33, l33);
    g.spread = weighed(w0, b0, w1, b1, w2, b2, w3, b3);
    g.determinant = l11 * l22 * l33;
  }
}

/// Which corners of a tet nobody has moved since they were gathered.
struct Fresh {
  bool c0, c1, c2, c3;
};

/// What is kept of the tets, side by side; see WideBatches.
struct Rows {
  const float* rest;
  const float* determinant;  // null = to be found from `rest`
  const float* give;
  const float* softer;  // null = not at all
  const float* near_reach;
  const float* reach;
  float* multipliers;  // null = not kept
};

/// Where a projection leaves much of the core idle: products have to wait for each other or for
/// their turn. What the batches before and after have to write or fetch is done there, since the
/// core itself does not look that far ahead.
enum class Idle { at_volume, at_shape, at_system, at_answer };
template <Idle idle>
using At_idle = std::integral_constant<Idle, idle>;

/// One tet per lane. `kept`: multipliers are read and written. `meanwhile`: called with an At_idle
/// each.
template <bool kept, At at, Fresh fresh, class Meanwhile>
HWY_INLINE void project(Corner& c0, Corner& c1, Corner& c2, Corner& c3, const Rows& rows,
                        SweepTrouble& trouble, const Meanwhile& meanwhile) {
  const auto [rest, determinant, give, softer, near_reach, whole_reach, multipliers] = rows;
  const V3 x0 = present<fresh.c0>(c0), e1 = present<fresh.c1>(c1) - x0;
  const V3 e2 = present<fresh.c2>(c2) - x0, e3 = present<fresh.c3>(c3) - x0;
  // Gradients of the volume, divided by B's determinant.
  const V3 v1 = cross(e2, e3), v2 = cross(e3, e1), v3 = cross(e1, e2);
  const V3 v0 = v1 + (v2 + v3);
  meanwhile(At_idle<Idle::at_volume>());
  ShapeGradients g;
  constexpr bool box = at == At::box_corner || at == At::box_middle;
  find_shape<at>(e1, e2, e3, c0.w, c1.w, c2.w, c3.w, rest, box ? load(determinant) : all(1), g);
  meanwhile(At_idle<Idle::at_shape>());
  constexpr bool unit = at == At::cube_corner;  // its determinant is one
  const V J = unit ? dot(e1, v1) : g.determinant * dot(e1, v1);
  const V squares =
      weighed(c0.w, dot(v0, v0), c1.w, dot(v1, v1), c2.w, dot(v2, v2), c3.w, dot(v3, v3));
  const V g22 = unit ? squares : squares * (g.determinant * g.determinant);
  const V a12 = J * g.spread;
  meanwhile(At_idle<Idle::at_system>());
  V give_volume_way = load(give + give_volume * lanes);
  V give_shape_way = load(give + give_shape * lanes) * g.stretch_squared;
  if constexpr (at != At::any) {
    const V times = load(softer);
    give_volume_way = give_volume_way * times;
    give_shape_way = give_shape_way * times;
  }
  // Too much shape, and too little volume.
  V excess = g.stretch_squared, lack = load(give + give_gamma * lanes) - J;
  V per_stretch;
  if constexpr (kept) {
    per_stretch = reciprocal_root(g.stretch_squared);
    excess = plus_product(excess, give_shape_way * per_stretch, load(multipliers));
    lack = minus_product(lack, give_volume_way, load(multipliers + lanes));
  }
  const V a11 = g.squares + give_shape_way, a22 = g22 + give_volume_way;
  const V det = pair_determinant(g.squares, a12, g22, give_shape_way, give_volume_way, a11);
  const V per_det = reciprocal(det);
  V of_shape = plus_product(a22 * excess, a12, lack) * per_det;  // with the other sign
  V of_volume = plus_product(a11 * lack, a12, excess) * per_det;
  meanwhile(At_idle<Idle::at_answer>());

  V along_volume = unit ? of_volume : of_volume * g.determinant;
  V3 p1 = minus_product(v1 * along_volume, g.s1, of_shape);
  V3 p2 = minus_product(v2 * along_volume, g.s2, of_shape);
  V3 p3 = minus_product(v3 * along_volume, g.s3, of_shape);
  // The w |p|^2 of all corners, by what the system leaves of both lacks. No squared move is longer
  // than this times the corner's w; a NaN is not less than anything.
  const V bound = plus_product(of_shape * minus_product(excess, give_shape_way, of_shape),
                               of_volume, minus_product(lack, give_volume_way, of_volume));
  const V reach = load(near_reach);
  const Mask apart = are_apart(det, a11, a22);
  const Mask ordinary = hn::And(
      apart,
      hn::And(hn::Le(bound.v, reach.v), hn::Gt(g.stretch_squared.v, all(collapsed_below).v)));
  if (HWY_UNLIKELY(!hn::AllTrue(Tag(), ordinary))) {
    V less_shape = -of_shape;
    solve_apart(apart, a11, a12, a22, -excess, lack, less_shape, of_volume);
    of_shape = -less_shape;
    along_volume = unit ? of_volume : of_volume * g.determinant;
    p1 = minus_product(v1 * along_volume, g.s1, of_shape);
    p2 = minus_product(v2 * along_volume, g.s2, of_shape);
    p3 = minus_product(v3 * along_volume, g.s3, of_shape);
    const V3 m0 = (p1 + (p2 + p3)) * c0.w, m1 = p1 * c1.w, m2 = p2 * c2.w, m3 = p3 * c3.w;
    const V farthest = max(max(dot(m0, m0), dot(m1, m1)), max(dot(m2, m2), dot(m3, m3)));
    const V sum = of_shape + of_volume;  // catches a NaN that max() passes over
    const Limits limits = limit(farthest, load(whole_reach), sum, g.stretch_squared, trouble);
    p1 = limited(limits, p1), p2 = limited(limits, p2), p3 = limited(limits, p3);
    of_shape.v = hn::IfThenElseZero(limits.good, hn::Mul(of_shape.v, limits.share));
    of_volume.v = hn::IfThenElseZero(limits.good, hn::Mul(of_volume.v, limits.share));
  }
  move_back<fresh.c0>(c0, p1 + (p2 + p3));  // so momentum is kept to rounding
  move<fresh.c1>(c1, p1);
  move<fresh.c2>(c2, p2);
  move<fresh.c3>(c3, p3);
  if constexpr (kept) {
    const V stretch = g.stretch_squared * per_stretch;
    store(minus_product(load(multipliers), of_shape, stretch), multipliers);
    store(load(multipliers + lanes) + of_volume, multipliers + lanes);
  }
}

/// What the kernel reads of a batch, for its tet t.
template <bool kept, RestShape shape>
HWY_INLINE Rows rows_of(const WideBatches& batches, int b, int t, float* multipliers) {
  const std::size_t batch = std::size_t(b), tet = std::size_t(b * batches.tets + t);
  Rows rows{};
  if constexpr (shape == RestShape::any) {
    rows.rest = batches.rest.data() + tet * rest_rows * lanes;
  } else {
    rows.softer = batches.softer.data() + batch * batches.softer_step + t * lanes;
  }
  if constexpr (shape == RestShape::boxes) {
    rows.rest = batches.rest.data();
    rows.determinant = batches.determinant.data() + batch * lanes;
  }
  rows.give = batches.give.data() + batch * batches.give_step + t * give_rows * lanes;
  rows.near_reach = batches.near_reach.data() + batch * batches.near_step;
  rows.reach = batches.reach.data() + tet * lanes;
  if constexpr (kept) rows.multipliers = multipliers + tet * 2 * lanes;
  return rows;
}

/// Asks memory for what will be needed some batches later. It is read in order, but a core's own
/// foresight begins anew at every page and every chunk: a third of the time in bodies of a million
/// tets.
HWY_INLINE void ask_ahead(const WideBatches& batches, int b) {
  constexpr int ahead = 16, floats_of_line = 16;
  const std::size_t later = std::size_t(std::min(b + ahead, batches.batches() - 1));
  const auto ask = [](const auto* from, int rows) HWY_ATTR __attribute__((always_inline)) {
    for (int at = 0; at < rows * lanes; at += floats_of_line) hwy::Prefetch(from + at);
  };
  ask(batches.place.data() + later * 4 * lanes, 4);
  ask(batches.rest.data() + later * rest_rows * lanes, rest_rows);
  ask(batches.give.data() + later * batches.give_step, give_rows);
  ask(batches.near_reach.data() + later * batches.near_step, 1);
}

template <bool kept>
SweepTrouble sweep_tets(const WideBatches& batches, int begin, int end, float* nodes,
                        float* multipliers) {
  SweepTrouble trouble;
  if (begin == end) return trouble;
  const std::int32_t* place = batches.place.data() + std::size_t(begin) * 4 * lanes;
  const std::int32_t* last_place = place;
  Corner corner[4], last[4], next[4];
  gather<0, 1, 2, 3>(nodes, place, corner);
  stay<0, 1, 2, 3>(last);
  for (int b = begin; b < end; ++b) {
    const std::int32_t* next_place = b + 1 < end ? place + 4 * lanes : place;
    project<kept, At::any, Fresh{true, true, true, true}>(
        corner[0], corner[1], corner[2], corner[3],
        rows_of<kept, RestShape::any>(batches, b, 0, multipliers),
        trouble, [&]<Idle idle>(At_idle<idle>) HWY_ATTR __attribute__((always_inline)) {
          if constexpr (idle == Idle::at_volume) {
            scatter<0, 1>(last, nodes, last_place);
            ask_ahead(batches, b);
          }
          if constexpr (idle == Idle::at_shape) scatter<2, 3>(last, nodes, last_place);
          if constexpr (idle == Idle::at_system) gather<0, 1>(nodes, next_place, next);
          if constexpr (idle == Idle::at_answer) gather<2, 3>(nodes, next_place, next);
        });
    pass_on<0, 1, 2, 3>(corner, last);
    pass_on<0, 1, 2, 3>(next, corner);
    last_place = place;
    place = next_place;
  }
  scatter<0, 1, 2, 3>(last, nodes, last_place);
  return trouble;
}

/// Whether a tet of the cell before the tet t has corner k of that.
constexpr bool is_fresh(int t, int k) {
  for (int before = 0; before < t; ++before)
    for (const int corner : cell_tets[before])
      if (corner == cell_tets[t][k]) return false;
  return true;
}

/// Tet t of a cell per lane. `meanwhile` is called once, at the system.
template <bool kept, RestShape cells, int t, class Meanwhile>
HWY_INLINE void project_in_cell(const WideBatches& batches, int b, float* multipliers,
                                Corner* corner, SweepTrouble& trouble, const Meanwhile& meanwhile) {
  constexpr bool cubes = cells == RestShape::cubes, boxes = cells == RestShape::boxes;
  constexpr At at = cubes   ? t < 4 ? At::cube_corner : At::cube_middle
                    : boxes ? t < 4 ? At::box_corner : At::box_middle
                            : At::any;
  constexpr Tet of = cell_tets[t];
  constexpr Fresh fresh = {is_fresh(t, 0), is_fresh(t, 1), is_fresh(t, 2), is_fresh(t, 3)};
  project<kept, at, fresh>(
      corner[of[0]], corner[of[1]], corner[of[2]], corner[of[3]],
      rows_of<kept, cells>(batches, b, t, multipliers),
      trouble, [&]<Idle idle>(At_idle<idle>) HWY_ATTR __attribute__((always_inline)) {
        if constexpr (idle == Idle::at_system) meanwhile();
      });
}

/// Corners are fetched while the tet before their first is at work, and written while the one after
/// their last is. (Each tet of a cell waits for the one before. Two whole batches taking turns
/// brought nothing: there are not enough registers.)
template <bool kept, RestShape cells>
SweepTrouble sweep_cells(const WideBatches& batches, int begin, int end, float* nodes,
                         float* multipliers) {
  SweepTrouble trouble;
  if (begin == end) return trouble;
  const std::int32_t* place = batches.place.data() + std::size_t(begin) * 8 * lanes;
  Corner corner[8], next[8];
  gather<0, 1, 2, 4>(nodes, place, corner);
  for (int b = begin; b < end; ++b) {
    const std::int32_t* next_place = b + 1 < end ? place + 8 * lanes : place;
    project_in_cell<kept, cells, 0>(
        batches, b, multipliers, corner, trouble, [&]() HWY_ATTR __attribute__((always_inline)) {
          gather<3, 7>(nodes, place, corner);
        });
    project_in_cell<kept, cells, 1>(
        batches, b, multipliers, corner, trouble, [&]() HWY_ATTR __attribute__((always_inline)) {
          scatter<0>(corner, nodes, place);
          gather<5>(nodes, place, corner);
        });
    project_in_cell<kept, cells, 2>(
        batches, b, multipliers, corner, trouble, [&]() HWY_ATTR __attribute__((always_inline)) {
          scatter<3>(corner, nodes, place);
          gather<6>(nodes, place, corner);
        });
    project_in_cell<kept, cells, 3>(
        batches, b, multipliers, corner, trouble, [&]() HWY_ATTR __attribute__((always_inline)) {
          scatter<5>(corner, nodes, place);
        });
    project_in_cell<kept, cells, 4>(
        batches, b, multipliers, corner, trouble, [&]() HWY_ATTR __attribute__((always_inline)) {
          scatter<6>(corner, nodes, place);
          gather<0, 1, 2, 4>(nodes, next_place, next);
        });
    scatter<1, 2, 4, 7>(corner, nodes, place);
    pass_on<0, 1, 2, 4>(next, corner);
    place = next_place;
  }
  return trouble;
}

template <bool kept>
SweepTrouble sweep(const WideBatches& batches, int begin, int end, float* nodes,
                   float* multipliers) {
  if (batches.tets == 1) return sweep_tets<kept>(batches, begin, end, nodes, multipliers);
  switch (batches.at_rest) {
    case RestShape::cubes:
      return sweep_cells<kept, RestShape::cubes>(batches, begin, end, nodes, multipliers);
    case RestShape::boxes:
      return sweep_cells<kept, RestShape::boxes>(batches, begin, end, nodes, multipliers);
    case RestShape::any:
      break;
  }
  return sweep_cells<kept, RestShape::any>(batches, begin, end, nodes, multipliers);
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
  for (int run = 0; run < batches.runs(); ++run) {
    const SweepTrouble trouble =
        sweep_batches(batches, batches.start[run], batches.start[run + 1], nodes, multipliers);
    sum.collapsed += trouble.collapsed;
    sum.skipped += trouble.skipped;
  }
  return sum;
}

}  // namespace pliant::tets
#endif
