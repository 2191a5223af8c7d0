#pragma once

#include "geometry/nurbs/patch.h"

namespace pliant {

/// Flat faces with trims, as CAD has them. (u, v) are lengths along two directions [m].
struct Plane {
  Vec3 origin = Vec3::Zero();                             // [m]
  Vec3 along_u = Vec3::UnitX(), along_v = Vec3::UnitY();  // outside is along_u x along_v
};

/// A rectangle with a round hole.
struct Drilled {
  Vec2 low = Vec2::Zero(), high = Vec2::Zero();  // [m]
  Vec2 centre = Vec2::Zero();
  double radius = 0;
};

/// What lies within a polygon: anticlockwise, and every corner is seen from the first one.
NurbsPatch flat_polygon(const std::string& name, const Plane& plane,
                        const std::vector<Vec2>& corners);

/// Rectangles side by side with a hole each, as one face. Those that touch share a whole side.
NurbsPatch flat_plate(const std::string& name, const Plane& plane,
                      const std::vector<Drilled>& cells);

}  // namespace pliant
