#include "play/film_length.h"

#include <algorithm>
#include <cmath>

namespace pliant {
namespace {

/// Whether everything seen in this frame is where it is in the last one, as far as a film shows.
bool is_at_rest(const BuiltScene& scene, const std::vector<RecordedBody>& bodies, double time,
                const std::vector<RecordedBody>& last, double end) {
  constexpr double hardly = 0.004;  // of a body's size: two or three pixels
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    if (bodies[b].points.size() != last[b].points.size()) return false;
    Box box;
    for (const Eigen::Vector3f& p : last[b].points) box.add(p.cast<double>());
    const double most = hardly * box.extent().maxCoeff();
    for (std::size_t v = 0; v < last[b].points.size(); ++v)
      if (!((bodies[b].points[v] - last[b].points[v]).norm() <= most)) return false;
  }
  return std::all_of(
      scene.world.colliders.begin(), scene.world.colliders.end(), [&](const Collider& collider) {
        const Pose then = collider.at(time), now = collider.at(end);
        return then.position == now.position && then.rotation.coeffs() == now.rotation.coeffs();
      });
}

}  // namespace

int shown_every(const SceneDescription& scene) {
  const double played = scene.fps / scene.outputs.slow_motion;
  const int every = std::max(1, int(std::lround(std::min(played / scene.outputs.film_fps, 1e9))));
  if (!scene.statics) return every;
  return std::min(every, std::max(1, scene.frames.value_or(default_frames)));  // the end is shown
}

double shown_fps(const SceneDescription& scene) {
  return scene.fps / scene.outputs.slow_motion / shown_every(scene);
}

int shown_frames(const RecordingReader& recording, int step) {
  return (recording.frames() - 1) / step + 1;
}

int film_length(const BuiltScene& scene, RecordingReader& recording) {
  const int step = shown_every(scene.resolved);
  const int frames = shown_frames(recording, step);
  if (!scene.resolved.outputs.trim || frames < 2) return frames;
  const std::vector<RecordedBody> last = recording.frame((frames - 1) * step);
  const double end = recording.time();
  int first = frames - 1;  // from which on nothing moves
  while (first > 0) {
    const std::vector<RecordedBody>& bodies = recording.frame((first - 1) * step);
    if (!is_at_rest(scene, bodies, recording.time(), last, end)) break;
    --first;
  }
  if (first == 0) return frames;  // all of it is still: that is what it shows
  return std::min(frames, first + int(std::ceil(shown_fps(scene.resolved))) + 1);
}

}  // namespace pliant
