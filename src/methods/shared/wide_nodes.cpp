// From doubles to floats and back. Where the instruction set has four doubles side by side, four
// nodes are three vectors: x y z x, y z x y, z x y z. Compiled once per instruction set, as
// wide_project.cpp.

#include "core/wide_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "methods/shared/wide_nodes.cpp"
#include <algorithm>
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "methods/shared/flight.h"
#include "methods/shared/wide_nodes.h"

HWY_BEFORE_NAMESPACE();
namespace pliant::HWY_NAMESPACE {
namespace {

constexpr std::size_t stride = NodeFloats::per_node;

/// Bounded, so that differences exist; what is so far away or not a number cannot be helped here.
constexpr double bound = 1e18;

HWY_INLINE float* row(const NodeFloats& floats, int node) {
  return floats.data + stride * std::size_t(floats.slot[node]);
}

void load_one(const Nodes& nodes, int i, const NodeFloats& floats, double per_length) {
  float* to = row(floats, i);
  for (int axis = 0; axis < 3; ++axis) {
    const double scaled = (nodes.position[i][axis] - floats.origin[axis]) * per_length;
    to[axis] = float(std::min(std::max(scaled, -bound), bound));
  }
  to[3] = float(nodes.mobility[i] * floats.mass);
  to[4] = to[5] = to[6] = 0;
}

void add_one(const NodeFloats& floats, int i, Nodes& nodes) {
  const float* moved = row(floats, i) + 4;
  for (int axis = 0; axis < 3; ++axis) {
    nodes.position[i][axis] += floats.length * double(moved[axis]);
  }
}

#if HWY_MAX_BYTES >= 32

namespace hn = hwy::HWY_NAMESPACE;
using Four = hn::FixedTag<double, 4>;
using Row = hn::FixedTag<float, 4>;  // of one node

int load_fours(const Nodes& nodes, int begin, int end, const NodeFloats& floats,
               double per_length) {
  const Four d;
  const Row f;
  const Vec3& o = floats.origin;
  alignas(32) const double origins[3][4] = {
      {o.x(), o.y(), o.z(), o.x()}, {o.y(), o.z(), o.x(), o.y()}, {o.z(), o.x(), o.y(), o.z()}};
  const auto scale = hn::Set(d, per_length), mass = hn::Set(d, floats.mass);
  const auto most = hn::Set(d, bound), least = hn::Set(d, -bound);
  const auto xyz = hn::FirstN(f, 3);
  int i = begin;
  for (; i + 4 <= end; i += 4) {
    const double* position = nodes.position[i].data();
    const auto part = [&](int k) HWY_ATTR {
      const auto away = hn::Sub(hn::LoadU(d, position + 4 * k), hn::Load(d, origins[k]));
      const auto scaled = hn::Mul(away, scale);
      return hn::DemoteTo(f, hn::Min(hn::Max(scaled, least), most));
    };
    const auto a = part(0), b = part(1), c = part(2);
    const auto w = hn::DemoteTo(f, hn::Mul(hn::LoadU(d, &nodes.mobility[i]), mass));
    const auto store = [&](int k, auto place, auto weight) HWY_ATTR {
      float* to = row(floats, i + k);
      hn::Store(hn::IfThenElse(xyz, place, weight), f, to);
      hn::Store(hn::Zero(f), f, to + 4);
    };
    store(0, a, hn::Broadcast<0>(w));
    store(1, hn::CombineShiftRightLanes<3>(f, b, a), hn::Broadcast<1>(w));
    store(2, hn::CombineShiftRightLanes<2>(f, c, b), hn::Broadcast<2>(w));
    store(3, hn::ShiftRightLanes<1>(f, c), w);
  }
  return i;
}

int add_fours(const NodeFloats& floats, int begin, int end, Nodes& nodes) {
  const Four d;
  const Row f;
  const auto length = hn::Set(d, floats.length);
  int i = begin;
  for (; i + 4 <= end; i += 4) {
    // Their fourth numbers are zero: see scatter() in wide_project.cpp.
    const auto m0 = hn::Load(f, row(floats, i) + 4), m1 = hn::Load(f, row(floats, i + 1) + 4);
    const auto m2 = hn::Load(f, row(floats, i + 2) + 4), m3 = hn::Load(f, row(floats, i + 3) + 4);
    const auto add = [&](int k, auto moved) HWY_ATTR {
      double* position = nodes.position[i].data() + 4 * k;
      const auto found = hn::Add(hn::LoadU(d, position), hn::Mul(length, hn::PromoteTo(d, moved)));
      hn::StoreU(found, d, position);
    };
    add(0, hn::Or(m0, hn::ShiftLeftLanes<3>(f, m1)));
    add(1, hn::Or(hn::ShiftRightLanes<1>(f, m1), hn::ShiftLeftLanes<2>(f, m2)));
    add(2, hn::Or(hn::ShiftRightLanes<2>(f, m2), hn::ShiftLeftLanes<1>(f, m3)));
  }
  return i;
}

#else

int load_fours(const Nodes&, int begin, int, const NodeFloats&, double) { return begin; }
int add_fours(const NodeFloats&, int begin, int, Nodes&) { return begin; }

#endif

void load_all(const Nodes& nodes, int begin, int end, const NodeFloats& floats) {
  const double per_length = 1 / floats.length;
  for (int i = load_fours(nodes, begin, end, floats, per_length); i < end; ++i)
    load_one(nodes, i, floats, per_length);
}

void add_all(const NodeFloats& floats, int begin, int end, Nodes& nodes) {
  for (int i = add_fours(floats, begin, end, nodes); i < end; ++i) add_one(floats, i, nodes);
}

}  // namespace
}  // namespace pliant::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace pliant {

HWY_EXPORT(load_all);
HWY_EXPORT(add_all);

void load_floats(const Nodes& nodes, int begin, int end, const NodeFloats& floats) {
  HWY_DYNAMIC_DISPATCH(load_all)(nodes, begin, end, floats);
}

void fly_and_load(Nodes& nodes, int begin, int end, double h, const NodeFloats& floats) {
  constexpr int run = 64;  // a tenth of the nearest cache
  for (int i = begin; i < end; i += run) {
    const int stop = std::min(i + run, end);
    fly(nodes, i, stop, h);
    load_floats(nodes, i, stop, floats);
  }
}

void add_float_changes(const NodeFloats& floats, int begin, int end, Nodes& nodes) {
  HWY_DYNAMIC_DISPATCH(add_all)(floats, begin, end, nodes);
}

Vec3 float_origin(const std::vector<Vec3>& position, double unit) {
  // The mean of some sixty nodes is near enough to the centre.
  const std::size_t step = std::max<std::size_t>(1, position.size() / 64);
  Vec3 sum = Vec3::Zero();
  int count = 0;
  for (std::size_t i = 0; i < position.size(); i += step, ++count) sum += position[i];
  return (sum / count / unit).array().round() * unit;
}

}  // namespace pliant
#endif
