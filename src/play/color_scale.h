#pragma once

#include <optional>

#include "picture/legend.h"
#include "play/recording.h"

namespace pliant {

/// What the colors of the recorded field mean, one range for all bodies and frames: `wish`, or what
/// the field has in nearly all places and frames. Nothing when no body has it. Looks through the
/// whole recording.
std::optional<Legend> legend_of(RecordingReader& recording, const std::optional<Vec2>& wish = {});

}  // namespace pliant
