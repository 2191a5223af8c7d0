// Free flight, and from doubles to floats and back. Where the instruction set has four doubles side
// by side, four nodes are three vectors: x y z x, y z x y, z x y z. Compiled once per instruction
// set, as wide_project.cpp.

#include "core/wide_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "methods/shared/wide_nodes.cpp"
#include <algorithm>
#include <cstring>
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "methods/shared/wide_nodes.h"

HWY_BEFORE_NAMESPACE();
namespace pliant::HWY_NAMESPACE {
namespace {

constexpr std::size_t stride = NodeFloats::per_node;

/// Bounded, so that differences exist; what is so far away or not a number cannot be helped here.
constexpr double bound = 1e18;

/// Where the floats are. A copy for each loop, because stores of floats make the compiler look
/// again into what it does not own.
struct RowsOfNodes {
  float* HWY_RESTRICT data;
  const int* HWY_RESTRICT slot;

  explicit HWY_INLINE RowsOfNodes(const NodeFloats& floats)
      : data(floats.data), slot(floats.slot) {}
  HWY_INLINE float* operator[](int node) const {
    return data + stride * std::size_t(std::uint32_t(slot[node]));
  }
};

void load_one(const Nodes& nodes, int i, const NodeFloats& floats, double per_length) {
  float* to = RowsOfNodes(floats)[i];
  for (int axis = 0; axis < 3; ++axis) {
    const double scaled = (nodes.position[i][axis] - floats.origin[axis]) * per_length;
    to[axis] =
        float(std::min(bound, std::max(-bound, scaled)));  // in this order for what is no number
  }
  to[3] = float(nodes.mobility[i] * floats.mass);
  to[4] = to[5] = to[6] = 0;
}

void add_one(const NodeFloats& floats, int i, std::vector<Vec3>& position) {
  const float* moved = RowsOfNodes(floats)[i] + 4;
  for (int axis = 0; axis < 3; ++axis) position[i][axis] += floats.length * double(moved[axis]);
}

#if HWY_MAX_BYTES >= 32

namespace hn = hwy::HWY_NAMESPACE;
using Four = hn::FixedTag<double, 4>;
using Row = hn::FixedTag<float, 4>;  // of one node

/// Four nodes, as they lie in memory.
using Numbers = hn::Vec<Four>;
struct FourNodes {
  Numbers a, b, c;
};
HWY_INLINE FourNodes load_nodes(const double* from) {
  const Four d;
  return {hn::LoadU(d, from), hn::LoadU(d, from + 4), hn::LoadU(d, from + 8)};
}
HWY_INLINE void store_nodes(const FourNodes& nodes, double* to) {
  const Four d;
  hn::StoreU(nodes.a, d, to), hn::StoreU(nodes.b, d, to + 4), hn::StoreU(nodes.c, d, to + 8);
}
/// The same for all.
HWY_INLINE FourNodes four_times(const Vec3& v) {
  const double four[12] = {v.x(), v.y(), v.z(), v.x(), v.y(), v.z(),
                           v.x(), v.y(), v.z(), v.x(), v.y(), v.z()};
  return load_nodes(four);
}
HWY_INLINE FourNodes operator+(const FourNodes& p, const FourNodes& q) {
  return {hn::Add(p.a, q.a), hn::Add(p.b, q.b), hn::Add(p.c, q.c)};
}
HWY_INLINE FourNodes operator-(const FourNodes& p, const FourNodes& q) {
  return {hn::Sub(p.a, q.a), hn::Sub(p.b, q.b), hn::Sub(p.c, q.c)};
}
HWY_INLINE FourNodes operator*(const FourNodes& p, const FourNodes& q) {
  return {hn::Mul(p.a, q.a), hn::Mul(p.b, q.b), hn::Mul(p.c, q.c)};
}
HWY_INLINE FourNodes operator*(Numbers s, const FourNodes& p) {
  return {hn::Mul(s, p.a), hn::Mul(s, p.b), hn::Mul(s, p.c)};
}
/// A number of each node, beside each of its coordinates.
HWY_INLINE FourNodes for_each_axis(Numbers of_node) {
  const Four d;
  alignas(32) static constexpr std::int64_t owner[3][4] = {
      {0, 0, 0, 1}, {1, 1, 2, 2}, {2, 3, 3, 3}};
  return {hn::TableLookupLanes(of_node, hn::SetTableIndices(d, owner[0])),
          hn::TableLookupLanes(of_node, hn::SetTableIndices(d, owner[1])),
          hn::TableLookupLanes(of_node, hn::SetTableIndices(d, owner[2]))};
}

/// How places become floats.
struct Rounding {
  FourNodes origin;  // with the other sign, and scaled
  Numbers per_length, mass, most, least;

