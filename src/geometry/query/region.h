#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/fields.h"
#include "geometry/mesh/triangle_mesh.h"

namespace pliant {

/// A part of a body, chosen in its rest placement in the world. At most one kind is set; none =
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
  struct InCylinder {
    Vec3 from = Vec3::Zero(), to = Vec3::UnitY();  // middles of its ends
    double radius = 1;                             // [m]
  };
  struct Nearest {
    Vec3 point = Vec3::Zero();
    int count = 1;
  };
  struct Face {
    Vec3 near = Vec3::Zero();
    double crease = 30;  // [degrees] between triangles: where the face ends
  };
  struct Facing {
    Vec3 direction = Vec3::UnitY();  // any length but zero
    double within = 10;              // [degrees]
  };
  /// Where the coordinates of a region are meant: the world's, or those of a model file.
  struct Frame {
    Pose pose;          // of that frame in the world
    double length = 1;  // [m] of its unit
    Vec3 to_world(const Vec3& p) const { return pose.apply(length * p); }
    Vec3 from_world(const Vec3& p) const { return pose.apply_inverse(p) / length; }
  };
  static constexpr double default_depth = 0.02;

  std::optional<std::string> side;  // of the body's box: one of region_sides()
  std::optional<double> depth;      // of `side`, as a share of the box's extent
  std::optional<InBox> box;
  std::optional<InSphere> sphere;
  std::optional<HalfSpace> half_space;
  std::optional<InCylinder> cylinder;
  std::optional<Nearest> nearest;
  std::optional<Face> face;
  std::optional<Facing> normal;
  std::optional<std::string> group;  // an OBJ group's name
  int in = 0;                        // index of region_frames

  bool is_everything() const {
    return !side && !box && !sphere && !half_space && !cylinder && !nearest && !face && !normal &&
           !group;
  }
  /// Chosen by triangles, not by where a point is.
  bool is_of_surface() const { return face || normal || group; }

  /// What the description cannot say: the body's box in the world and the frame of its file. To be
  /// called before a region with `side` or of another frame is used.
  void settle(const Box& body, const Frame& file);

  /// For all but `nearest` and those of the surface.
  bool contains(const Vec3& point) const;
  /// [m] to what it contains; 0 for those that do not choose by place.
  double distance(const Vec3& point) const;
  const Frame& frame() const { return frame_; }

 private:
  Frame frame_;                      // of the coordinates above
  std::optional<HalfSpace> beyond_;  // what `side` is, in the world
};

inline constexpr const char* region_frames[] = {"world", "file"};
/// top, bottom, left, ...
const std::vector<std::string>& region_sides();

void describe(Fields& fields, Region& region);

/// Indices of the chosen points, rising. `groups` are the named triangle sets over the same points,
/// for `group`.
std::vector<int> select(const Region& region, const std::vector<Vec3>& points,
                        const std::vector<Triangle>& triangles,
                        const std::vector<TriangleMesh::Group>& groups);

/// Triangles of a region of the surface, rising. Throws InputError (no file) for unknown groups.
std::vector<int> triangles_of(const Region& region, const std::vector<Vec3>& points,
                              const std::vector<Triangle>& triangles,
                              const std::vector<TriangleMesh::Group>& groups);

}  // namespace pliant
