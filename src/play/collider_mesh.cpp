#include "play/collider_mesh.h"

#include "geometry/mesh/primitives.h"

namespace pliant {
namespace {

struct Surface {
  TriangleMesh operator()(const PlaneShape&) const { return {}; }
  TriangleMesh operator()(const SphereShape& sphere) const {
    return sphere_mesh(sphere.radius, sphere.radius / 8);
  }
  TriangleMesh operator()(const BoxShape& box) const {
    return box_mesh(2 * box.half, 2 * box.half.maxCoeff());  // flat sides need no more triangles
  }
  TriangleMesh operator()(const CapsuleShape& capsule) const {
    return capsule_mesh(capsule.radius, 2 * capsule.half_length, capsule.radius / 4);
  }
  TriangleMesh operator()(const MeshShape& mesh) const { return *mesh.mesh; }
  TriangleMesh operator()(const HeightfieldShape& field) const { return field.field->surface(); }
};

}  // namespace

TriangleMesh surface_of(const ColliderShape& shape) { return std::visit(Surface{}, shape); }

}  // namespace pliant