  explicit HWY_INLINE Rounding(const NodeFloats& floats) {
    const Four d;
    origin = four_times(-floats.origin / floats.length);
    per_length = hn::Set(d, 1 / floats.length), mass = hn::Set(d, floats.mass);
    most = hn::Set(d, bound), least = hn::Set(d, -bound);
  }
};

HWY_INLINE void store_floats(const Rounding& rounding, const FourNodes& places, Numbers mobility,
                             int first, const RowsOfNodes& rows) {
  const Row f;
  const hn::FixedTag<float, 8> both;  // of a node: place and move
  const auto xyz = hn::FirstN(f, 3);
  const auto scaled = [&](Numbers place, Numbers origin)
                          HWY_ATTR { return hn::MulAdd(place, rounding.per_length, origin); };
  const auto rounded = [&](Numbers numbers) HWY_ATTR {
    return hn::DemoteTo(f, hn::Min(hn::Max(numbers, rounding.least), rounding.most));
  };
  const auto a = rounded(scaled(places.a, rounding.origin.a));
  const auto b = rounded(scaled(places.b, rounding.origin.b));
  const auto c = rounded(scaled(places.c, rounding.origin.c));
  const auto w = hn::DemoteTo(f, hn::Mul(mobility, rounding.mass));
  const auto store = [&](int k, auto place, auto weight) HWY_ATTR {
    const auto at_rest = hn::ZeroExtendVector(both, hn::IfThenElse(xyz, place, weight));
    hn::Store(at_rest, both, rows[first + k]);
  };
  store(0, a, hn::Broadcast<0>(w));
  store(1, hn::CombineShiftRightLanes<3>(f, b, a), hn::Broadcast<1>(w));
  store(2, hn::CombineShiftRightLanes<2>(f, c, b), hn::Broadcast<2>(w));
  store(3, hn::ShiftRightLanes<1>(f, c), w);
}

int load_fours(const Nodes& nodes, int begin, int end, const NodeFloats& floats) {
  const Rounding rounding(floats);
  const RowsOfNodes rows(floats);
  int i = begin;
  for (; i + 4 <= end; i += 4)
    store_floats(rounding, load_nodes(nodes.position[i].data()),
                 hn::LoadU(Four(), &nodes.mobility[i]), i, rows);
  return i;
}

/// Where the numbers of nodes are. Once, because stores of floats make the compiler look again.
struct Arrays {
  double *HWY_RESTRICT position, *HWY_RESTRICT previous, *HWY_RESTRICT velocity;
  const double *HWY_RESTRICT force, *HWY_RESTRICT target, *HWY_RESTRICT mobility;
  const char* HWY_RESTRICT held;

  explicit Arrays(Nodes& nodes)
      : position(nodes.position.data()->data()),
        previous(nodes.previous.data()->data()),
        velocity(nodes.velocity.data()->data()),
        force(nodes.force.data()->data()),
        target(nodes.target.data()->data()),
        mobility(nodes.mobility.data()),
        held(nodes.held.data()) {}
};

/// The rigid motion of late velocities, for nodes side by side.
struct RigidMotion {
  Numbers cx, cy, cz, dx, dy, dz, sx, sy, sz;

  explicit HWY_INLINE RigidMotion(const LateVelocities& late) {
    const Four d;
    cx = hn::Set(d, late.centre.x()), cy = hn::Set(d, late.centre.y());
    cz = hn::Set(d, late.centre.z()), dx = hn::Set(d, late.drift.x());
    dy = hn::Set(d, late.drift.y()), dz = hn::Set(d, late.drift.z());
    sx = hn::Set(d, late.spin.x()), sy = hn::Set(d, late.spin.y());
    sz = hn::Set(d, late.spin.z());
  }

