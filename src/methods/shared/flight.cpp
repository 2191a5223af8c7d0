// Where the instruction set has four doubles side by side, four nodes are three vectors per array.
// Compiled once per instruction set, as methods/tets/wide_project.cpp.

#include "core/wide_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "methods/shared/flight.cpp"
#include <cstring>
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "methods/shared/flight.h"

HWY_BEFORE_NAMESPACE();
namespace pliant::HWY_NAMESPACE {
namespace {

void fly_one(Nodes& nodes, int i, double h) {
  nodes.mobility[i] = nodes.held[i] ? 0 : 1 / nodes.mass[i];
  const double push = h * nodes.mobility[i];
  // Number by number: written in halves and read back whole, a vector costs a dozen cycles more.
  for (int axis = 0; axis < 3; ++axis) {
    const double start = nodes.position[i][axis];
    const double velocity = nodes.velocity[i][axis] + push * nodes.force[i][axis];
    nodes.previous[i][axis] = start;
    nodes.velocity[i][axis] = velocity;
    nodes.position[i][axis] = nodes.held[i] ? nodes.target[i][axis] : start + h * velocity;
  }
}

#if HWY_MAX_BYTES >= 32

namespace hn = hwy::HWY_NAMESPACE;
using Four = hn::FixedTag<double, 4>;

bool any_held(const Nodes& nodes, int first) {
  std::uint32_t four = 0;
  std::memcpy(&four, nodes.held.data() + first, sizeof four);
  return four != 0;
}

struct Free {
  alignas(32) double share[4];  // 0 = held
};
Free free_ones(const Nodes& nodes, int first) {
  Free free;
  for (int k = 0; k < 4; ++k) free.share[k] = nodes.held[first + k] ? 0 : 1;
  return free;
}

void fly_all(Nodes& nodes, int begin, int end, double h) {
  const Four d;
  // Whose number each of the twelve is.
  alignas(32) static constexpr std::int64_t owner[3][4] = {
      {0, 0, 0, 1}, {1, 1, 2, 2}, {2, 3, 3, 3}};
  const auto owner0 = hn::SetTableIndices(d, owner[0]), owner1 = hn::SetTableIndices(d, owner[1]);
  const auto owner2 = hn::SetTableIndices(d, owner[2]);
  const auto time = hn::Set(d, h), one = hn::Set(d, 1.0);
  double* HWY_RESTRICT position = nodes.position.data()->data();
  double* HWY_RESTRICT previous = nodes.previous.data()->data();
  double* HWY_RESTRICT velocity = nodes.velocity.data()->data();
  double* HWY_RESTRICT mobility = nodes.mobility.data();
  const double* HWY_RESTRICT force = nodes.force.data()->data();
  const auto fly_third = [&](std::size_t at, auto push) HWY_ATTR {
    const auto start = hn::LoadU(d, position + at);
    const auto faster = hn::Mul(push, hn::LoadU(d, force + at));
    const auto speed = hn::Add(hn::LoadU(d, velocity + at), faster);
    hn::StoreU(start, d, previous + at);
    hn::StoreU(speed, d, velocity + at);
    hn::StoreU(hn::Add(start, hn::Mul(time, speed)), d, position + at);
  };
  int i = begin;
  for (; i + 4 <= end; i += 4) {
    const bool held = any_held(nodes, i);
    auto moves = hn::Div(one, hn::LoadU(d, &nodes.mass[i]));
    if (held) moves = hn::Mul(moves, hn::Load(d, free_ones(nodes, i).share));
    hn::StoreU(moves, d, mobility + i);
    const auto pushes = hn::Mul(time, moves);
    const std::size_t at = 3 * std::size_t(i);
    fly_third(at, hn::TableLookupLanes(pushes, owner0));
    fly_third(at + 4, hn::TableLookupLanes(pushes, owner1));
    fly_third(at + 8, hn::TableLookupLanes(pushes, owner2));
    for (int k = i; held && k < i + 4; ++k)
      if (nodes.held[k]) nodes.position[k] = nodes.target[k];
  }
  for (; i < end; ++i) fly_one(nodes, i, h);
}

#else

void fly_all(Nodes& nodes, int begin, int end, double h) {
  for (int i = begin; i < end; ++i) fly_one(nodes, i, h);
}

#endif

void velocities_all(Nodes& nodes, int begin, int end, double h) {
  if (begin == end) return;
  const double per_h = 1 / h;
  const double* HWY_RESTRICT now = nodes.position[begin].data();
  const double* HWY_RESTRICT before = nodes.previous[begin].data();
  double* HWY_RESTRICT velocity = nodes.velocity[begin].data();
  const int numbers = 3 * (end - begin);
  for (int i = 0; i < numbers; ++i) velocity[i] = per_h * (now[i] - before[i]);
}

}  // namespace
}  // namespace pliant::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace pliant {

HWY_EXPORT(fly_all);
HWY_EXPORT(velocities_all);

void fly(Nodes& nodes, int begin, int end, double h) {
  HWY_DYNAMIC_DISPATCH(fly_all)(nodes, begin, end, h);
}

void velocities_from_ways(Nodes& nodes, int begin, int end, double h) {
  HWY_DYNAMIC_DISPATCH(velocities_all)(nodes, begin, end, h);
}

}  // namespace pliant
#endif
