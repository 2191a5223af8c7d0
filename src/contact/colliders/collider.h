#pragma once

#include <memory>
#include <string>
#include <variant>

#include "contact/colliders/heightfield.h"
#include "core/ids.h"
#include "geometry/mesh/triangle_mesh.h"
#include "math/motion.h"

namespace pliant {

class Bvh;
class Pseudonormals;

/// Everything behind the plane through the origin is solid.
struct PlaneShape {
  Vec3 normal = Vec3::UnitY();  // unit length
};
struct SphereShape {
  double radius = 0.5;  // [m]
};
struct BoxShape {
  Vec3 half = Vec3::Constant(0.5);  // [m] half extents
};
/// Around a segment on the local y axis, from -half_length to +half_length.
struct CapsuleShape {
  double radius = 0.25;       // [m]
  double half_length = 0.25;  // [m]
};
/// Closed surfaces push outwards; open ones keep each vertex on the side where it was.
/// Made by mesh_shape().
struct MeshShape {
  std::shared_ptr<const TriangleMesh> mesh;
  std::shared_ptr<const Bvh> bvh;
  std::shared_ptr<const Pseudonormals> pseudonormals;
  Box bounds;
  bool closed = false;
};
/// Everything below the heights is solid.
struct HeightfieldShape {
  std::shared_ptr<const Heightfield> field;
};
using ColliderShape =
    std::variant<PlaneShape, SphereShape, BoxShape, CapsuleShape, MeshShape, HeightfieldShape>;

struct Collider;
using ColliderId = Id<Collider>;

/// A solid that touches but is not touched: it stands still, follows keyframes, or turns.
struct Collider {
  std::string name;
  ColliderShape shape;
  Pose placement;  // of the shape, while the motion is at rest
  Motion motion;
  double friction = 0.5;
  Vec3 color = {0.55, 0.57, 0.60};
  bool visible = true;  // in pictures
  bool cuts = false;    // a blade: parts bodies that can be cut, and touches others only
  ColliderId id;        // given by the world

  Pose at(double time) const;  // local coordinates to world
  /// Where it is from one time to another, the ends included: one pose if it stands still.
  void follow(double from, double to, std::vector<Pose>& poses) const;
};

/// Cleans the mesh first, so that triangle soups (STL) can be closed; a closed surface that faces
/// inwards is turned. A mesh with a hole, or whose triangles disagree about outside, counts as
/// open. It must have a triangle with an area.
MeshShape mesh_shape(TriangleMesh mesh);

/// A distance that `p` (local coordinates) certainly has from the surface when it is positive;
/// cheap. [m]
double distance_bound(const ColliderShape& shape, const Vec3& p);

}  // namespace pliant
