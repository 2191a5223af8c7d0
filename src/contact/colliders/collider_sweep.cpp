#include "contact/colliders/collider_sweep.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/assert.h"
#include "geometry/query/bvh.h"
#include "geometry/query/pseudonormal.h"
#include "geometry/query/segments.h"

namespace pliant {
namespace {

/// Part of the path, as parameters in [0, 1], that lies in a box. `axis` is the side it enters by.
struct Slab {
  double begin = 0, end = 1;
  int axis = -1;  // -1: starts inside
  bool empty() const { return begin > end; }
};

Slab clip(const Vec3& from, const Vec3& step, const Vec3& low, const Vec3& high) {
  Slab slab;
  for (int k = 0; k < 3; ++k) {
    if (step[k] == 0) {
      if (from[k] < low[k] || from[k] > high[k]) return {1, 0, -1};
      continue;
    }
    double t0 = (low[k] - from[k]) / step[k];
    double t1 = (high[k] - from[k]) / step[k];
    if (t0 > t1) std::swap(t0, t1);
    if (t0 >= slab.begin && t0 <= 1) {
      slab.begin = t0;
      slab.axis = k;
    } else if (t0 > 1) {
      return {1, 0, -1};
    }
    slab.end = std::min(slab.end, t1);
  }
  return slab;
}

/// First parameter in [0, 1] at which |a + t b| falls to `radius`; 2 when it never does.
double enter_ball(const Vec3& a, const Vec3& b, double radius) {
  const double bb = b.squaredNorm(), ab = a.dot(b), aa = a.squaredNorm() - radius * radius;
  if (aa < 0 || ab >= 0 || bb == 0) return 2;
  const double discriminant = ab * ab - bb * aa;
  if (discriminant < 0) return 2;
  const double t = aa / (-ab + std::sqrt(discriminant));  // the small root without cancellation
  return t <= 1 ? t : 2;
}

ColliderHit plane_at(const Vec3& point, const Vec3& normal, const Vec3& to) {
  return {normal.dot(to - point), normal, point};
}

struct Sweep {
  const Vec3& from;
  const Vec3& to;

  std::optional<ColliderHit> operator()(const PlaneShape&) const {
    return std::nullopt;  // has no other side: the nearest surface is always the right one
  }

  std::optional<ColliderHit> operator()(const SphereShape& s) const {
    const double t = enter_ball(from, to - from, s.radius);
    if (t > 1) return std::nullopt;
    const Vec3 point = from + t * (to - from);
    return plane_at(point, point.normalized(), to);
  }

  std::optional<ColliderHit> operator()(const BoxShape& s) const {
    if ((from.cwiseAbs().array() < s.half.array()).all()) return std::nullopt;
    const Vec3 step = to - from;
    const Slab slab = clip(from, step, -s.half, s.half);
    if (slab.empty() || slab.axis < 0) return std::nullopt;
    Vec3 normal = Vec3::Zero();
    normal[slab.axis] = step[slab.axis] > 0 ? -1 : 1;
    Vec3 point = from + slab.begin * step;
    point[slab.axis] = normal[slab.axis] * s.half[slab.axis];
    return plane_at(point, normal, to);
  }

  std::optional<ColliderHit> operator()(const CapsuleShape& s) const {
    const Vec3 step = to - from;
    double first = 2;
    Vec3 core = Vec3::Zero();
    const double inside =
        (from - Vec3(0, std::clamp(from.y(), -s.half_length, s.half_length), 0)).squaredNorm();
    if (inside < s.radius * s.radius) return std::nullopt;
    const double t = enter_ball({from.x(), 0, from.z()}, {step.x(), 0, step.z()}, s.radius);
    const double y = from.y() + t * step.y();
    if (t <= 1 && std::abs(y) <= s.half_length) {
      first = t;
      core = {0, y, 0};
    }
    for (const double end : {-s.half_length, s.half_length}) {
      const double at_end = enter_ball(from - Vec3(0, end, 0), step, s.radius);
      if (at_end >= first) continue;
      first = at_end;
      core = {0, end, 0};
    }
    if (first > 1) return std::nullopt;
    const Vec3 point = from + first * step;
    return plane_at(point, (point - core).normalized(), to);
  }

  std::optional<ColliderHit> operator()(const MeshShape& s) const;

  std::optional<ColliderHit> operator()(const HeightfieldShape& s) const {
    const auto entry = s.field->enter(from, to);
    if (!entry) return std::nullopt;
    return plane_at(from + entry->at * (to - from), entry->face, to);
  }
};

std::optional<ColliderHit> Sweep::operator()(const MeshShape& s) const {
  const Vec3 step = to - from;
  double first = 2;
  int found = -1;
  const auto may_enter = [&](const Box& box) {
    const double hair = 1e-9 * (box.extent().maxCoeff() + step.norm());
    const Slab slab = clip(from, step, box.low.array() - hair, box.high.array() + hair);
    return !slab.empty() && !(slab.begin > first);
  };
  s.bvh->visit(may_enter, [&](const Bvh::Node& leaf) {
    for (int k = leaf.begin; k < leaf.end; ++k) {
      const int triangle = s.bvh->order()[k];
      const Triangle& t = s.mesh->triangles[triangle];
      const std::vector<Vec3>& points = s.mesh->points;
      // Closed meshes are entered from the front only.
      const double at =
          cross_triangle(points[t[0]], points[t[1]], points[t[2]], from, step, s.closed);
      if (at > 1 || at > first || (at == first && triangle > found)) continue;
      first = at;
      found = triangle;
    }
  });
  if (found < 0) return std::nullopt;
  Vec3 normal = s.pseudonormals->face(found);
  if (normal.dot(step) > 0) normal = -normal;  // open mesh, from behind
  return plane_at(from + first * step, normal, to);
}

}  // namespace

std::optional<ColliderHit> sweep(const ColliderShape& shape, const Vec3& from, const Vec3& to) {
  return std::visit(Sweep{from, to}, shape);
}

std::optional<Touch> touch(const ColliderShape& shape, const Vec3& from, const Vec3& to,
                           double reach) {
  ASSERT(reach >= 0, "contacts are looked for within a reach");
  if (std::holds_alternative<PlaneShape>(shape)) {  // has no other side: cannot be entered
    const std::optional<ColliderHit> hit = shape_distance(shape, to, reach);
    return hit && hit->gap < reach ? std::optional(Touch{*hit, false}) : std::nullopt;
  }
  const double travel = (to - from).norm();
  const std::optional<ColliderHit> nearest =
      shape_distance(shape, to, std::max(reach, 1.001 * travel));
  // A path that crossed the surface ends no further from it than it is long.
  if (!nearest || nearest->gap > 1.001 * travel) {
    if (!nearest || nearest->gap >= reach) return std::nullopt;
    return Touch{*nearest, false};
  }
  const std::optional<ColliderHit> entry = sweep(shape, from, to);
  if (!entry) {
    if (nearest->gap >= reach) return std::nullopt;
    return Touch{*nearest, false};
  }
  // Where both name the same piece of surface the nearest is the smoother answer. Equal normals are
  // not enough: behind one thin wall there may be a second one. A gap of half the overshoot or
  // deeper is.
  const bool same = nearest->normal.dot(entry->normal) > 0.5 && nearest->gap <= 0.5 * entry->gap;
  return Touch{same ? *nearest : *entry, true};
}

}  // namespace pliant
