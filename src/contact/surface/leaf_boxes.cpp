// Compiled once per instruction set, as methods/tets/wide_project.cpp.

#include "core/wide_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "contact/surface/leaf_boxes.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "contact/surface/skin_tree.h"

HWY_BEFORE_NAMESPACE();
namespace pliant::HWY_NAMESPACE {
namespace {

constexpr double float_margin = 4e-7;  // of coordinates: more than rounding to floats moves them

#if HWY_MAX_BYTES >= 32

Box fit(const Vec3* position, std::span<const Triangle> triangles, LeafBoxes& boxes) {
  namespace hn = hwy::HWY_NAMESPACE;
  const hn::FixedTag<double, 4> four;  // x, y, z and nothing
  const hn::Rebind<float, decltype(four)> floats;
  const auto three = hn::FirstN(four, 3);
  const auto corner = [&](int v)
                          HWY_ATTR { return hn::MaskedLoad(three, four, position[v].data()); };
  alignas(32) double lows[LeafBoxes::most][4] = {}, highs[LeafBoxes::most][4] = {};
  auto low = hn::Set(four, HUGE_VAL), high = hn::Set(four, -HUGE_VAL);
  for (std::size_t k = 0; k < triangles.size(); ++k) {
    const auto [i, j, l] = triangles[k];
    const auto a = corner(i), b = corner(j), c = corner(l);
    const auto least = hn::Min(hn::Min(a, b), c), most = hn::Max(hn::Max(a, b), c);
    hn::Store(least, four, lows[k]);
    hn::Store(most, four, highs[k]);
    low = hn::Min(low, least);
    high = hn::Max(high, most);
  }
  const auto furthest = hn::MaxOfLanes(four, hn::Max(hn::Abs(low), hn::Abs(high)));
  const auto margin = hn::Mul(furthest, hn::Set(four, float_margin));
  // Four boxes at once, transposed; behind the last triangle is nothing of meaning.
  const auto transpose = [&](const double(*rows)[4], auto move,
                             std::array<LeafBoxes::Numbers, 3>& to) HWY_ATTR {
    for (std::size_t k = 0; k < triangles.size(); k += 4) {
      const auto row = [&](std::size_t i) HWY_ATTR {
        return hn::DemoteTo(floats, move(hn::Load(four, rows[k + i])));
      };
      const auto p0 = row(0), p1 = row(1), p2 = row(2), p3 = row(3);
      const auto xy = hn::InterleaveLower(floats, p0, p2),
                 xy2 = hn::InterleaveLower(floats, p1, p3);
      const auto z = hn::InterleaveUpper(floats, p0, p2), z2 = hn::InterleaveUpper(floats, p1, p3);
      hn::StoreU(hn::InterleaveLower(floats, xy, xy2), floats, to[0].data() + k);
      hn::StoreU(hn::InterleaveUpper(floats, xy, xy2), floats, to[1].data() + k);
      hn::StoreU(hn::InterleaveLower(floats, z, z2), floats, to[2].data() + k);
    }
  };
  transpose(
      lows, [&](auto x) HWY_ATTR { return hn::Sub(x, margin); }, boxes.low);
  transpose(
      highs, [&](auto x) HWY_ATTR { return hn::Add(x, margin); }, boxes.high);
  hn::Store(low, four, lows[0]);
  hn::Store(high, four, highs[0]);
  return {Vec3(lows[0]), Vec3(highs[0])};
}

unsigned in_reach(const LeafBoxes& boxes, const Box& from, float furthest,
                  LeafBoxes::Numbers& squared) {
  namespace hn = hwy::HWY_NAMESPACE;
  const hn::FixedTag<float, LeafBoxes::most> eight;
  auto sum = hn::Zero(eight);
  for (int k = 0; k < 3; ++k) {
    const auto begin = hn::Set(eight, float(from.low[k])),
               end = hn::Set(eight, float(from.high[k]));
    const auto below = hn::Sub(hn::LoadU(eight, boxes.low[k].data()), end);
    const auto above = hn::Sub(begin, hn::LoadU(eight, boxes.high[k].data()));
    const auto outside = hn::Max(hn::Max(below, above), hn::Zero(eight));
    sum = hn::Add(sum, hn::Mul(outside, outside));
  }
  hn::StoreU(sum, eight, squared.data());
  std::uint8_t bits[8] = {};
  hn::StoreMaskBits(eight, hn::Le(sum, hn::Set(eight, furthest)), bits);
  return bits[0];
}

void find(const LeafBoxes& boxes, std::span<const int> triangles, const Vec3* position,
          std::span<const int> vertices, float furthest,
          std::vector<LeafBoxes::TriangleInReach>& found) {
  namespace hn = hwy::HWY_NAMESPACE;
  const hn::FixedTag<float, LeafBoxes::most> eight;
  const auto load = [&](const LeafBoxes::Numbers& numbers)
                        HWY_ATTR { return hn::LoadU(eight, numbers.data()); };
  const auto low_x = load(boxes.low[0]), high_x = load(boxes.high[0]);
  const auto low_y = load(boxes.low[1]), high_y = load(boxes.high[1]);
  const auto low_z = load(boxes.low[2]), high_z = load(boxes.high[2]);
  const auto outside = [&](auto low, auto high, double at) HWY_ATTR {
    const auto p = hn::Set(eight, float(at));
    const auto off = hn::Max(hn::Max(hn::Sub(low, p), hn::Sub(p, high)), hn::Zero(eight));
    return hn::Mul(off, off);
  };
  const unsigned all = (1u << triangles.size()) - 1;
  for (const int v : vertices) {
    const Vec3& p = position[v];
    const auto squared =
        hn::Add(hn::Add(outside(low_x, high_x, p.x()), outside(low_y, high_y, p.y())),
                outside(low_z, high_z, p.z()));
    std::uint8_t bits[8] = {};
    hn::StoreMaskBits(eight, hn::Le(squared, hn::Set(eight, furthest)), bits);
    unsigned near = bits[0] & all;
    if (near == 0) continue;
    alignas(32) float distance[LeafBoxes::most];
    hn::Store(hn::Sqrt(squared), eight, distance);
    // All are written and those in reach are kept, as a branch would be mispredicted.
    LeafBoxes::TriangleInReach row[LeafBoxes::most];
    int count = 0;
    for (std::size_t k = 0; k < triangles.size(); ++k, near >>= 1) {
      row[count] = {v, triangles[k], distance[k]};
      count += int(near & 1);
    }
    found.insert(found.end(), row, row + count);
  }
}

#else

Box fit(const Vec3* position, std::span<const Triangle> triangles, LeafBoxes& boxes) {
  Box all, box[LeafBoxes::most];
  for (std::size_t k = 0; k < triangles.size(); ++k) {
    for (const int v : triangles[k]) box[k].add(position[v]);
    all.add(box[k]);
  }
  const double margin = float_margin * all.low.cwiseAbs().cwiseMax(all.high.cwiseAbs()).maxCoeff();
  for (std::size_t k = 0; k < triangles.size(); ++k)
    for (int axis = 0; axis < 3; ++axis) {
      boxes.low[axis][k] = float(box[k].low[axis] - margin);
      boxes.high[axis][k] = float(box[k].high[axis] + margin);
    }
  return all;
}

unsigned in_reach(const LeafBoxes& boxes, const Box& from, float furthest,
                  LeafBoxes::Numbers& squared) {
  squared.fill(0);
  unsigned bits = 0;
  for (int k = 0; k < 3; ++k) {
    const float begin = float(from.low[k]), end = float(from.high[k]);
    for (int lane = 0; lane < LeafBoxes::most; ++lane) {
      const float below = boxes.low[k][lane] - end, above = begin - boxes.high[k][lane];
      const float off = below > above ? below : above, outside = off > 0 ? off : 0;
      squared[lane] += outside * outside;
    }
  }
  for (int lane = 0; lane < LeafBoxes::most; ++lane)
    bits |= unsigned(squared[lane] <= furthest) << lane;
  return bits;
}

void find(const LeafBoxes& boxes, std::span<const int> triangles, const Vec3* position,
          std::span<const int> vertices, float furthest,
          std::vector<LeafBoxes::TriangleInReach>& found) {
  for (const int v : vertices) {
    LeafBoxes::Numbers squared;
    const unsigned near = in_reach(boxes, {position[v], position[v]}, furthest, squared);
    for (std::size_t k = 0; k < triangles.size(); ++k)
      if (near >> k & 1) found.push_back({v, triangles[k], std::sqrt(squared[k])});
  }
}

#endif

}  // namespace
}  // namespace pliant::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace pliant {

HWY_EXPORT(fit);
HWY_EXPORT(in_reach);
HWY_EXPORT(find);

Box LeafBoxes::fit(const std::vector<Vec3>& position, std::span<const Triangle> triangles) {
  return HWY_DYNAMIC_DISPATCH(fit)(position.data(), triangles, *this);
}

unsigned LeafBoxes::in_reach(const Box& box, float furthest, Numbers& squared) const {
  return HWY_DYNAMIC_DISPATCH(in_reach)(*this, box, furthest, squared);
}

void LeafBoxes::find(std::span<const int> triangles, const std::vector<Vec3>& position,
                     std::span<const int> vertices, float furthest,
                     std::vector<TriangleInReach>& found) const {
  HWY_DYNAMIC_DISPATCH(find)(*this, triangles, position.data(), vertices, furthest, found);
}

}  // namespace pliant
#endif
