#include "contact/colliders/collider.h"

#include <algorithm>

#include "core/assert.h"
#include "geometry/mesh/clean.h"
#include "geometry/mesh/topology.h"
#include "geometry/query/bvh.h"
#include "geometry/query/pseudonormal.h"

namespace pliant {
namespace {

double box_distance(const Vec3& p, const Vec3& low, const Vec3& high) {
  return (low - p).cwiseMax(p - high).cwiseMax(0).norm();
}

}  // namespace

Pose Collider::at(double time) const {
  if (!motion.moves()) return placement;
  const Pose moved = motion.at(time);
  return {moved.rotation * placement.rotation, moved.apply(placement.position)};
}

void Collider::follow(double from, double to, std::vector<Pose>& poses) const {
  constexpr int samples = 5;
  poses.resize(motion.moves() ? samples : 1);
  for (int k = 0; k < int(poses.size()); ++k)
    poses[k] = at(from + (to - from) * k / (samples - 1.0));
}

MeshShape mesh_shape(TriangleMesh given) {
  TriangleMesh mesh = clean(given).mesh;
  ASSERT(!mesh.triangles.empty(), "a mesh collider needs a triangle");
  MeshShape shape;
  shape.closed = is_closed(mesh) && is_oriented(mesh);
  if (shape.closed) face_outwards(mesh);
  shape.bounds = bounds(mesh.points);
  shape.mesh = std::make_shared<const TriangleMesh>(std::move(mesh));
  shape.bvh = std::make_shared<const Bvh>(*shape.mesh);
  shape.pseudonormals = std::make_shared<const Pseudonormals>(*shape.mesh);
  return shape;
}

double distance_bound(const ColliderShape& shape, const Vec3& p) {
  struct {
    const Vec3& p;
    double operator()(const PlaneShape& s) const { return s.normal.dot(p); }
    double operator()(const SphereShape& s) const { return p.norm() - s.radius; }
    double operator()(const BoxShape& s) const { return box_distance(p, -s.half, s.half); }
    double operator()(const CapsuleShape& s) const {
      const Vec3 on_axis(0, std::clamp(p.y(), -s.half_length, s.half_length), 0);
      return (p - on_axis).norm() - s.radius;
    }
    double operator()(const MeshShape& s) const {
      return box_distance(p, s.bounds.low, s.bounds.high);
    }
    double operator()(const HeightfieldShape& s) const {
      const double over_all = p.y() - s.field->highest();
      if (over_all > 0) return over_all;
      return s.field->least_distance(p.y() - s.field->below(p).point.y());
    }
  } bound{p};
  return std::visit(bound, shape);
}

}  // namespace pliant
