#pragma once

#include <functional>

#include "scene/build.h"
#include "scene/build_log.h"

namespace pliant {

/// Which bodies start inside each other or inside colliders, deeper than a hundredth of the smaller
/// one's size. Contact cannot tell which way out is the right one, so it is settled before the
/// start, as the scene's "overlap" says: refused, moved apart as whole bodies, or left to contact
/// with a warning. `shift_body(body, shift)` makes a body anew, moved by a shift [m].
void settle_overlaps(BuiltScene& built, BuildLog& log,
                     const std::function<void(int, const Vec3&)>& shift_body);

/// Whether pins, handles or attachments decide where a body is.
bool is_held(const SceneDescription& scene, int body);

}  // namespace pliant
