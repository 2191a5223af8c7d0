#include "play/studio.h"

#include "play/collider_mesh.h"
#include "play/color_scale.h"

namespace pliant {

Studio::Studio(const BuiltScene& scene, RecordingReader& recording, std::string name)
    : scene_(scene), name_(std::move(name)) {
  for (const Collider& collider : scene.world.colliders) {
    if (!collider.visible) continue;
    TriangleMesh surface = surface_of(collider.shape);
    if (!surface.triangles.empty()) obstacles_.push_back({&collider, std::move(surface), {}});
  }
  const OutputsDescription& outputs = scene.resolved.outputs;
  if (outputs.color_by != "body") legend_ = legend_of(recording, outputs.color_range);
  const double legend = legend_ ? legend_room(*legend_, outputs.width, outputs.height) : 0;
  cameras_ = camera_path(scene, recording, obstacles_, legend);
}

void Studio::add_obstacles(double time, Shot& shot) {
  for (const Collider& collider : scene_.world.colliders)
    if (const auto* plane = collider.visible ? std::get_if<PlaneShape>(&collider.shape) : nullptr) {
      const Pose pose = collider.at(time);
      shot.planes.push_back({pose.position, pose.rotation * plane->normal});
    }
  for (Obstacle& obstacle : obstacles_) {
    obstacle.move_to(time);
    shot.meshes.push_back({.points = obstacle.points,
                           .triangles = obstacle.surface.triangles,
                           .color = obstacle.collider->color});
  }
}

std::vector<std::string> Studio::take_warnings() {
  std::vector<std::string> all;
  for (BodyPaint& paint : paints_)
    for (std::string& warning : paint.take_warnings()) all.push_back(std::move(warning));
  return all;
}

namespace {

/// A body's triangles of which matter was laid bare, or the others.
std::vector<Triangle> triangles_of(const RecordedBody& body, bool inner) {
  std::vector<Triangle> chosen;
  for (std::size_t t = 0; t < body.triangles.size(); ++t)
    if ((body.origins.source[t] < 0) == inner) chosen.push_back(body.triangles[t]);
  return chosen;
}

}  // namespace

void Studio::add_bodies(const std::vector<RecordedBody>& bodies, Shot& shot) {
  parts_.clear();
  parts_.reserve(2 * bodies.size());
  paints_.resize(bodies.size());
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    const RecordedBody& body = bodies[b];
    ShotMesh mesh{.points = body.points, .triangles = body.triangles, .color = body.color};
    const std::optional<Vec3>& inside_color = scene_.resolved.bodies[b].inside_color;
    if (legend_) {
      mesh.values = body.values;
      mesh.map = legend_->map;
      mesh.range = legend_->range;
      if (body.values.empty()) mesh.color = collider_color();  // it has no such field
    } else if (inside_color && !body.origins.empty()) {
      mesh.triangles = parts_.emplace_back(triangles_of(body, false));
      shot.meshes.push_back(mesh);
      mesh.triangles = parts_.emplace_back(triangles_of(body, true));
      mesh.color = *inside_color;
      if (mesh.triangles.empty()) continue;
    } else {
      mesh.paint = paints_[b].show(body);
    }
    shot.meshes.push_back(mesh);
  }
}

Image Studio::picture(RecordingReader& recording, int frame, bool still) {
  const OutputsDescription& outputs = scene_.resolved.outputs;
  const std::vector<RecordedBody>& bodies = recording.frame(frame);
  Shot shot;
  shot.camera = cameras_.at(frame);
  add_bodies(bodies, shot);
  add_obstacles(recording.time(), shot);
  Image image = renderer_.render(shot, {.width = outputs.width,
                                        .height = outputs.height,
                                        .samples = outputs.samples,
                                        .whole = still});
  Caption caption{.name = name_, .time = recording.time(), .grid = std::nullopt};
  if (scene_.world.statics && recording.frames() <= 2) caption.time.reset();  // the only answer
  if (!shot.planes.empty()) caption.grid = grid_spacing(cameras_.start);
  draw_caption(image, caption);
  if (legend_) draw_legend(image, *legend_);
  return image;
}

}  // namespace pliant
