// Compiled once per instruction set, as methods/tets/wide_project.cpp.

#include "core/wide_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "contact/surface/triangles_in_reach.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "contact/surface/triangles_in_reach.h"
#include "geometry/query/bvh.h"

HWY_BEFORE_NAMESPACE();
namespace pliant::HWY_NAMESPACE {
namespace {

using Candidates = std::span<const Candidate>;

#if HWY_MAX_BYTES >= 32

namespace hn = hwy::HWY_NAMESPACE;
using Four = hn::FixedTag<double, triangles_at_once>;
using Number = hn::Vec<Four>;

struct Vector {
  Number x, y, z;
};
HWY_INLINE Vector operator-(const Vector& a, const Vector& b) {
  return {hn::Sub(a.x, b.x), hn::Sub(a.y, b.y), hn::Sub(a.z, b.z)};
}
HWY_INLINE Number dot(const Vector& a, const Vector& b) {
  return hn::Add(hn::Add(hn::Mul(a.x, b.x), hn::Mul(a.y, b.y)), hn::Mul(a.z, b.z));
}
HWY_INLINE Vector cross(const Vector& a, const Vector& b) {
  return {hn::Sub(hn::Mul(a.y, b.z), hn::Mul(a.z, b.y)),
          hn::Sub(hn::Mul(a.z, b.x), hn::Mul(a.x, b.z)),
          hn::Sub(hn::Mul(a.x, b.y), hn::Mul(a.y, b.x))};
}

/// One corner of each triangle, seen from p.
HWY_INLINE Vector corners(const Vec3& p, const Skin& skin, const Triangle* const* triangle,
                          int corner) {
  const Four four;
  const auto three = hn::FirstN(four, 3);
  const auto load = [&](int lane) HWY_ATTR {
    return hn::MaskedLoad(three, four, skin.position[(*triangle[lane])[corner]].data());
  };
  const Number p0 = load(0), p1 = load(1), p2 = load(2), p3 = load(3);
  const Number xz = hn::InterleaveLower(four, p0, p1), y = hn::InterleaveUpper(four, p0, p1);
  const Number xz2 = hn::InterleaveLower(four, p2, p3), y2 = hn::InterleaveUpper(four, p2, p3);
  return {hn::Sub(hn::ConcatLowerLower(four, xz2, xz), hn::Set(four, p.x())),
          hn::Sub(hn::ConcatLowerLower(four, y2, y), hn::Set(four, p.y())),
          hn::Sub(hn::ConcatUpperUpper(four, xz2, xz), hn::Set(four, p.z()))};
}

/// Four triangles, seen from a point; where there are fewer, the first stands for the others.
struct Seen {
  Vector a, b, c, ab, bc, ca;
  Vector normal;  // twice the area long
  Number area;    // squared
  // Of triangles with an angle of less than 1e-4 rounding leaves no plane.
  Number flat;

