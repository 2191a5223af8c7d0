#include "contact/colliders/collider_distance.h"

#include <algorithm>

#include "geometry/query/bvh.h"
#include "geometry/query/pseudonormal.h"

namespace pliant {
namespace {

constexpr double on_surface = 1e-9;  // [m] nearer than this an offset has no direction of its own
constexpr double cos_70_degrees = 0.34;

/// Around a core point: spheres, and capsules about their axis.
ColliderHit around(const Vec3& core, double radius, const Vec3& p, const Vec3& fallback) {
  const Vec3 offset = p - core;
  const double distance = offset.norm();
  const Vec3 normal = distance > on_surface ? Vec3(offset / distance) : fallback;
  return {distance - radius, normal, core + radius * normal};
}

struct Distance {
  const Vec3& p;
  double reach;

  std::optional<ColliderHit> operator()(const PlaneShape& s) const {
    const double gap = s.normal.dot(p);
    return ColliderHit{gap, s.normal, p - gap * s.normal};
  }

  std::optional<ColliderHit> operator()(const SphereShape& s) const {
    return around(Vec3::Zero(), s.radius, p, Vec3::UnitY());
  }

  std::optional<ColliderHit> operator()(const CapsuleShape& s) const {
    const Vec3 on_axis(0, std::clamp(p.y(), -s.half_length, s.half_length), 0);
    return around(on_axis, s.radius, p, Vec3::UnitX());
  }

  std::optional<ColliderHit> operator()(const BoxShape& s) const {
    const Vec3 nearest = p.cwiseMax(-s.half).cwiseMin(s.half);
    const Vec3 offset = p - nearest;
    const double distance = offset.norm();
    if (distance > on_surface) return ColliderHit{distance, offset / distance, nearest};
    int axis = 0;
    (s.half - p.cwiseAbs()).minCoeff(&axis);  // inside: out by the nearest face
    Vec3 normal = Vec3::Zero();
    normal[axis] = p[axis] < 0 ? -1 : 1;
    const double gap = std::abs(p[axis]) - s.half[axis];
    return ColliderHit{gap, normal, p - gap * normal};
  }

  std::optional<ColliderHit> operator()(const MeshShape& s) const {
    const SurfacePoint nearest = s.bvh->closest_point(*s.mesh, p, reach);
    if (nearest.triangle < 0) return std::nullopt;
    const Vec3 offset = p - nearest.point;
    const double distance = offset.norm();
    const Vec3 pseudonormal = s.pseudonormals->at(*s.mesh, nearest);
    const double sign = s.closed && offset.dot(pseudonormal) < 0 ? -1 : 1;
    Vec3 normal = pseudonormal;
    if (distance > on_surface) {
      const Vec3 direction = sign / distance * offset;
      if (!s.closed || direction.dot(pseudonormal) > cos_70_degrees) normal = direction;
    }
    return ColliderHit{normal.dot(offset), normal, nearest.point};
  }

  std::optional<ColliderHit> operator()(const HeightfieldShape& s) const {
    const Heightfield::Hit foot = s.field->below(p);
    const double above = p.y() - foot.point.y();
    const bool inside = above < 0;
    if (s.field->least_distance(above) > (1 + 1e-9) * reach) return std::nullopt;
    const auto nearest = s.field->closest(p, reach);
    if (!nearest) {
      if (!inside) return std::nullopt;
      // Deeper than asked for: the surface above will do to come out.
      return ColliderHit{foot.face.dot(p - foot.point), foot.face, foot.point};
    }
    const Vec3 offset = (inside ? -1 : 1) * (p - nearest->point);
    const double distance = offset.norm();
    const bool flat =
        distance <= on_surface || offset.dot(nearest->face) < cos_70_degrees * distance;
    const Vec3 normal = flat ? nearest->face : Vec3(offset / distance);
    return ColliderHit{normal.dot(p - nearest->point), normal, nearest->point};
  }
};

}  // namespace

std::optional<ColliderHit> shape_distance(const ColliderShape& shape, const Vec3& p, double reach) {
  return std::visit(Distance{p, reach}, shape);
}

ColliderHit in_world(const ColliderHit& hit, const Pose& pose) {
  return {hit.gap, pose.rotation * hit.normal, pose.apply(hit.point)};
}

std::optional<ColliderHit> collider_distance(const Collider& collider, const Pose& pose,
                                             const Vec3& p, double reach) {
  const auto hit = shape_distance(collider.shape, pose.apply_inverse(p), reach);
  if (!hit) return std::nullopt;
  return in_world(*hit, pose);
}

}  // namespace pliant
