#include "scene/obstacles.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>

#include "scene/attach.h"
#include "scene/landscape.h"
#include "scene/solids.h"

namespace pliant {
namespace {

std::optional<ColliderShape> shape_of(ColliderDescription& description, const std::string& where,
                                      BuildLog& log) {
  if (description.plane) return PlaneShape{description.plane->normal.normalized()};
  if (description.sphere) return SphereShape{description.sphere->radius};
  if (description.box) return BoxShape{0.5 * description.box->size};
  if (description.capsule)
    return CapsuleShape{description.capsule->radius, 0.5 * description.capsule->length};
  if (description.heightfield) {
    std::optional<Heightfield> field =
        make_heightfield(*description.heightfield, where + "/heightfield", log);
    if (!field) return std::nullopt;
    return HeightfieldShape{std::make_shared<const Heightfield>(std::move(*field))};
  }
  std::optional<TriangleMesh> mesh =
      load_surface(description.mesh->file, description.scale, description.unit, description.up,
                   where + "/mesh/file", log);
  if (!mesh) return std::nullopt;
  return mesh_shape(std::move(*mesh));
}

/// Extent of a body along a direction.
std::pair<double, double> span_along(const Vec3& up, const Body& body) {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const Vec3& p : body.skin.rest) {
    low = std::min(low, up.dot(p));
    high = std::max(high, up.dot(p));
  }
  return {low, high};
}

}  // namespace

std::optional<Collider> make_collider(ColliderDescription& description, const std::string& where,
                                      BuildLog& log) {
  std::optional<ColliderShape> shape = shape_of(description, where, log);
  if (!shape) return std::nullopt;
  Collider collider;
  collider.name = *description.name;
  collider.shape = std::move(*shape);
  collider.placement = {rotation(description.rotate), description.place};
  if (description.plane)
    collider.placement.position = collider.placement.apply(description.plane->point);
  collider.friction = description.friction;
  if (!description.color) description.color = collider.color;
  collider.color = *description.color;
  collider.visible = description.visible;
  collider.cuts = description.cuts;
  collider.motion = motion_of(description.motion, collider.placement.position);
  description.motion.pivot = collider.motion.pivot;
  return collider;
}

ColliderDescription floor_below(std::span<const Body> bodies, const Vec3& gravity) {
  const Vec3 up = gravity.norm() > 0 ? Vec3(-gravity.normalized()) : Vec3(Vec3::UnitY());
  double lowest = std::numeric_limits<double>::infinity(), room = 0;
  for (const Body& body : bodies) {
    const auto [low, high] = span_along(up, body);
    lowest = std::min(lowest, low);
    room = std::max({room, 0.5 * (high - low), 0.125 * body.extent});
  }
  ColliderDescription floor;
  floor.name = "floor";
  floor.plane = PlaneDescription{up * (lowest - room), up};
  return floor;
}

}  // namespace pliant
