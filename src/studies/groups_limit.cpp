// Compiled once per instruction set, as methods/shared/shape_law/wide_project.cpp.

#include "core/wide_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "studies/groups_limit.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "methods/shared/wide_math-inl.h"
#include "studies/groups_limit.h"
#include "studies/limit_work.h"

#ifndef PLIANT_GROUPS_LIMIT_ONCE
#define PLIANT_GROUPS_LIMIT_ONCE
namespace pliant {

/// Compliances and gamma of all groups, in units of their mass and size: soft rubber.
constexpr float limit_shape = 20, limit_volume = 2, limit_gamma = 1.1f;

}  // namespace pliant
#endif

HWY_BEFORE_NAMESPACE();
namespace pliant::HWY_NAMESPACE {
namespace {

template <int members>
HWY_INLINE void project_limit(const std::int32_t* place, const float* rest, float* nodes) {
  const V3 zero = {all(0), all(0), all(0)};
  V3 centre = zero, f1 = zero, f2 = zero, f3 = zero;
  V w = all(0);
  for (int k = 0; k < members; ++k) {
    V3 x;
    gather_rows(nodes, place + k * lanes, x, w);
    const float* r = rest + k * 3 * lanes;
    centre = centre + x;
    f1 = plus_product(f1, x, load(r));
    f2 = plus_product(f2, x, load(r + lanes));
    f3 = plus_product(f3, x, load(r + 2 * lanes));
  }
  centre = centre * all(1.0f / float(members));
  const float* inverse = rest + members * 3 * lanes;
  const V d1 = load(inverse), d2 = load(inverse + lanes), d3 = load(inverse + 2 * lanes);
  f1 = f1 * d1, f2 = f2 * d2, f3 = f3 * d3;
  const V3 c1 = cross(f2, f3), c2 = cross(f3, f1), c3 = cross(f1, f2);
  const V J = dot(f1, c1);
  const V s1 = dot(f1, f1), s2 = dot(f2, f2), s3 = dot(f3, f3);
  const V per_stretch = reciprocal_root(s1 + (s2 + s3));
  const V g11 = plus_product(plus_product(s1 * d1, s2, d2), s3, d3) * (per_stretch * per_stretch);
  const V a22 = plus_product(plus_product(dot(c1, c1) * d1, dot(c2, c2), d2), dot(c3, c3), d3) +
                all(limit_volume);
  const V a11 = g11 + all(limit_shape), a12 = J * per_stretch * (d1 + (d2 + d3));
  const V r1 = -((s1 + (s2 + s3)) * per_stretch), r2 = all(limit_gamma) - J;
  const V per_det = reciprocal(minus_product(a11 * a22, a12, a12));
  const V of_shape = minus_product(a22 * r1, a12, r2) * per_det * per_stretch;
  const V of_volume = minus_product(a11 * r2, a12, r1) * per_det;
  f1 = plus_product(f1, plus_product(f1 * of_shape, c1, of_volume), d1);
  f2 = plus_product(f2, plus_product(f2 * of_shape, c2, of_volume), d2);
  f3 = plus_product(f3, plus_product(f3 * of_shape, c3, of_volume), d3);
  for (int k = 0; k < members; ++k) {
    const float* r = rest + k * 3 * lanes;
    V3 x = plus_product(centre, f1, load(r));
    x = plus_product(plus_product(x, f2, load(r + lanes)), f3, load(r + 2 * lanes));
    scatter_rows(x, w, nodes, place + k * lanes);
  }
}

template <int members>
void sweep_limit(const LimitWork& work) {
  for (int b = 0; b < work.batches; ++b)
    project_limit<members>(work.place + std::size_t(b) * members * lanes,
                           work.rest + std::size_t(b) * (members + 1) * 3 * lanes, work.nodes);
}
void sweep_limit_8(const LimitWork& work) { sweep_limit<8>(work); }
void sweep_limit_27(const LimitWork& work) { sweep_limit<27>(work); }

}  // namespace
}  // namespace pliant::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace pliant {
namespace {

HWY_EXPORT(sweep_limit_8);
HWY_EXPORT(sweep_limit_27);

}  // namespace

GroupsLimit::GroupsLimit(const shape_law::Shapes& shapes, const std::vector<Vec3>& points,
                         const shape_law::WideBatches& batches) {
  members_ = batches.batch.empty() ? 0 : batches.batch[0].rows;
  if (members_ != 8 && members_ != 27) return;
  const int lanes = batches.lanes;
  constexpr int row = 4;
  nodes_.assign(row * points.size(), 1);
  for (std::size_t p = 0; p < points.size(); ++p)
    for (int axis = 0; axis < 3; ++axis)
      nodes_.data()[row * std::size_t(batches.slot[p]) + std::size_t(axis)] =
          float(points[p][axis] / batches.length);
  std::vector<float> rest;
  for (std::size_t b = 0; b < batches.batch.size(); ++b) {
    const int* group = &batches.group[b * std::size_t(lanes)];
    bool full = !batches.batch[b].large;
    for (int lane = 0; lane < lanes; ++lane)
      full = full && group[lane] >= 0 && int(shapes.members(group[lane]).size()) == members_;
    if (!full) continue;
    groups_ += lanes;
    ++batches_;
    const std::size_t at = rest.size();
    rest.resize(at + std::size_t((members_ + 1) * 3 * lanes));
    for (int k = 0; k < members_; ++k)
      for (int lane = 0; lane < lanes; ++lane) {
        const int g = group[lane], m = shapes.start[g] + k;
        place_.push_back(row * batches.slot[std::size_t(shapes.member[m])]);
        const shape_law::Shape& shape = shapes.shape[g];
        const Vec3 arm = shape.axes.transpose() * shapes.arm[m] / batches.length;
        for (int axis = 0; axis < 3; ++axis) {
          rest[at + std::size_t((3 * k + axis) * lanes + lane)] = float(arm[axis]);
          const double moment = shape.spread[axis] * members_ / shape.mass;
          rest[at + std::size_t((3 * members_ + axis) * lanes + lane)] =
              float(batches.length * batches.length / moment);
        }
      }
  }
  rest_.assign(rest.size(), 0);
  std::copy(rest.begin(), rest.end(), rest_.data());
}

void GroupsLimit::sweep() {
  const LimitWork work{batches_, place_.data(), rest_.data(), nodes_.data()};
  if (members_ == 8) HWY_DYNAMIC_DISPATCH(sweep_limit_8)(work);
  if (members_ == 27) HWY_DYNAMIC_DISPATCH(sweep_limit_27)(work);
}

}  // namespace pliant
#endif
