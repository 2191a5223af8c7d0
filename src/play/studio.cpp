#include "play/studio.h"

#include <algorithm>

#include "play/collider_mesh.h"

namespace pliant {
namespace {

/// What the legend says about a field.
struct FieldName {
  const char* field;
  const char* title;
  const char* unit;
};
constexpr FieldName field_titles[] = {
    {"von_mises", "von Mises stress", "Pa"},
    {"displacement", "displacement", "m"},
    {"speed", "speed", "m/s"},
    {"height", "height", "m"},
    {"contact_pressure", "contact pressure", "Pa"},
    {"contact_force", "contact force", "N"},
    {"J", "volume ratio J", ""},
    {"stretch_1", "largest stretch", ""},
    {"stretch_2", "middle stretch", ""},
    {"stretch_3", "smallest stretch", ""},
};

Legend legend_of(const std::string& field) {
  for (const FieldName& known : field_titles)
    if (field == known.field) return {.title = known.title, .unit = known.unit, .range = {}};
  return {.title = field, .unit = "", .range = {}};
}

/// Smallest to largest value, without the highest few of a hundred: one sharp corner must not make
/// all else look alike. Zeros do not count among the hundred: where little is touched, pressure is
/// zero nearly everywhere.
ValueRange usual_range(std::vector<float> values) {
  const auto some = std::partition(values.begin(), values.end(), [](float v) { return v == 0; });
  if (some == values.end()) return value_range(values);
  const auto high = some + std::ptrdiff_t(0.97 * double(values.end() - some - 1));
  std::nth_element(some, high, values.end());
  return value_range({values.begin(), high + 1});
}

}  // namespace

Studio::Studio(const BuiltScene& scene, RecordingReader& recording, std::string name)
    : scene_(scene), name_(std::move(name)), legend_(legend_of(recording.field())) {
  for (const Collider& collider : scene.world.colliders) {
    if (!collider.visible) continue;
    TriangleMesh surface = surface_of(collider.shape);
    if (!surface.triangles.empty()) obstacles_.push_back({&collider, std::move(surface), {}});
  }
  if (scene.resolved.outputs.color_by != "body") find_range(recording);
  set_camera(recording);
}

void Studio::find_range(RecordingReader& recording) {
  for (int frame = 0; frame < recording.frames(); ++frame)
    for (const RecordedBody& body : recording.frame(frame)) {
      if (body.values.empty()) continue;
      const ValueRange range = usual_range(body.values);
      if (colored_) legend_.range.add(range);
      else legend_.range = range;
      colored_ = true;
    }
}

/// What is seen are the points themselves: a box around them would leave much air.
void Studio::set_camera(RecordingReader& recording) {
  const OutputsDescription& outputs = scene_.resolved.outputs;
  const CameraDescription& wish = scene_.resolved.camera;
  Framing framing;
  framing.fov = wish.fov;
  if (colored_) framing.legend = legend_room(legend_, outputs.width, outputs.height);
  CameraFit fit(double(outputs.width) / outputs.height, framing);
  Box bodies;
  for (int frame = 0; frame < recording.frames(); ++frame)
    for (const RecordedBody& body : recording.frame(frame))
      for (const Eigen::Vector3f& point : body.points) {
        const Vec3 p = point.cast<double>();
        bodies.add(p);
        fit.add(p);
      }
  // Colliders belong into the picture as far as they are near what moves: a hall is not framed for
  // a ball in it.
  Box near = bodies;
  near.grow(0.5 * bodies.extent().maxCoeff());
  for (const Obstacle& obstacle : obstacles_)
    for (const double time : {0.0, recording.time()}) {
      const Pose pose = obstacle.collider->at(time);
      for (const Vec3& p : obstacle.surface.points)
        fit.add(pose.apply(p).cwiseMax(near.low).cwiseMin(near.high));
    }
  camera_ = fit.camera();
  if (wish.eye) camera_.eye = *wish.eye;
  if (wish.target) camera_.target = *wish.target;
}

void Studio::add_obstacles(double time, Shot& shot) {
  for (const Collider& collider : scene_.world.colliders)
    if (const auto* plane = collider.visible ? std::get_if<PlaneShape>(&collider.shape) : nullptr) {
      const Pose pose = collider.at(time);
      shot.planes.push_back({pose.position, pose.rotation * plane->normal});
    }
  for (Obstacle& obstacle : obstacles_) {
    const Pose pose = obstacle.collider->at(time);
    obstacle.points.clear();
    for (const Vec3& p : obstacle.surface.points)
      obstacle.points.push_back(pose.apply(p).cast<float>());
    shot.meshes.push_back({.points = obstacle.points,
                           .triangles = obstacle.surface.triangles,
                           .color = obstacle.collider->color});
  }
}

Image Studio::picture(RecordingReader& recording, int frame) {
  const OutputsDescription& outputs = scene_.resolved.outputs;
  const std::vector<RecordedBody>& bodies = recording.frame(frame);
  Shot shot;
  shot.camera = camera_;
  for (const RecordedBody& body : bodies)
    shot.meshes.push_back({.points = body.points,
                           .triangles = body.triangles,
                           .color = body.color,
                           .values = body.values,
                           .map = legend_.map,
                           .range = legend_.range});
  add_obstacles(recording.time(), shot);
  Image image = renderer_.render(shot, {.width = outputs.width, .height = outputs.height});
  Caption caption{.name = name_, .time = recording.time(), .grid = std::nullopt};
  if (!shot.planes.empty()) caption.grid = grid_spacing(camera_);
  draw_caption(image, caption);
  if (colored_) draw_legend(image, legend_);
  return image;
}

}  // namespace pliant
