// Vectors of floats, one lane an element, and how nodes get into them. Included by files that
// compile themselves once per instruction set (Highway's foreach_target), hence no #pragma once.

#if defined(PLIANT_WIDE_MATH_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef PLIANT_WIDE_MATH_INL_H
#undef PLIANT_WIDE_MATH_INL_H
#else
#define PLIANT_WIDE_MATH_INL_H
#endif

#include <cstdint>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace pliant::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using Tag = hn::ScalableTag<float>;
using Raw = hn::Vec<Tag>;
using Mask = hn::Mask<Tag>;
constexpr int lanes = int(hn::MaxLanes(Tag()));

/// A float per lane, with the usual operators.
struct V {
  Raw v;
};
HWY_INLINE V operator+(V a, V b) { return {hn::Add(a.v, b.v)}; }
HWY_INLINE V operator-(V a, V b) { return {hn::Sub(a.v, b.v)}; }
HWY_INLINE V operator*(V a, V b) { return {hn::Mul(a.v, b.v)}; }
HWY_INLINE V operator-(V a) { return {hn::Neg(a.v)}; }
HWY_INLINE V plus_product(V sum, V a, V b) { return {hn::MulAdd(a.v, b.v, sum.v)}; }
HWY_INLINE V minus_product(V sum, V a, V b) { return {hn::NegMulAdd(a.v, b.v, sum.v)}; }
HWY_INLINE V max(V a, V b) { return {hn::Max(a.v, b.v)}; }
HWY_INLINE V all(float value) { return {hn::Set(Tag(), value)}; }
HWY_INLINE V load(const float* from) { return {hn::Load(Tag(), from)}; }
HWY_INLINE void store(V value, float* to) { hn::Store(value.v, Tag(), to); }

/// Estimates with one Newton step: all bits of a float but the last one or two.
HWY_INLINE V reciprocal(V a) {
  const V guess = {hn::ApproximateReciprocal(a.v)};
  return guess * minus_product(all(2), a, guess);
}
HWY_INLINE V reciprocal_root(V a) {
  const V guess = {hn::ApproximateReciprocalSqrt(a.v)};
  return guess * minus_product(all(1.5f), all(0.5f) * a, guess * guess);
}

