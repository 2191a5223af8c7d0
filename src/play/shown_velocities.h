#pragma once

#include "play/shown_surface.h"

namespace pliant {

/// How fast the vertices shown of one body move, by the frames before and after: what motion blur
/// needs. Frames should be asked for in rising order.
class ShownVelocities {
 public:
  /// `frames`: of the recording, rising.
  ShownVelocities(RecordingReader& recording, std::span<const int> frames, int body, bool original)
      : recording_(recording), frames_(frames), body_(std::size_t(body)), shown_(original) {}

  /// [m/s] In one of the frames, by its place among them. Zero where triangles change before and
  /// after it.
  const std::vector<Eigen::Vector3f>& at(int frame);

 private:
  struct Places {
    int frame = -1;
    int topology = -1;
    double time = 0;
    std::vector<Eigen::Vector3f> points;
  };
  void look(int frame, Places& places);

  RecordingReader& recording_;
  std::span<const int> frames_;
  std::size_t body_;
  ShownSurface shown_;
  Places before_, here_, after_;
  std::vector<Eigen::Vector3f> velocity_;
};

}  // namespace pliant