  HWY_INLINE FourNodes at(const double* position) const {
    const Four d;
    Numbers x, y, z;
    hn::LoadInterleaved3(d, position, x, y, z);
    x = hn::Sub(x, cx), y = hn::Sub(y, cy), z = hn::Sub(z, cz);
    const Numbers u = hn::Add(dx, hn::NegMulAdd(sz, y, hn::Mul(sy, z)));
    const Numbers v = hn::Add(dy, hn::NegMulAdd(sx, z, hn::Mul(sz, x)));
    const Numbers w = hn::Add(dz, hn::NegMulAdd(sy, x, hn::Mul(sx, y)));
    alignas(32) double motion[12];
    hn::StoreInterleaved3(u, v, w, d, motion);
    return load_nodes(motion);
  }
};

/// What late velocities are, to be known when this is compiled.
enum class Late { no, undamped, damped };

/// A flight of h seconds, for nodes side by side.
struct Flying {
  Numbers time;
  FourNodes by_gravity;  // change of velocity
  bool only_gravity;
  Rounding rounding;

  HWY_INLINE Flying(const Nodes& nodes, double h, const NodeFloats& floats)
      : time(hn::Set(Four(), h)), only_gravity(nodes.only_gravity), rounding(floats) {
    by_gravity = four_times(h * nodes.gravity);
  }

