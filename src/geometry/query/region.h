#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/fields.h"
#include "geometry/mesh/triangle_mesh.h"

namespace pliant {

/// A part of a body, chosen in its rest placement in the world. Exactly one member is set; none =
/// everything.
struct Region {
  struct InBox {
    Vec3 low = Vec3::Constant(-1), high = Vec3::Constant(1);  // [m]
  };
  struct InSphere {
    Vec3 centre = Vec3::Zero();
    double radius = 1;  // [m]
  };
  struct HalfSpace {
    Vec3 point = Vec3::Zero();
    Vec3 normal = Vec3::UnitY();  // any length but zero; the side it points to is chosen
  };
  struct Nearest {
    Vec3 point = Vec3::Zero();
    int count = 1;
  };
  std::optional<InBox> box;
  std::optional<InSphere> sphere;
  std::optional<HalfSpace> half_space;
  std::optional<Nearest> nearest;
  std::optional<std::string> group;  // an OBJ group's name

  bool is_everything() const { return !box && !sphere && !half_space && !nearest && !group; }

  /// For box, sphere and half-space.
  bool contains(const Vec3& point) const;
};

void describe(Fields& fields, Region& region);

/// Indices of the chosen points, rising. `groups` are the named triangle sets over the same points,
/// for `group`.
std::vector<int> select(const Region& region, const std::vector<Vec3>& points,
                        const std::vector<Triangle>& triangles,
                        const std::vector<TriangleMesh::Group>& groups);

}  // namespace pliant