struct V3 {
  V x, y, z;
};
HWY_INLINE V3 operator+(V3 a, V3 b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
HWY_INLINE V3 operator-(V3 a, V3 b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
HWY_INLINE V3 operator*(V3 a, V s) { return {a.x * s, a.y * s, a.z * s}; }
HWY_INLINE V3 plus_product(V3 sum, V3 a, V s) {
  return {plus_product(sum.x, a.x, s), plus_product(sum.y, a.y, s), plus_product(sum.z, a.z, s)};
}
HWY_INLINE V3 minus_product(V3 sum, V3 a, V s) {
  return {minus_product(sum.x, a.x, s), minus_product(sum.y, a.y, s), minus_product(sum.z, a.z, s)};
}
HWY_INLINE V dot(V3 a, V3 b) { return plus_product(plus_product(a.x * b.x, a.y, b.y), a.z, b.z); }
HWY_INLINE V3 cross(V3 a, V3 b) {
  return {minus_product(a.y * b.z, a.z, b.y), minus_product(a.z * b.x, a.x, b.z),
          minus_product(a.x * b.y, a.y, b.x)};
}

#if HWY_TARGET != HWY_SCALAR

// Memory has x y z w of one node together, then how far it moved. Four nodes at a time are turned
// into four vectors by a 4 x 4 transposition in every 128-bit block; lane 4 b + r is row r of block
// b.

template <class D, HWY_IF_LE128(float, D::kPrivateN)>
HWY_INLINE hn::Vec<D> load_blocks(D d, const float* nodes, const std::int32_t* place) {
  return hn::Load(d, nodes + place[0]);
}
template <class D, HWY_IF_GT128(float, D::kPrivateN)>
HWY_INLINE hn::Vec<D> load_blocks(D d, const float* nodes, const std::int32_t* place) {
  const hn::Half<D> half;
  return hn::Combine(d, load_blocks(half, nodes, place + hn::MaxLanes(half)),
                     load_blocks(half, nodes, place));
}
template <class D, HWY_IF_LE128(float, D::kPrivateN)>
HWY_INLINE void store_blocks(D d, hn::Vec<D> row, float* nodes, const std::int32_t* place) {
  hn::Store(row, d, nodes + place[0]);
}
template <class D, HWY_IF_GT128(float, D::kPrivateN)>
HWY_INLINE void store_blocks(D d, hn::Vec<D> row, float* nodes, const std::int32_t* place) {
  const hn::Half<D> half;
  store_blocks(half, hn::LowerHalf(half, row), nodes, place);
  store_blocks(half, hn::UpperHalf(half, row), nodes, place + hn::MaxLanes(half));
}

HWY_INLINE void transpose(Raw& a, Raw& b, Raw& c, Raw& d) {
  const Tag tag;
  const hn::Repartition<double, Tag> pair;
  const auto ab_low = hn::BitCast(pair, hn::InterleaveLower(tag, a, b));
  const auto ab_high = hn::BitCast(pair, hn::InterleaveUpper(tag, a, b));
  const auto cd_low = hn::BitCast(pair, hn::InterleaveLower(tag, c, d));
  const auto cd_high = hn::BitCast(pair, hn::InterleaveUpper(tag, c, d));
  a = hn::BitCast(tag, hn::InterleaveLower(pair, ab_low, cd_low));
  b = hn::BitCast(tag, hn::InterleaveUpper(pair, ab_low, cd_low));
  c = hn::BitCast(tag, hn::InterleaveLower(pair, ab_high, cd_high));
  d = hn::BitCast(tag, hn::InterleaveUpper(pair, ab_high, cd_high));
}

HWY_INLINE void gather_rows(const float* nodes, const std::int32_t* place, V3& xyz, V& w) {
  const Tag tag;
  Raw a = load_blocks(tag, nodes, place), b = load_blocks(tag, nodes, place + 1);
  Raw c = load_blocks(tag, nodes, place + 2), d = load_blocks(tag, nodes, place + 3);
  transpose(a, b, c, d);
  xyz.x.v = a, xyz.y.v = b, xyz.z.v = c, w.v = d;
}

HWY_INLINE void scatter_rows(V3 xyz, V w, float* nodes, const std::int32_t* place) {
  const Tag tag;
  Raw a = xyz.x.v, b = xyz.y.v, c = xyz.z.v, d = w.v;
  transpose(a, b, c, d);
  store_blocks(tag, a, nodes, place);
  store_blocks(tag, b, nodes, place + 1);
  store_blocks(tag, c, nodes, place + 2);
  store_blocks(tag, d, nodes, place + 3);
}

// The same for nodes of eight floats, place and move: gathers their sums, adds to the moves.

#if HWY_MAX_BYTES == 32

// Loads are what there is most of. So place and move of a node are one load, and places of nodes
// are read two at a time: 16 loads for eight nodes and not 24.

struct EightPlaces {
  std::size_t at[8];
};
HWY_INLINE EightPlaces eight_places(const std::int32_t* place) {
  EightPlaces places;
  for (int k = 0; k < 8; k += 2) {
    std::uint64_t two = 0;
    hwy::CopyBytes<sizeof two>(place + k, &two);
    places.at[k] = std::uint32_t(two);
    places.at[k + 1] = two >> 32;
  }
  return places;
}

/// Where the nodes are now, and their inverse masses.
HWY_INLINE void gather_present(const float* nodes, const std::int32_t* place, V3& xyz, V& w) {
  const Tag tag;
  const EightPlaces p = eight_places(place);
  const auto sums = [&](std::size_t i, std::size_t j) HWY_ATTR {
    const Raw a = hn::Load(tag, nodes + i), b = hn::Load(tag, nodes + j);
    // Place and move, move and place: to pick halves costs less than to move them.
    return hn::Add(hn::ConcatUpperLower(tag, b, a), hn::ConcatLowerUpper(tag, b, a));
  };
  Raw a = sums(p.at[0], p.at[4]), b = sums(p.at[1], p.at[5]);
  Raw c = sums(p.at[2], p.at[6]), d = sums(p.at[3], p.at[7]);
  transpose(a, b, c, d);
  xyz.x.v = a, xyz.y.v = b, xyz.z.v = c, w.v = d;
}

HWY_INLINE void move_nodes(V3 move, float* nodes, const std::int32_t* place) {
  const Tag tag;
  const hn::Half<Tag> half;
  const EightPlaces p = eight_places(place);
  Raw a = move.x.v, b = move.y.v, c = move.z.v, d = hn::Zero(tag);
  transpose(a, b, c, d);
  const auto add = [&](auto row, std::size_t i) HWY_ATTR {
    float* moved = nodes + i + 4;
    hn::Store(hn::Add(hn::Load(half, moved), row), half, moved);
  };
  const auto add_two = [&](Raw rows, std::size_t i, std::size_t j) HWY_ATTR {
    add(hn::LowerHalf(half, rows), i);
    add(hn::UpperHalf(half, rows), j);
  };
  add_two(a, p.at[0], p.at[4]);
  add_two(b, p.at[1], p.at[5]);
  add_two(c, p.at[2], p.at[6]);
  add_two(d, p.at[3], p.at[7]);
}

#else

template <class D, HWY_IF_LE128(float, D::kPrivateN)>
HWY_INLINE hn::Vec<D> load_sums(D d, const float* nodes, const std::int32_t* place) {
  return hn::Add(hn::Load(d, nodes + place[0]), hn::Load(d, nodes + place[0] + 4));
}
template <class D, HWY_IF_GT128(float, D::kPrivateN)>
HWY_INLINE hn::Vec<D> load_sums(D d, const float* nodes, const std::int32_t* place) {
  const hn::Half<D> half;
  return hn::Combine(d, load_sums(half, nodes, place + hn::MaxLanes(half)),
                     load_sums(half, nodes, place));
}
template <class D, HWY_IF_LE128(float, D::kPrivateN)>
HWY_INLINE void add_moves(D d, hn::Vec<D> row, float* nodes, const std::int32_t* place) {
  float* moved = nodes + place[0] + 4;
  hn::Store(hn::Add(hn::Load(d, moved), row), d, moved);
}
template <class D, HWY_IF_GT128(float, D::kPrivateN)>
HWY_INLINE void add_moves(D d, hn::Vec<D> row, float* nodes, const std::int32_t* place) {
  const hn::Half<D> half;
  add_moves(half, hn::LowerHalf(half, row), nodes, place);
  add_moves(half, hn::UpperHalf(half, row), nodes, place + hn::MaxLanes(half));
}

/// Where the nodes are now, and their inverse masses.
HWY_INLINE void gather_present(const float* nodes, const std::int32_t* place, V3& xyz, V& w) {
  const Tag tag;
  Raw a = load_sums(tag, nodes, place), b = load_sums(tag, nodes, place + 1);
  Raw c = load_sums(tag, nodes, place + 2), d = load_sums(tag, nodes, place + 3);
  transpose(a, b, c, d);
  xyz.x.v = a, xyz.y.v = b, xyz.z.v = c, w.v = d;
}

HWY_INLINE void move_nodes(V3 move, float* nodes, const std::int32_t* place) {
  const Tag tag;
  Raw a = move.x.v, b = move.y.v, c = move.z.v, d = hn::Zero(tag);
  transpose(a, b, c, d);
  add_moves(tag, a, nodes, place);
  add_moves(tag, b, nodes, place + 1);
  add_moves(tag, c, nodes, place + 2);
  add_moves(tag, d, nodes, place + 3);
}

#endif

#else

HWY_INLINE void gather_rows(const float* nodes, const std::int32_t* place, V3& xyz, V& w) {
  const float* n = nodes + place[0];
  xyz = {load(n), load(n + 1), load(n + 2)};
  w = load(n + 3);
}

HWY_INLINE void scatter_rows(V3 xyz, V w, float* nodes, const std::int32_t* place) {
  float* n = nodes + place[0];
  store(xyz.x, n), store(xyz.y, n + 1), store(xyz.z, n + 2), store(w, n + 3);
}

HWY_INLINE void gather_present(const float* nodes, const std::int32_t* place, V3& xyz, V& w) {
  const float* n = nodes + place[0];
  xyz = {load(n) + load(n + 4), load(n + 1) + load(n + 5), load(n + 2) + load(n + 6)};
  w = load(n + 3);
}

HWY_INLINE void move_nodes(V3 move, float* nodes, const std::int32_t* place) {
  float* n = nodes + place[0] + 4;
  store(load(n) + move.x, n), store(load(n + 1) + move.y, n + 1);
  store(load(n + 2) + move.z, n + 2);
}

#endif

}  // namespace
}  // namespace pliant::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
