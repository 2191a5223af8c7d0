#include "play/view_choice.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numbers>

#include "picture/ray_scene.h"

namespace pliant {
namespace {

constexpr double hardly = 0.05;  // of the bodies hidden: the rim of a bowl, the post of a gate
constexpr double enough = 0.2;   // of the picture: a sixth, and what a coarse look may be off by
constexpr double worth = 1.15;   // so much more of it is worth another side than the usual one
constexpr double opening = 1.0 / 6;  // of the frames

/// Some points of the bodies in one frame, and what rays from the eye meet there.
struct Glimpse {
  double time = 0;
  bool opens = false;  // belongs to the opening
  std::vector<Vec3> points, middles;
  RayScene bodies, obstacles;
};
using Glimpses = std::vector<std::unique_ptr<Glimpse>>;

void add_bodies(const std::vector<RecordedBody>& bodies, const std::vector<bool>& counts,
                Glimpse& glimpse) {
  constexpr std::size_t points = 400;
  std::size_t all = 0;
  for (const RecordedBody& body : bodies) all += body.points.size();
  const std::size_t stride = all / points + 1;
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    if (!counts[b]) continue;
    Box box;
    for (std::size_t v = 0; v < bodies[b].points.size(); ++v) {
      const Vec3 p = bodies[b].points[v].cast<double>();
      box.add(p);
      if (v % stride == 0) glimpse.points.push_back(p);
    }
    if (!box.empty()) glimpse.middles.push_back(box.centre());
    glimpse.bodies.add(bodies[b].points, bodies[b].triangles);
  }
  glimpse.bodies.build();
}

/// A dozen frames, fewer of large meshes: enough to tell what is seen and what is hidden.
Glimpses glimpses(RecordingReader& recording, const std::vector<bool>& counts,
                  std::span<Obstacle> obstacles) {
  constexpr std::size_t large = 50'000;  // triangles: their trees take longer than all the rays
  std::size_t triangles = 0;
  for (const RecordedBody& body : recording.frame(0)) triangles += body.triangles.size();
  const int frames = std::min(triangles > large ? 5 : 12, recording.frames());
  Glimpses result;
  for (int i = 0; i < frames; ++i) {
    auto glimpse = std::make_unique<Glimpse>();
    const int frame = int(std::int64_t(i) * (recording.frames() - 1) / std::max(1, frames - 1));
    const std::vector<RecordedBody>& bodies = recording.frame(frame);
    glimpse->time = recording.time();
    glimpse->opens = frame < int(opening * recording.frames());
    add_bodies(bodies, counts, *glimpse);
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
double hidden_share(const Glimpses& seen, const Vec3& eye) {
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

/// Rays through a coarse picture.
std::vector<Ray> rays_of(const Camera& camera, double aspect) {
  constexpr int columns = 64, rows = 36;
  const Mat3 axes = view_axes(camera);
  const double tangent = std::tan(camera.fov * std::numbers::pi / 360);
  std::vector<Ray> rays;
  for (int y = 0; y < rows; ++y)
    for (int x = 0; x < columns; ++x) {
      const double u = (2 * x + 1.0) / columns - 1, v = (2 * y + 1.0) / rows - 1;
      const Vec3 direction = axes * Vec3(u * tangent * aspect, v * tangent, 1);
      rays.push_back({.origin = camera.eye.cast<float>(), .direction = direction.cast<float>()});
    }
  return rays;
}

/// Of the picture, by bodies: what it is for most of the time.
double filled_share(const Glimpses& seen, const Camera& camera, double aspect) {
  const std::vector<Ray> rays = rays_of(camera, aspect);
  std::vector<RayHit> bodies(rays.size()), obstacles(rays.size());
  std::vector<double> shares;
  for (const auto& glimpse : seen) {
    glimpse->bodies.find_hits(rays, bodies, true);
    glimpse->obstacles.find_hits(rays, obstacles, true);
    std::size_t filled = 0;
    for (std::size_t r = 0; r < rays.size(); ++r)
      filled += bodies[r].mesh >= 0 && bodies[r].distance <= obstacles[r].distance;
    shares.push_back(double(filled) / double(rays.size()));
  }
  std::sort(shares.begin(), shares.end());
  return shares[shares.size() / 2];
}

Camera fitted(const Framing& framing, double aspect, const Glimpses& seen, bool opens,
              std::span<const Obstacle> obstacles) {
  CameraFit fit(aspect, framing);
  Box bodies;
  for (const auto& glimpse : seen)
    for (const Vec3& p : opens && glimpse->opens ? glimpse->middles : glimpse->points) {
      bodies.add(p);
      fit.add(p);
    }
  add_near(bodies, obstacles, {seen.front()->time, seen.back()->time}, fit);
  return fit.camera();
}

/// Looks from another side where a collider would stand before the bodies: from the nearest one
/// that shows nearly all of them, else from the one that shows most.
Framing turned_to_see(const Framing& usual, double aspect, const Glimpses& seen,
                      std::span<const Obstacle> obstacles) {
  if (obstacles.empty()) return usual;
  Framing best = usual;
  double least = std::numeric_limits<double>::infinity();
  for (const double higher : {0.0, 20.0, 45.0})
    for (const double turn : {0.0, 30.0, -30.0, 65.0, -65.0, 100.0, -100.0, 140.0, -140.0, 180.0}) {
      Framing now = usual;
      now.azimuth += turn;
      now.elevation += higher;
      const double share = hidden_share(seen, fitted(now, aspect, seen, false, obstacles).eye);
      if (share < least) {
        least = share;
        best = now;
      }
      if (share <= hardly) return best;
    }
  return best;
}

}  // namespace

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

// Thin, flat and long bodies are looked at from where they are broad, a little from above at most:
// from high up nothing would be seen to fall. When that is not enough, the camera goes so near that
// only middles of bodies are seen at the start, from where they fall.
ViewChoice choose_view(const Framing& usual, double aspect, RecordingReader& recording,
                       const std::vector<bool>& counts, std::span<Obstacle> obstacles) {
  const Glimpses seen = glimpses(recording, counts, obstacles);
  ViewChoice best{.framing = turned_to_see(usual, aspect, seen, obstacles)};
  const Framing clear = best.framing;
  double most = 0, usual_share = -1;
  for (const bool opens : {false, true})
    for (const double higher : {0.0, 10.0, 20.0, 30.0})
      for (const double turn : {0.0, 30.0, -30.0, 60.0, -60.0, 90.0, -90.0}) {
        ViewChoice now{.framing = clear, .opening = opens ? int(opening * recording.frames()) : 0};
        now.framing.azimuth += turn;
        now.framing.elevation += higher;
        const Camera camera = fitted(now.framing, aspect, seen, opens, obstacles);
        const double filled = filled_share(seen, camera, aspect);
        if (usual_share < 0) usual_share = filled;
        else if (filled < std::max(most, worth * usual_share) ||
                 hidden_share(seen, camera.eye) > hardly)
          continue;
        most = filled;
        best = now;
        if (filled >= enough) return best;
      }
  return best;
}

}  // namespace pliant
