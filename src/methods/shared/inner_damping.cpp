#include "core/wide_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "methods/shared/inner_damping.cpp"
#include <cstring>
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "methods/shared/inner_damping.h"

// After Mueller, Macklin et al. 2022 (shape matching), algorithm 2, with a whole piece as the
// group. Damping every tet towards its own rigid motion, as printed there for groups, was tried
// first: it acts like viscosity, so that a unit cube rang out seven times more slowly with 8 than
// with 2 cells a side.
// One pass sums what the closest rigid motion is made of, seen from one of the nodes; one damps,
// and makes velocities from ways where they are still to be made. For bodies of one piece both run
// four nodes side by side.

#ifndef PLIANT_INNER_DAMPING_ONCE
#define PLIANT_INNER_DAMPING_ONCE
namespace pliant {

/// What sum_fours() fills: weight, place, drift, turning, and the lower half of spread (xx yy zz xy
/// xz yz), all by weight.
struct InnerMoments {
  double number[16];
};

/// Weight of a held node against a free one of the same mass. Large, so that held nodes decide what
/// they can decide.
constexpr double lead = 1e6;

}  // namespace pliant
#endif

HWY_BEFORE_NAMESPACE();
namespace pliant::HWY_NAMESPACE {
namespace {

#if HWY_TARGET != HWY_SCALAR

namespace hn = hwy::HWY_NAMESPACE;
using Some = hn::CappedTag<double, 4>;  // no more: the same bits with longer vectors
using V = hn::Vec<Some>;

/// One bit or more for each of the nodes that are held.
HWY_INLINE std::uint32_t held_bits(const Nodes& nodes, int first) {
  std::uint32_t some = 0;
  std::memcpy(&some, nodes.held.data() + first, hn::MaxLanes(Some()));
  return some;
}
HWY_INLINE hn::Mask<Some> held_ones(std::uint32_t bits) {
  const hn::Rebind<std::uint64_t, Some> u;
  alignas(32) static constexpr std::uint64_t own[4] = {0xff, 0xff00, 0xff0000, 0xff000000};
  return hn::RebindMask(Some(), hn::Ne(hn::And(hn::Set(u, bits), hn::Load(u, own)), hn::Zero(u)));
}

/// Velocities of nodes side by side; with `per_h` above 0 from their ways.
HWY_INLINE void velocities(const Nodes& nodes, int i, V per_h, bool from_ways, V x, V y, V z, V& u,
                           V& v, V& s) {
  const Some d;
  if (!from_ways) {
    hn::LoadInterleaved3(d, nodes.velocity[i].data(), u, v, s);
    return;
  }
  V px, py, pz;
  hn::LoadInterleaved3(d, nodes.previous[i].data(), px, py, pz);
  u = hn::Mul(per_h, hn::Sub(x, px));
  v = hn::Mul(per_h, hn::Sub(y, py));
  s = hn::Mul(per_h, hn::Sub(z, pz));
}

/// The nodes [begin, end) as far as they fill vectors; returns where it stopped. With `per_h` above
/// 0 their velocities are those of their ways.
int sum_fours(const Nodes& nodes, const double* weight, int begin, int end, double per_h,
              const Vec3& from, const Vec3& motion, InnerMoments& moments, bool& led) {
  const Some d;
  const int lanes = int(hn::MaxLanes(d));
  const V px = hn::Set(d, from.x()), py = hn::Set(d, from.y()), pz = hn::Set(d, from.z());
  const V mx = hn::Set(d, motion.x()), my = hn::Set(d, motion.y()), mz = hn::Set(d, motion.z());
  const V zero = hn::Zero(d);
  V w0 = zero, sx = zero, sy = zero, sz = zero, vx = zero, vy = zero, vz = zero;
  V tx = zero, ty = zero, tz = zero;
  V xx = zero, yy = zero, zz = zero, xy = zero, xz = zero, yz = zero;
  const V rate = hn::Set(d, per_h);
  int i = begin;
  for (; i + lanes <= end; i += lanes) {
    V w = hn::LoadU(d, weight + i);
    if (const std::uint32_t held = held_bits(nodes, i)) {
      const V leading = hn::Mul(hn::Set(d, lead), hn::LoadU(d, &nodes.mass[i]));
      w = hn::IfThenElse(held_ones(held), leading, w);
      led = true;
    }
    V x, y, z, u, v, s;
    hn::LoadInterleaved3(d, nodes.position[i].data(), x, y, z);
    velocities(nodes, i, rate, per_h > 0, x, y, z, u, v, s);
    x = hn::Sub(x, px), y = hn::Sub(y, py), z = hn::Sub(z, pz);
    u = hn::Sub(u, mx), v = hn::Sub(v, my), s = hn::Sub(s, mz);
    const V wx = hn::Mul(w, x), wy = hn::Mul(w, y), wz = hn::Mul(w, z);
    w0 = hn::Add(w0, w);
    sx = hn::Add(sx, wx), sy = hn::Add(sy, wy), sz = hn::Add(sz, wz);
    vx = hn::MulAdd(w, u, vx), vy = hn::MulAdd(w, v, vy), vz = hn::MulAdd(w, s, vz);
    tx = hn::NegMulAdd(wz, v, hn::MulAdd(wy, s, tx));
    ty = hn::NegMulAdd(wx, s, hn::MulAdd(wz, u, ty));
    tz = hn::NegMulAdd(wy, u, hn::MulAdd(wx, v, tz));
    xx = hn::MulAdd(wx, x, xx), yy = hn::MulAdd(wy, y, yy), zz = hn::MulAdd(wz, z, zz);
    xy = hn::MulAdd(wx, y, xy), xz = hn::MulAdd(wx, z, xz), yz = hn::MulAdd(wy, z, yz);
  }
  const V all[16] = {w0, sx, sy, sz, vx, vy, vz, tx, ty, tz, xx, yy, zz, xy, xz, yz};
  for (int k = 0; k < 16; ++k) moments.number[k] = hn::GetLane(hn::SumOfLanes(d, all[k]));
  return i;
}

int damp_fours(Nodes& nodes, const double* share, int begin, int end, double per_h,
               const Vec3& centre, const Vec3& drift, const Vec3& spin) {
  const Some d;
  const int lanes = int(hn::MaxLanes(d));
  const V cx = hn::Set(d, centre.x()), cy = hn::Set(d, centre.y()), cz = hn::Set(d, centre.z());
  const V dx = hn::Set(d, drift.x()), dy = hn::Set(d, drift.y()), dz = hn::Set(d, drift.z());
  const V ox = hn::Set(d, spin.x()), oy = hn::Set(d, spin.y()), oz = hn::Set(d, spin.z());
  const V rate = hn::Set(d, per_h);
  int i = begin;
  for (; i + lanes <= end; i += lanes) {
    V taken = hn::LoadU(d, share + i);
    if (const std::uint32_t held = held_bits(nodes, i))
      taken = hn::IfThenZeroElse(held_ones(held), taken);
    V x, y, z, u, v, s;
    hn::LoadInterleaved3(d, nodes.position[i].data(), x, y, z);
    velocities(nodes, i, rate, per_h > 0, x, y, z, u, v, s);
    x = hn::Sub(x, cx), y = hn::Sub(y, cy), z = hn::Sub(z, cz);
    const V rx = hn::Add(dx, hn::NegMulAdd(oz, y, hn::Mul(oy, z)));
    const V ry = hn::Add(dy, hn::NegMulAdd(ox, z, hn::Mul(oz, x)));
    const V rz = hn::Add(dz, hn::NegMulAdd(oy, x, hn::Mul(ox, y)));
    u = hn::MulAdd(taken, hn::Sub(rx, u), u);
    v = hn::MulAdd(taken, hn::Sub(ry, v), v);
    s = hn::MulAdd(taken, hn::Sub(rz, s), s);
    hn::StoreInterleaved3(u, v, s, d, nodes.velocity[i].data());
  }
  return i;
}

#else

int sum_fours(const Nodes&, const double*, int begin, int, double, const Vec3&, const Vec3&,
              InnerMoments& moments, bool&) {
  std::memset(moments.number, 0, sizeof moments.number);
  return begin;
}
int damp_fours(Nodes&, const double*, int begin, int, double, const Vec3&, const Vec3&,
               const Vec3&) {
  return begin;
}

#endif

}  // namespace
}  // namespace pliant::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <Eigen/Eigenvalues>
#include <algorithm>

