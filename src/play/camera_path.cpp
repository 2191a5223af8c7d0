#include "play/camera_path.h"

#include <algorithm>
#include <initializer_list>
#include <limits>
#include <memory>

#include "picture/ray_scene.h"

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

void add_near(const Box& bodies, std::span<const Obstacle> obstacles,
              std::initializer_list<double> times, CameraFit& fit) {
  Box near = bodies;
  near.grow(0.5 * bodies.extent().maxCoeff());
  for (const Obstacle& obstacle : obstacles)
    for (const double time : times) {
      const Pose pose = obstacle.collider->at(time);
      for (const Vec3& p : obstacle.surface.points)
        fit.add(pose.apply(p).cwiseMax(near.low).cwiseMin(near.high));
    }
}

/// Some points of the bodies in one frame, and the colliders that may stand before them.
struct Glimpse {
  double time = 0;
  std::vector<Vec3> points;
  RayScene obstacles;
};

/// A dozen frames with a few hundred points each: enough to tell whether something is hidden.
std::vector<std::unique_ptr<Glimpse>> glimpses(RecordingReader& recording,
                                               const std::vector<bool>& counts,
                                               std::span<Obstacle> obstacles) {
  constexpr int frames = 12;
  constexpr std::size_t points = 400;
  std::vector<std::unique_ptr<Glimpse>> result;
  for (int i = 0; i < std::min(frames, recording.frames()); ++i) {
    auto glimpse = std::make_unique<Glimpse>();
    const int frame = int(std::int64_t(i) * (recording.frames() - 1) / std::max(1, frames - 1));
    const std::vector<RecordedBody>& bodies = recording.frame(frame);
    glimpse->time = recording.time();
    std::size_t all = 0;
    for (const RecordedBody& body : bodies) all += body.points.size();
    const std::size_t stride = all / points + 1;
    for (std::size_t b = 0; b < bodies.size(); ++b)
      for (std::size_t v = 0; counts[b] && v < bodies[b].points.size(); v += stride)
        glimpse->points.push_back(bodies[b].points[v].cast<double>());
    for (Obstacle& obstacle : obstacles) {
      obstacle.move_to(glimpse->time);
      glimpse->obstacles.add(obstacle.points, obstacle.surface.triangles);
    }
    glimpse->obstacles.build();
    result.push_back(std::move(glimpse));
  }
  return result;
}

/// Share of the points with a collider between them and the eye. Points that touch one count as
/// seen from its free side.
double hidden_share(const std::vector<std::unique_ptr<Glimpse>>& seen, const Vec3& eye) {
  std::size_t hidden = 0, all = 0;
  for (const auto& glimpse : seen) {
    std::vector<Ray> rays;
    for (const Vec3& p : glimpse->points)
      rays.push_back({.origin = eye.cast<float>(), .direction = (p - eye).cast<float>()});
    std::vector<RayHit> hits(rays.size());
    glimpse->obstacles.find_hits(rays, hits, true);
    for (const RayHit& hit : hits) hidden += hit.distance < 0.97f;
    all += hits.size();
  }
  return all > 0 ? double(hidden) / double(all) : 0;
}

/// Looks from another side where a collider would stand before the bodies: from the nearest one
/// that shows nearly all of them, else from the one that shows most.
void turn_to_see(Framing& framing, double aspect, RecordingReader& recording,
                 const std::vector<bool>& counts, std::span<Obstacle> obstacles) {
  constexpr double hardly = 0.05;  // of the bodies: the rim of a bowl, the post of a gate
  if (obstacles.empty()) return;
  const std::vector<std::unique_ptr<Glimpse>> seen = glimpses(recording, counts, obstacles);
  const Framing usual = framing;
  double least = std::numeric_limits<double>::infinity();
  for (const double higher : {0.0, 20.0, 45.0})
    for (const double turn : {0.0, 30.0, -30.0, 65.0, -65.0, 100.0, -100.0, 140.0, -140.0, 180.0}) {
      Framing now = usual;
      now.azimuth += turn;
      now.elevation += higher;
      CameraFit fit(aspect, now);
      Box bodies;
      for (const auto& glimpse : seen)
        for (const Vec3& p : glimpse->points) {
          bodies.add(p);
          fit.add(p);
        }
      add_near(bodies, obstacles, {seen.front()->time, seen.back()->time}, fit);
      const double share = hidden_share(seen, fit.camera().eye);
      if (share < least) {
        least = share;
        framing = now;
      }
      if (share <= hardly) return;
    }
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
  if (is_free && !follows) turn_to_see(framing, aspect, recording, counts, obstacles);
  CameraFit fit(aspect, framing);
  Box bodies;
  // What is seen are the points themselves: a box around them would leave much air.
  for (int frame = 0; frame < recording.frames(); ++frame) {
    const std::vector<RecordedBody>& recorded = recording.frame(frame);
    for (std::size_t b = 0; b < recorded.size(); ++b) {
      if (!counts[b] && frame > 0) continue;
      for (const Eigen::Vector3f& point : recorded[b].points) {
        Vec3 p = point.cast<double>();
        if (follows) p -= path.shift[std::size_t(frame)];
        bodies.add(p);
        fit.add(p);
      }
    }
  }
  // Colliders belong into the picture as far as they are near what moves: a hall is not framed for
  // a ball in it.
  if (!follows) add_near(bodies, obstacles, {0.0, recording.time()}, fit);
  path.start = fit.camera();
  if (wish.eye) path.start.eye = *wish.eye;
  if (wish.target) path.start.target = *wish.target;
  return path;
}

}  // namespace pliant