  HWY_INLINE Seen(const Vec3& p, const Skin& skin, Candidates triangles) {
    const Four four;
    const Triangle* triangle[triangles_at_once];
    for (std::size_t k = 0; k < triangles_at_once; ++k)
      triangle[k] = &skin.triangles[triangles[k < triangles.size() ? k : 0].triangle];
    a = corners(p, skin, triangle, 0);
    b = corners(p, skin, triangle, 1);
    c = corners(p, skin, triangle, 2);
    ab = b - a, bc = c - b, ca = a - c;
    normal = cross(ab, bc);
    area = dot(normal, normal);
    flat = hn::Mul(hn::Set(four, 1e-8), hn::Mul(dot(ab, ab), dot(bc, bc)));
  }
  /// [times `area`] Who lies beside a triangle by no more than this may be over it, but for
  /// rounding.
  HWY_INLINE Number hair() const { return hn::Mul(hn::Set(Four(), -1e-6), area); }
};

/// Squared, from where it is seen from to this side.
HWY_INLINE Number squared_distance(const Vector& from, const Vector& side) {
  const Four four;
  const Number zero = hn::Zero(four);
  const Number length = hn::Max(dot(side, side), hn::Set(four, 1e-300));
  const Number share =
      hn::Min(hn::Max(hn::Div(hn::Sub(zero, dot(from, side)), length), zero), hn::Set(four, 1.0));
  const Vector at{hn::MulAdd(share, side.x, from.x), hn::MulAdd(share, side.y, from.y),
                  hn::MulAdd(share, side.z, from.z)};
  return dot(at, at);
}

double nearest(const Vec3& p, const Skin& skin, Candidates triangles) {
  const Four four;
  const Seen seen(p, skin, triangles);
  const auto& [a, b, c, ab, bc, ca, normal, area, flat] = seen;
  const Number hair = seen.hair();
  const Number height = dot(a, normal);
  const Number over = hn::Div(hn::Mul(height, height), area);
  const auto is_over = hn::And(
      hn::And(hn::Ge(dot(cross(a, b), normal), hair), hn::Ge(dot(cross(b, c), normal), hair)),
      hn::Ge(dot(cross(c, a), normal), hair));
  const Number beside =
      hn::Min(hn::Min(squared_distance(a, ab), squared_distance(b, bc)), squared_distance(c, ca));
  const Number squared = hn::IfThenElse(is_over, over, beside);
  const Number known = hn::IfThenElseZero(hn::Gt(area, flat), squared);
  return (1 - 1e-8) * std::sqrt(hn::GetLane(hn::MinOfLanes(four, known)));
}

unsigned in_reach(const Vec3& p, const Skin& skin, Candidates triangles, double reach,
                  double over) {
  const Four four;
  const Seen seen(p, skin, triangles);
  const auto& [a, b, c, ab, bc, ca, normal, area, flat] = seen;
  const Number zero = hn::Zero(four);

  // Squared, and times the squared area: how far the point may lie beside a triangle, which is its
  // reach less its height over the plane. A little more, for rounding.
  const auto left = [&](double most, const Number& height) HWY_ATTR {
    return hn::Sub(hn::Mul(hn::Set(four, (1 + 1e-8) * most * most), area), hn::Mul(height, height));
  };
  const Number height = dot(a, normal);
  const Number beside = left(reach, height);
  const Number hair = seen.hair();
  auto far = hn::Lt(beside, zero), not_over = hn::Lt(left(over, height), zero);
  const auto look_beyond = [&](const Vector& from, const Vector& to, const Vector& side) HWY_ATTR {
    const Number share = dot(cross(from, to), normal);  // negative beyond this side
    const auto farther = hn::Gt(hn::Mul(share, share), hn::Mul(beside, dot(side, side)));
    far = hn::Or(far, hn::And(hn::Lt(share, zero), farther));
    not_over = hn::Or(not_over, hn::Lt(share, hair));
  };
  look_beyond(a, b, ab);
  look_beyond(b, c, bc);
  look_beyond(c, a, ca);
  std::uint8_t bits[8] = {};
  hn::StoreMaskBits(four, hn::And(hn::And(far, not_over), hn::Gt(area, flat)), bits);
  return ~unsigned(bits[0]) & ((1u << triangles.size()) - 1);
}

#else

double nearest(const Vec3& p, const Skin& skin, Candidates triangles) {
  double least = HUGE_VAL;
  for (const auto& [t, distance] : triangles) {
    const auto [i, j, k] = skin.triangles[t];
    const std::vector<Vec3>& x = skin.position;
    least = std::min(least, closest_on_triangle(p, x[i], x[j], x[k]).distance);
  }
  return (1 - 1e-8) * least;
}

unsigned in_reach(const Vec3& p, const Skin& skin, Candidates triangles, double reach,
                  double over) {
  unsigned bits = 0;
  for (std::size_t k = 0; k < triangles.size(); ++k) {
    Box box;
    for (const int v : skin.triangles[triangles[k].triangle]) box.add(skin.position[v]);
    const double most = std::max(reach, over);
    bits |= unsigned(box.squared_distance(p) <= most * most) << k;
  }
  return bits;
}

#endif

}  // namespace
}  // namespace pliant::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace pliant {

HWY_EXPORT(in_reach);
HWY_EXPORT(nearest);

unsigned triangles_in_reach(const Vec3& p, const Skin& skin, std::span<const Candidate> triangles,
                            double reach, double over) {
  return HWY_DYNAMIC_DISPATCH(in_reach)(p, skin, triangles, reach, over);
}

double distance_to_nearest(const Vec3& p, const Skin& skin, std::span<const Candidate> triangles) {
  return HWY_DYNAMIC_DISPATCH(nearest)(p, skin, triangles);
}

}  // namespace pliant
#endif