#include "core/parallel.h"
#include "methods/shared/flight.h"

namespace pliant {
namespace {

HWY_EXPORT(sum_fours);
HWY_EXPORT(damp_fours);

/// Share taken in a step of length h: c h for small steps, never more than all.
double share(double rate, double h) { return rate * h / (1 + rate * h); }

/// As it is, or with `per_h` above 0 from the way gone.
Vec3 velocity_of(const Nodes& nodes, int n, double per_h) {
  return per_h > 0 ? Vec3(per_h * (nodes.position[n] - nodes.previous[n])) : nodes.velocity[n];
}

}  // namespace

Vec3 angular_velocity(const Mat3& inertia, const Vec3& angular_momentum) {
  const double mean = inertia.trace() / 3;
  if (!(mean > 0)) return Vec3::Zero();
  const Mat3 areas = cofactor(inertia);
  const double determinant = areas.col(0).dot(inertia.col(0));
  if (determinant > 1e-6 * mean * mean * mean)  // symmetric: the cofactors are the adjugate
    return areas * angular_momentum / determinant;
  const Eigen::SelfAdjointEigenSolver<Mat3> eigen(inertia);
  Vec3 sum = Vec3::Zero();
  for (int k = 0; k < 3; ++k) {
    const double value = eigen.eigenvalues()[k];
    if (value < 1e-9 * eigen.eigenvalues()[2]) continue;
    const Vec3 axis = eigen.eigenvectors().col(k);
    sum += axis.dot(angular_momentum) / value * axis;
  }
  return sum;
}

InnerDamping::InnerDamping(std::vector<double> rate, std::vector<int> piece)
    : rate_(std::move(rate)),
      piece_(std::move(piece)),
      share_(rate_.size(), 0),
      weight_(rate_.size(), 0) {
  for (std::size_t n = 0; n < rate_.size(); ++n) {
    active_ = active_ || rate_[n] > 0;
    if (std::size_t(piece_[n]) < motions_.size()) continue;
    motions_.emplace_back();
    first_.push_back(int(n));
  }
  places_.resize(first_.size());
  speeds_.resize(first_.size());
}

void InnerDamping::set_shares(const Nodes& nodes, double h, double more) {
  if (h == h_ && more == more_) return;
  for (std::size_t n = 0; n < rate_.size(); ++n) {
    share_[n] = share(rate_[n] + more, h);
    weight_[n] = nodes.mass[n] * share_[n];
  }
  h_ = h;
  more_ = more;
}

/// Nodes per chunk of the sums. Bodies of many pieces are summed in one go: a sum of each piece for
/// each chunk would cost more than it brings.
int InnerDamping::grain(int nodes) const { return motions_.size() == 1 ? 512 : std::max(1, nodes); }

// Weighting by the share taken makes what is taken sum to zero: momentum is kept even where rates
// differ.
void InnerDamping::add(const Nodes& nodes, int begin, int end, double per_h, Sums* sums) const {
  int n = begin;
  if (motions_.size() == 1) {
    InnerMoments m;
    n = HWY_DYNAMIC_DISPATCH(sum_fours)(nodes, weight_.data(), begin, end, per_h, places_[0],
                                        speeds_[0], m, sums->led);
    const double* s = m.number;
    sums->weight = s[0];
    sums->place = {s[1], s[2], s[3]};
    sums->drift = {s[4], s[5], s[6]};
    sums->turning = {s[7], s[8], s[9]};
    sums->spread << s[10], 0, 0, s[13], s[11], 0, s[14], s[15], s[12];
  }
  for (; n < end; ++n) {
    Sums& sum = sums[piece_[n]];
    const double w = nodes.held[n] ? lead * nodes.mass[n] : weight_[n];
    const Vec3 arm = nodes.position[n] - places_[piece_[n]];
    const Vec3 speed = velocity_of(nodes, n, per_h) - speeds_[piece_[n]];
    sum.weight += w;
    sum.led = sum.led || nodes.held[n];
    sum.place += w * arm;
    sum.drift += w * speed;
    sum.turning += w * arm.cross(speed);
    for (int row = 0; row < 3; ++row)
      for (int column = 0; column <= row; ++column)
        sum.spread(row, column) += w * arm[row] * arm[column];
  }
}

/// `per_h` above 0: velocities are still to be made from ways.
void InnerDamping::fit_rigid_motion(const Nodes& nodes, double per_h) {
  const int chunk = grain(nodes.size());
  const std::size_t pieces = motions_.size();
  parts_.assign(std::size_t((nodes.size() + chunk - 1) / chunk) * pieces, Sums{});
  for (std::size_t i = 0; i < pieces; ++i) {
    const int n = first_[i];
    places_[i] = nodes.position[n];
    speeds_[i] = velocity_of(nodes, n, per_h);
  }
  parallel_for(nodes.size(), chunk, [&](int begin, int end) {
    add(nodes, begin, end, per_h, &parts_[std::size_t(begin / chunk) * pieces]);
  });
  for (std::size_t i = pieces; i < parts_.size(); ++i) {  // in index order
    Sums& sum = parts_[i % pieces];
    sum.weight += parts_[i].weight;
    sum.led = sum.led || parts_[i].led;
    sum.place += parts_[i].place;
    sum.drift += parts_[i].drift;
    sum.turning += parts_[i].turning;
    sum.spread += parts_[i].spread;
  }
  for (std::size_t i = 0; i < pieces; ++i) {
    const Sums& sum = parts_[i];
    motions_[i] = {};
    if (sum.weight == 0) continue;
    const Vec3 arm = sum.place / sum.weight, drift = sum.drift / sum.weight;
    motions_[i].led = sum.led;
    motions_[i].centre = places_[i] + arm;
    motions_[i].drift = speeds_[i] + drift;
    // Seen from the centre, by Steiner's theorem.
    Mat3 spread = sum.spread.selfadjointView<Eigen::Lower>();
    spread -= sum.weight * arm * arm.transpose();
    const Vec3 turning = sum.turning - sum.weight * arm.cross(drift);
    motions_[i].spin = angular_velocity(spread.trace() * Mat3::Identity() - spread, turning);
  }
}

void InnerDamping::apply(Nodes& nodes, double h, double more) {
  if (!active_ && more == 0) return;
  set_shares(nodes, h, more);
  fit_rigid_motion(nodes, 0);
  damp(nodes, 0, h, more);
}

void InnerDamping::finish(Nodes& nodes, double h, double more) {
  if (!active_ && more == 0) {
    parallel_for(nodes.size(), 512,
                 [&](int begin, int end) { velocities_from_ways(nodes, begin, end, h); });
    return;
  }
  set_shares(nodes, h, more);
  fit_rigid_motion(nodes, 1 / h);
  damp(nodes, 1 / h, h, more);
}

LateVelocities InnerDamping::finish_late(Nodes& nodes, double h, double more) {
  if (!active_ && more == 0) return {.per_h = 1 / h};
  if (motions_.size() > 1 || more > 0) {
    finish(nodes, h, more);
    return {};
  }
  set_shares(nodes, h, more);
  fit_rigid_motion(nodes, 1 / h);
  const Motion& motion = motions_[0];
  return {1 / h, share_.data(), motion.centre, motion.drift, motion.spin};
}

void InnerDamping::damp(Nodes& nodes, double per_h, double h, double more) {
  parallel_for(nodes.size(), grain(nodes.size()), [&](int begin, int end) {
    int n = begin;
    if (motions_.size() == 1 && more == 0)
      n = HWY_DYNAMIC_DISPATCH(damp_fours)(nodes, share_.data(), begin, end, per_h,
                                           motions_[0].centre, motions_[0].drift, motions_[0].spin);
    for (; n < end; ++n) {
      Vec3 velocity = velocity_of(nodes, n, per_h);
      if (!nodes.held[n]) {
        const Motion& motion = motions_[piece_[n]];
        const Vec3 turning = motion.spin.cross(nodes.position[n] - motion.centre);
        velocity += share_[n] * (motion.drift + turning - velocity);
        if (more > 0 && !motion.led) velocity -= share(more, h) * turning;
      }
      nodes.velocity[n] = velocity;
    }
  });
}

}  // namespace pliant
#endif
