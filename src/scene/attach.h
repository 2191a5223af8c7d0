#pragma once

#include <string>

#include "body/body.h"
#include "math/motion.h"
#include "scene/build_log.h"
#include "scene/description.h"

namespace pliant {

/// Pins, handles and loads of a body at rest. Regions choose nodes by where they are; a group
/// chooses the nodes that carry its vertices. A region without nodes takes those that carry the
/// skin inside it; choosing nothing at all is a problem. Writes pivots it chose into `description`.
void attach(BodyDescription& description, const std::string& where, Body& body, BuildLog& log);

/// Degrees to radians, axes to unit length. The pivot is the description's or `middle`.
/// The problem of a region that holds none of the points, with how far the nearest is.
void report_empty(const Region& region, const std::vector<Vec3>& points, const char* what,
                  const std::string& where, BuildLog& log);

Motion motion_of(const MotionDescription& description, const Vec3& middle);

/// Velocity and spin about the centre of mass.
void set_in_motion(const BodyDescription& description, Body& body);

/// The skin's vertex closest to the point at rest.
int nearest_vertex(const Skin& skin, const Vec3& point);

}  // namespace pliant
