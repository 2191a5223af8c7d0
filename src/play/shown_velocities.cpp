#include "play/shown_velocities.h"

#include <utility>

namespace pliant {

void ShownVelocities::look(int frame, Places& places) {
  if (places.frame == frame) return;
  places.frame = frame;
  if (frame < 0 || frame >= int(frames_.size())) {
    places.topology = -1;
    return;
  }
  const RecordedBody& body = recording_.frame(frames_[std::size_t(frame)])[body_];
  shown_.show(body, false);
  places.topology = body.topology;
  places.time = recording_.time();
  places.points = shown_.points();
}

const std::vector<Eigen::Vector3f>& ShownVelocities::at(int frame) {
  if (here_.frame == frame - 1) std::swap(before_, here_);
  if (after_.frame == frame) std::swap(here_, after_);
  look(frame - 1, before_);
  look(frame, here_);
  look(frame + 1, after_);
  const Places& from = before_.topology == here_.topology ? before_ : here_;
  const Places& to = after_.topology == here_.topology ? after_ : here_;
  velocity_.assign(here_.points.size(), Eigen::Vector3f::Zero());
  const double time = to.time - from.time;
  if (time <= 0) return velocity_;
  for (std::size_t p = 0; p < velocity_.size(); ++p)
    velocity_[p] = (to.points[p] - from.points[p]) / float(time);
  return velocity_;
}

}  // namespace pliant
