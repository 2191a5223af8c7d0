#pragma once

#include <functional>

#include "scene/build.h"
#include "scene/build_log.h"

namespace pliant {

/// Contact keeps a small distance between surfaces (Body::thickness). A plank placed exactly on the
/// floor is nearer than that, and contact would throw it up within a substep. So bodies that start
/// too near to colliders, or to bodies before them, are moved away by what is missing, if nothing
/// holds them. `shift_body(body, shift)` makes a body anew, moved by a shift [m].
void keep_clearance(BuiltScene& built, BuildLog& log,
                    const std::function<void(int, const Vec3&)>& shift_body);

}  // namespace pliant
