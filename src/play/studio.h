#pragma once

#include <optional>
#include <string>
#include <vector>

#include "picture/legend.h"
#include "picture/render.h"
#include "play/body_paint.h"
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

  /// A frame of the film, or `still`: to be looked at for longer, every pixel from rays of its own.
  Image picture(RecordingReader& recording, int frame, bool still = false);
  /// About images of models that cannot be shown, met since the last call.
  std::vector<std::string> take_warnings();

  const CameraPath& cameras() const { return cameras_; }
  /// Of the field bodies are colored by; nothing when they have colors of their own.
  const std::optional<Legend>& legend() const { return legend_; }

 private:
  void add_bodies(const std::vector<RecordedBody>& bodies, Shot& shot);
  void add_obstacles(double time, Shot& shot);

  const BuiltScene& scene_;
  std::string name_;
  std::vector<Obstacle> obstacles_;
  CameraPath cameras_;
  std::optional<Legend> legend_;
  std::vector<BodyPaint> paints_;  // per body
  Renderer renderer_;
  std::vector<std::vector<Triangle>> parts_;  // workspace: of bodies with two colors
};

}  // namespace pliant