  /// From `start`, where nodes have this velocity: changes it, and says where they come to.
  HWY_INLINE FourNodes fly(const Arrays& of, int i, const FourNodes& start, FourNodes& velocity,
                           Numbers mobility) const {
    std::uint32_t held = 0;
    std::memcpy(&held, of.held + i, sizeof held);
    if (only_gravity && held == 0) {
      velocity = velocity + by_gravity;
      return start + time * velocity;
    }
    const std::size_t at = 3 * std::size_t(i);
    const Numbers zero = hn::Zero(Four());  // where nothing can be pushed
    const FourNodes push = for_each_axis(hn::Mul(time, mobility));
    const FourNodes gained = only_gravity
                                 ? FourNodes{hn::IfThenZeroElse(hn::Eq(push.a, zero), by_gravity.a),
                                             hn::IfThenZeroElse(hn::Eq(push.b, zero), by_gravity.b),
                                             hn::IfThenZeroElse(hn::Eq(push.c, zero), by_gravity.c)}
                                 : push * load_nodes(of.force + at);
    velocity = velocity + gained;
    const FourNodes place = start + time * velocity;
    if (held == 0) return place;
    const FourNodes target = load_nodes(of.target + at);
    return {hn::IfThenElse(hn::Eq(push.a, zero), target.a, place.a),
            hn::IfThenElse(hn::Eq(push.b, zero), target.b, place.b),
            hn::IfThenElse(hn::Eq(push.c, zero), target.c, place.c)};
  }
};

template <Late late_by>
int fly_fours(Nodes& nodes, int begin, int end, double h, const LateVelocities& late,
              const NodeFloats& floats) {
  const Four d;
  const Arrays of(nodes);
  const RowsOfNodes rows(floats);
  const Flying flying(nodes, h, floats);
  const RigidMotion rigid(late);
  const double* share = late.share;
  const Numbers per_h = hn::Set(d, late.per_h), zero = hn::Zero(d);
  int i = begin;
  for (; i + 4 <= end; i += 4) {
    const std::size_t at = 3 * std::size_t(i);
    const FourNodes start = load_nodes(of.position + at);
    const Numbers mobility = hn::LoadU(d, of.mobility + i);
    FourNodes velocity = load_nodes((late_by == Late::no ? of.velocity : of.previous) + at);
    if constexpr (late_by != Late::no) velocity = per_h * (start - velocity);
    if constexpr (late_by == Late::damped) {
      const Numbers taken = hn::IfThenZeroElse(hn::Eq(mobility, zero), hn::LoadU(d, share + i));
      velocity = velocity + for_each_axis(taken) * (rigid.at(of.position + at) - velocity);
    }
    const FourNodes place = flying.fly(of, i, start, velocity, mobility);
    store_nodes(place, of.previous + at);
    store_floats(flying.rounding, place, mobility, i, rows);
  }
  return i;
}

int fly_fours(Nodes& nodes, int begin, int end, double h, const LateVelocities& late,
              const NodeFloats& floats) {
  const auto fly_late = [&]<Late late_by>() {
    return fly_fours<late_by>(nodes, begin, end, h, late, floats);
  };
  if (late.per_h == 0) return fly_late.template operator()<Late::no>();
  return late.share ? fly_late.template operator()<Late::damped>()
                    : fly_late.template operator()<Late::undamped>();
}

int add_fours(const NodeFloats& floats, int begin, int end, std::vector<Vec3>& places) {
  const Four d;
  const Row f;
  const RowsOfNodes rows(floats);
  const Numbers length = hn::Set(d, floats.length);
  double* HWY_RESTRICT position = places.data()->data();
  int i = begin;
  for (; i + 4 <= end; i += 4) {
    // Their fourth numbers are zero: see scatter() in wide_project.cpp.
    const auto m0 = hn::Load(f, rows[i] + 4), m1 = hn::Load(f, rows[i + 1] + 4);
    const auto m2 = hn::Load(f, rows[i + 2] + 4), m3 = hn::Load(f, rows[i + 3] + 4);
    const auto scaled = [&](auto moved)
                            HWY_ATTR { return hn::Mul(length, hn::PromoteTo(d, moved)); };
    const FourNodes moved = {
        scaled(hn::Or(m0, hn::ShiftLeftLanes<3>(f, m1))),
        scaled(hn::Or(hn::ShiftRightLanes<1>(f, m1), hn::ShiftLeftLanes<2>(f, m2))),
        scaled(hn::Or(hn::ShiftRightLanes<2>(f, m2), hn::ShiftLeftLanes<1>(f, m3)))};
    double* at = position + 3 * std::size_t(i);
    store_nodes(load_nodes(at) + moved, at);
  }
  return i;
}

#else

int load_fours(const Nodes&, int begin, int, const NodeFloats&) { return begin; }
int fly_fours(Nodes&, int begin, int, double, const LateVelocities&, const NodeFloats&) {
  return begin;
}
int add_fours(const NodeFloats&, int begin, int, std::vector<Vec3>&) { return begin; }

#endif

void load_all(const Nodes& nodes, int begin, int end, const NodeFloats& floats) {
  const double per_length = 1 / floats.length;
  for (int i = load_fours(nodes, begin, end, floats); i < end; ++i)
    load_one(nodes, i, floats, per_length);
}

void fly_and_load_all(Nodes& nodes, int begin, int end, double h, const LateVelocities& late,
                      bool finds_mobilities, const NodeFloats& floats) {
  int i = begin;
  if (!finds_mobilities) i = fly_fours(nodes, begin, end, h, late, floats);
  fly(nodes, i, end, h, late);  // finds mobilities too
  load_all(nodes, i, end, floats);
  for (; i < end; ++i) std::swap(nodes.position[i], nodes.previous[i]);
}

void add_all(const NodeFloats& floats, int begin, int end, std::vector<Vec3>& position) {
  for (int i = add_fours(floats, begin, end, position); i < end; ++i) add_one(floats, i, position);
}

}  // namespace
}  // namespace pliant::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace pliant {

HWY_EXPORT(load_all);
HWY_EXPORT(fly_and_load_all);
HWY_EXPORT(add_all);

void load_floats(const Nodes& nodes, int begin, int end, const NodeFloats& floats) {
  HWY_DYNAMIC_DISPATCH(load_all)(nodes, begin, end, floats);
}

void fly_and_load(Nodes& nodes, int begin, int end, double h, const LateVelocities& late,
                  bool finds_mobilities, const NodeFloats& floats) {
  HWY_DYNAMIC_DISPATCH(fly_and_load_all)(nodes, begin, end, h, late, finds_mobilities, floats);
}

void add_float_changes(const NodeFloats& floats, int begin, int end, std::vector<Vec3>& position) {
  HWY_DYNAMIC_DISPATCH(add_all)(floats, begin, end, position);
}

Vec3 float_origin(const std::vector<Vec3>& position, double unit) {
  // The mean of some twenty nodes is near enough to the centre.
  const std::size_t step = std::max<std::size_t>(1, position.size() / 20);
  Vec3 sum = Vec3::Zero();
  int count = 0;
  for (std::size_t i = 0; i < position.size(); i += step, ++count) sum += position[i];
  return (sum / count / unit).array().round() * unit;
}

}  // namespace pliant
#endif
