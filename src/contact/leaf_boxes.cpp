// Compiled once per instruction set, as methods/tets/wide_project.cpp.

#include "core/wide_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "contact/leaf_boxes.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "contact/skin_tree.h"

HWY_BEFORE_NAMESPACE();
namespace pliant::HWY_NAMESPACE {
namespace {

constexpr double float_margin = 4e-7;  // of coordinates: more than rounding to floats moves them

#if HWY_MAX_BYTES >= 32

Box fit(const Skin& skin, std::span<const int> triangles, LeafBoxes& boxes) {
  namespace hn = hwy::HWY_NAMESPACE;
  const hn::FixedTag<double, 4> four;  // x, y, z and nothing
  const hn::Rebind<float, decltype(four)> floats;
  const auto three = hn::FirstN(four, 3);
  const auto corner = [&](int v)
                          HWY_ATTR { return hn::MaskedLoad(three, four, skin.position[v].data()); };
  alignas(32) double lows[LeafBoxes::most][4], highs[LeafBoxes::most][4];
  auto low = hn::Set(four, HUGE_VAL), high = hn::Set(four, -HUGE_VAL);
  for (std::size_t k = 0; k < triangles.size(); ++k) {
    const auto [i, j, l] = skin.triangles[triangles[k]];
    const auto a = corner(i), b = corner(j), c = corner(l);
    const auto least = hn::Min(hn::Min(a, b), c), most = hn::Max(hn::Max(a, b), c);
    hn::Store(least, four, lows[k]);
    hn::Store(most, four, highs[k]);
    low = hn::Min(low, least);
    high = hn::Max(high, most);
  }
  const auto furthest = hn::MaxOfLanes(four, hn::Max(hn::Abs(low), hn::Abs(high)));
  const auto margin = hn::Mul(furthest, hn::Set(four, float_margin));
  alignas(16) float row[4];
  for (std::size_t k = 0; k < triangles.size(); ++k) {
    hn::Store(hn::DemoteTo(floats, hn::Sub(hn::Load(four, lows[k]), margin)), floats, row);
    for (int axis = 0; axis < 3; ++axis) boxes.low[axis][k] = row[axis];
    hn::Store(hn::DemoteTo(floats, hn::Add(hn::Load(four, highs[k]), margin)), floats, row);
    for (int axis = 0; axis < 3; ++axis) boxes.high[axis][k] = row[axis];
  }
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

#else

Box fit(const Skin& skin, std::span<const int> triangles, LeafBoxes& boxes) {
  Box all, box[LeafBoxes::most];
  for (std::size_t k = 0; k < triangles.size(); ++k) {
    for (const int v : skin.triangles[triangles[k]]) box[k].add(skin.position[v]);
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

#endif

}  // namespace
}  // namespace pliant::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace pliant {

HWY_EXPORT(fit);
HWY_EXPORT(in_reach);

Box LeafBoxes::fit(const Skin& skin, std::span<const int> triangles) {
  return HWY_DYNAMIC_DISPATCH(fit)(skin, triangles, *this);
}

unsigned LeafBoxes::in_reach(const Box& box, float furthest, Numbers& squared) const {
  return HWY_DYNAMIC_DISPATCH(in_reach)(*this, box, furthest, squared);
}

}  // namespace pliant
#endif
