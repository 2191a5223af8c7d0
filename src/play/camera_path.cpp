#include "play/camera_path.h"

#include <algorithm>

#include "play/view_choice.h"

namespace pliant {
namespace {

/// Smaller than this share of what all of the way takes, the bodies of the start are dots.
constexpr double dot = 1.0 / 12;

struct Travel {
  Box whole;                 // of all frames
  double at_start = 0;       // [m] extent of all bodies in the first frame
  double together = 0;       // [m] the same in the frame in which they are farthest apart
  std::vector<Vec3> middle;  // of each frame: mean of all points, which moves smoothly
  std::vector<double> away;  // [m] of each body: farthest from where all started

  bool makes_dots() const { return at_start < dot * whole.extent().maxCoeff(); }
  bool stays_together() const { return together < 0.25 * whole.extent().maxCoeff(); }
};

Travel survey(RecordingReader& recording) {
  Travel travel;
  Vec3 origin = Vec3::Zero();
  for (int frame = 0; frame < recording.frames(); ++frame) {
    const std::vector<RecordedBody>& bodies = recording.frame(frame);
    travel.away.resize(bodies.size());
    Box now;
    Vec3 sum = Vec3::Zero();
    std::size_t count = 0;
    for (std::size_t b = 0; b < bodies.size(); ++b) {
      Box box;
      for (const Eigen::Vector3f& point : bodies[b].points) {
        box.add(point.cast<double>());
        sum += point.cast<double>();
      }
      count += bodies[b].points.size();
      now.add(box);
      if (frame > 0 && !box.empty())
        travel.away[b] = std::max(travel.away[b], (box.centre() - origin).norm());
    }
    const double extent = now.extent().maxCoeff();
    if (frame == 0) {
      travel.at_start = extent;
      origin = now.empty() ? origin : now.centre();
    }
    travel.whole.add(now);
    travel.together = std::max(travel.together, extent);
    travel.middle.push_back(count > 0 ? Vec3(sum / double(count)) : origin);
  }
  return travel;
}

/// Which bodies the camera has to see all the time: all, unless some leave the others behind.
std::vector<bool> subjects(const Travel& travel, bool follows) {
  std::vector<bool> stays(travel.away.size(), true);
  if (follows || !travel.makes_dots()) return stays;
  for (std::size_t b = 0; b < stays.size(); ++b) stays[b] = travel.away[b] < travel.at_start / dot;
  const bool any = std::find(stays.begin(), stays.end(), true) != stays.end();
  return any ? stays : std::vector<bool>(stays.size(), true);
}

// What is seen are the points themselves: a box around them would leave much air.
void add(const RecordedBody& body, const Vec3& shift, bool middle_only, Box& bodies,
         CameraFit& fit) {
  Box box;
  for (const Eigen::Vector3f& point : body.points) {
    const Vec3 p = point.cast<double>() - shift;
    box.add(p);
    if (!middle_only) fit.add(p);
  }
  if (middle_only && !box.empty()) {
    fit.add(box.centre());
    box = {box.centre(), box.centre()};
  }
  bodies.add(box);
}

}  // namespace

void Obstacle::move_to(double time) {
  const Pose pose = collider->at(time);
  points.clear();
  for (const Vec3& p : surface.points) points.push_back(pose.apply(p).cast<float>());
}

Camera CameraPath::at(int frame) const {
  Camera camera = start;
  if (shift.empty()) return camera;
  camera.eye += shift[std::size_t(frame)];
  camera.target += shift[std::size_t(frame)];
  return camera;
}

CameraPath camera_path(const BuiltScene& scene, RecordingReader& recording,
                       std::span<Obstacle> obstacles, double legend) {
  const OutputsDescription& outputs = scene.resolved.outputs;
  const CameraDescription& wish = scene.resolved.camera;
  const Travel travel = survey(recording);
  const bool is_free = !wish.eye && !wish.target;
  const bool follows = wish.follow == CameraDescription::always ||
                       (wish.follow == CameraDescription::automatic && is_free &&
                        travel.makes_dots() && travel.stays_together());
  CameraPath path;
  if (follows)
    for (const Vec3& middle : travel.middle) path.shift.push_back(middle - travel.middle.front());

  Framing framing;
  framing.fov = wish.fov;
  framing.legend = legend;
  const double aspect = double(outputs.width) / outputs.height;
  const std::vector<bool> counts = subjects(travel, follows);
  const ViewChoice view = is_free && !follows && recording.frames() > 0
                              ? choose_view(framing, aspect, recording, counts, obstacles)
                              : ViewChoice{.framing = framing};
  CameraFit fit(aspect, view.framing);
  Box bodies;
  for (int frame = 0; frame < recording.frames(); ++frame) {
    const std::vector<RecordedBody>& recorded = recording.frame(frame);
    const Vec3 shift = follows ? path.shift[std::size_t(frame)] : Vec3(Vec3::Zero());
    for (std::size_t b = 0; b < recorded.size(); ++b)
      if (counts[b] || frame == 0) add(recorded[b], shift, frame < view.opening, bodies, fit);
  }
  if (!follows) add_near(bodies, obstacles, {0.0, recording.time()}, fit);
  path.start = fit.camera();
  if (wish.eye) path.start.eye = *wish.eye;
  if (wish.target) path.start.target = *wish.target;
  return path;
}

}  // namespace pliant
