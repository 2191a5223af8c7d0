#pragma once

#include <initializer_list>
#include <span>
#include <vector>

#include "play/camera_path.h"

namespace pliant {

/// From which side the camera looks.
struct ViewChoice {
  Framing framing;
  int opening = 0;  // in so many frames at the start middles of bodies are enough to be seen
};

/// From the usual side when the bodies that count fill a sixth of the picture for most of the time
/// and hardly anything stands before them; else from the one that shows most of them.
ViewChoice choose_view(const Framing& usual, double aspect, RecordingReader& recording,
                       const std::vector<bool>& counts, std::span<Obstacle> obstacles);

/// Colliders belong into the picture as far as they are near what moves: a hall is not framed for a
/// ball in it.
void add_near(const Box& bodies, std::span<const Obstacle> obstacles,
              std::initializer_list<double> times, CameraFit& fit);

}  // namespace pliant
