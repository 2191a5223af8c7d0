#pragma once

#include <string>
#include <vector>

#include "picture/legend.h"
#include "picture/render.h"
#include "play/camera_path.h"
#include "play/recording.h"
#include "scene/build.h"

namespace pliant {

/// Turns recorded frames into pictures: one camera and one color range
/// for the whole recording.
class Studio {
 public:
  /// Looks through the whole recording.
  Studio(const BuiltScene& scene, RecordingReader& recording, std::string name);

  Image picture(RecordingReader& recording, int frame);

  const CameraPath& cameras() const { return cameras_; }
  const Legend& legend() const { return legend_; }  // of the field bodies are colored by

 private:
  void find_range(RecordingReader& recording);
  void add_bodies(const std::vector<RecordedBody>& bodies, Shot& shot);
  void add_obstacles(double time, Shot& shot);

  const BuiltScene& scene_;
  std::string name_;
  std::vector<Obstacle> obstacles_;
  CameraPath cameras_;
  bool colored_ = false;  // by a field
  Legend legend_;
  Renderer renderer_;
  std::vector<std::vector<Triangle>> parts_;  // workspace: of bodies with two colors
};

}  // namespace pliant
