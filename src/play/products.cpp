#include "play/products.h"

#include <cmath>
#include <fmt/format.h>

#include "core/errors.h"
#include "formats/gltf.h"
#include "formats/ply.h"
#include "picture/film.h"
#include "play/collider_mesh.h"
#include "play/recording.h"
#include "play/shown_surface.h"
#include "play/studio.h"

namespace pliant {
namespace {

namespace fs = std::filesystem;

bool shows_original(const BuiltScene& scene) { return scene.resolved.outputs.surface == 1; }

int shown_frames(const RecordingReader& recording, int step) {
  return (recording.frames() - 1) / step + 1;
}

void write_surfaces(RecordingReader& recording, bool original, const fs::path& folder,
                    RunWatcher& watcher) {
  fs::create_directories(folder);
  std::vector<ShownSurface> shown(recording.frame(0).size(), ShownSurface(original));
  for (int frame = 0; frame < recording.frames(); ++frame) {
    watcher.progress("writing ply/", frame, recording.frames());
    const std::vector<RecordedBody>& bodies = recording.frame(frame);
    for (std::size_t b = 0; b < bodies.size(); ++b) {
      shown[b].show(bodies[b]);
      std::vector<PlyProperty> properties;
      if (!bodies[b].values.empty())
        properties.push_back({recording.field(), shown[b].values(bodies[b].values)});
      write_ply(folder / fmt::format("{}_{:04}.ply", bodies[b].name, frame),
                std::span<const Eigen::Vector3f>(shown[b].points()), shown[b].triangles(),
                properties);
    }
  }
  watcher.progress("writing ply/", recording.frames(), recording.frames());
}

/// Everything that can be animated, bodies first.
void write_animation(const BuiltScene& scene, RecordingReader& recording, const fs::path& path,
                     RunWatcher& watcher) {
  const int step = shown_every(scene.resolved);
  std::vector<int> shown;
  for (int frame = 0; frame < shown_frames(recording, step); ++frame) shown.push_back(frame * step);
  GlbSurfaces surfaces(recording, std::move(shown), shows_original(scene));
  if (surfaces.every() > 1) watcher.warning(told_thinned(surfaces));
  const int frames = int(surfaces.frames().size());
  std::vector<GlbMesh> meshes = surfaces.meshes();
  const std::size_t bodies = meshes.size();
  // Of the motion, for what moves by itself.
  const double fps = scene.resolved.fps / step / surfaces.every();
  std::vector<std::vector<Eigen::Vector3f>> obstacles;
  for (const Collider& collider : scene.world.colliders) {
    const TriangleMesh surface = surface_of(collider.shape);
    if (surface.triangles.empty()) continue;
    GlbMesh mesh;
    mesh.name = collider.name;
    mesh.color = to_linear(collider.color);
    mesh.triangles = surface.triangles;
    mesh.vertices = int(surface.points.size());
    for (int frame = 0; frame < frames; ++frame) mesh.poses.push_back(collider.at(frame / fps));
    meshes.push_back(std::move(mesh));
    std::vector<Eigen::Vector3f>& points = obstacles.emplace_back();
    for (const Vec3& p : surface.points) points.push_back(p.cast<float>());
  }
  write_glb(path, meshes, frames, shown_fps(scene.resolved) / surfaces.every(),
            [&](int mesh, int frame) -> std::span<const Eigen::Vector3f> {
              if (std::size_t(mesh) >= bodies) return obstacles[std::size_t(mesh) - bodies];
              return surfaces.points(mesh, frame);
            });
}

/// Fast motion in real time is over before it is seen.
void tell_if_short(const SceneDescription& scene, int frames, RunWatcher& watcher) {
  constexpr double short_film = 0.5;  // [s]
  const double length = double(frames) / scene.fps * scene.outputs.slow_motion;
  const double slower = scene.fps / scene.outputs.film_fps;  // every frame is shown
  if (length < short_film && slower > 2 * scene.outputs.slow_motion && frames > 10)
    watcher.note(
        fmt::format("the film lasts {:.2g} s; \"outputs\": {{\"slow_motion\": {:.0f}}} "
                    "and --resume make one that shows every frame",
                    length, slower));
}

/// False when the user stopped it.
bool write_film(const BuiltScene& scene, RecordingReader& recording, Studio& studio,
                const fs::path& path, RunWatcher& watcher) {
  const int step = shown_every(scene.resolved);
  const int frames = shown_frames(recording, step);
  const OutputsDescription& outputs = scene.resolved.outputs;
  FilmWriter film(path, {.width = outputs.width,
                         .height = outputs.height,
                         .frames_per_second = shown_fps(scene.resolved)});
  for (int frame = 0; frame < frames; ++frame) {
    watcher.progress("filming", frame, frames);
    if (watcher.stop()) return false;
    film.add(studio.picture(recording, frame * step));
  }
  film.finish();
  watcher.progress("filming", frames, frames);
  return true;
}

}  // namespace

int shown_every(const SceneDescription& scene) {
  const double played = scene.fps / scene.outputs.slow_motion;
  return std::max(1, int(std::lround(std::min(played / scene.outputs.film_fps, 1e9))));
}

double shown_fps(const SceneDescription& scene) {
  return scene.fps / scene.outputs.slow_motion / shown_every(scene);
}

std::vector<fs::path> make_products(const BuiltScene& scene, const RunFolder& folder,
                                    const std::string& name, bool finished, RunWatcher& watcher) {
  const OutputsDescription& outputs = scene.resolved.outputs;
  std::vector<fs::path> files;
  RecordingReader recording(folder.recording());
  if (outputs.ply) write_surfaces(recording, shows_original(scene), folder.surfaces(), watcher);
  if (outputs.film || outputs.picture) {
    Studio studio(scene, recording, name);
    if (outputs.film && finished && !ffmpeg_available())
      watcher.warning("no film: the program ffmpeg is not installed");
    else if (outputs.film && finished &&
             write_film(scene, recording, studio, folder.film(), watcher)) {
      files.push_back(folder.film());
      tell_if_short(scene.resolved, recording.frames(), watcher);
    }
    if (outputs.picture) {
      write_png(folder.picture(), studio.picture(recording, recording.frames() - 1));
      files.push_back(folder.picture());
    }
  }
  if (outputs.glb) {
    try {
      write_animation(scene, recording, folder.animation(), watcher);
      files.push_back(folder.animation());
    } catch (const InputError& error) {  // too large for the format; what was simulated is not lost
      watcher.warning(fmt::format("no animation: {}; `pliant convert` makes other formats",
                                  to_string(error.problems().front())));
    }
  }
  return files;
}

}  // namespace pliant
