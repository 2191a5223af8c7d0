#pragma once

#include <span>
#include <vector>

#include "picture/camera.h"
#include "play/recording.h"
#include "scene/build.h"

namespace pliant {

/// A collider that is seen.
struct Obstacle {
  const Collider* collider;
  TriangleMesh surface;                 // its own coordinates
  std::vector<Eigen::Vector3f> points;  // where they are now

  void move_to(double time);  // sets `points`
};

/// Where the camera is in each frame.
struct CameraPath {
  Camera start;
  std::vector<Vec3> shift;  // of each frame; empty: it stands still

  Camera at(int frame) const;
};

/// As the scene wishes; what it leaves open is chosen so that everything is seen during the whole
/// recording, but for the start of a fall where bodies would be small otherwise (view_choice.h).
/// Where bodies would become dots by that, the camera goes with them if they stay together, and
/// otherwise stays with those that stay. `legend`: see Framing.
CameraPath camera_path(const BuiltScene& scene, RecordingReader& recording,
                       std::span<Obstacle> obstacles, double legend);

}  // namespace pliant
