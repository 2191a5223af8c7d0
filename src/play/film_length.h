#pragma once

#include "play/recording.h"
#include "scene/build.h"

namespace pliant {

/// Films and animations show no more than `film_fps` frames a second: every how many frames of the
/// run one is shown.
int shown_every(const SceneDescription& scene);
/// Frames a second that are then shown.
double shown_fps(const SceneDescription& scene);
/// How many of a recording are shown when every `step`th is.
int shown_frames(const RecordingReader& recording, int step);

/// How many of the shown frames a film has. It ends a second after all has come to rest, unless the
/// scene wants it whole (`trim`) or nothing moves at all.
int film_length(const BuiltScene& scene, RecordingReader& recording);

}  // namespace pliant
