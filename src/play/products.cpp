#include "play/products.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <optional>

#include "core/errors.h"
#include "core/file_name.h"
#include "formats/gltf.h"
#include "formats/ply.h"
#include "picture/film.h"
#include "play/film_length.h"
#include "play/recording.h"
#include "play/shown_surface.h"
#include "play/studio.h"

namespace pliant {
namespace {

namespace fs = std::filesystem;

bool shows_original(const BuiltScene& scene) { return scene.resolved.outputs.surface == 1; }

void write_surfaces(RecordingReader& recording, bool original, const fs::path& folder,
                    RunWatcher& watcher) {
  fs::create_directories(folder);
  std::vector<ShownSurface> shown(recording.frame(0).size(), ShownSurface(original));
  const std::vector<std::string> names = file_names_of(names_of(recording.frame(0)));
  for (int frame = 0; frame < recording.frames(); ++frame) {
    watcher.progress("writing ply/", frame, recording.frames());
    const std::vector<RecordedBody>& bodies = recording.frame(frame);
    for (std::size_t b = 0; b < bodies.size(); ++b) {
      shown[b].show(bodies[b]);
      std::vector<PlyProperty> properties;
      if (!bodies[b].values.empty())
        properties.push_back({recording.field(), shown[b].values(bodies[b].values)});
      write_ply(folder / fmt::format("{}_{:04}.ply", names[b], frame),
                std::span<const Eigen::Vector3f>(shown[b].points()), shown[b].triangles(),
                properties);
    }
  }
  watcher.progress("writing ply/", recording.frames(), recording.frames());
}

void write_animation(const BuiltScene& scene, RecordingReader& recording, const fs::path& path,
                     RunWatcher& watcher) {
  const int step = shown_every(scene.resolved);
  std::vector<int> shown;
  for (int frame = 0; frame < shown_frames(recording, step); ++frame) shown.push_back(frame * step);
  GlbSurfaces surfaces(recording, std::move(shown), shows_original(scene));
  if (surfaces.every() > 1) watcher.warning(told_thinned(surfaces));
  write_glb(path, surfaces.meshes(), int(surfaces.frames().size()),
            shown_fps(scene.resolved) / surfaces.every(),
            [&](int mesh, int frame) { return surfaces.points(mesh, frame); });
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
  const int frames = film_length(scene, recording);
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
  if (frames < shown_frames(recording, step))
    watcher.note(
        fmt::format("the film ends after {:.1f} s of {:.1f}: all is at rest; \"outputs\": "
                    "{{\"trim\": false}} shows the rest",
                    (frames - 1) / shown_fps(scene.resolved),
                    (shown_frames(recording, step) - 1) / shown_fps(scene.resolved)));
  return true;
}

}  // namespace

Products make_products(const BuiltScene& scene, const RunFolder& folder, const std::string& name,
                       bool finished, RunWatcher& watcher) {
  const OutputsDescription& outputs = scene.resolved.outputs;
  Products made;
  RecordingReader recording(folder.recording());
  std::optional<Studio> studio;
  if (outputs.film || outputs.picture) studio.emplace(scene, recording, name);
  if (outputs.picture) {
    write_png(folder.picture(), studio->picture(recording, recording.frames() - 1, true));
    made.files.push_back(folder.picture());
    for (const std::string& warning : studio->take_warnings()) watcher.warning(warning);
  }
  if (outputs.glb) {
    try {
      write_animation(scene, recording, folder.animation(), watcher);
      made.files.push_back(folder.animation());
    } catch (const InputError& error) {  // too large for the format; what was simulated is not lost
      watcher.warning(fmt::format("no animation: {}; `pliant convert` makes other formats",
                                  to_string(error.problems().front())));
    }
  }
  if (outputs.ply) {
    write_surfaces(recording, shows_original(scene), folder.surfaces(), watcher);
    made.files.push_back(folder.surfaces());
  }
  const bool is_still = scene.world.statics && recording.frames() <= 2;
  if (!outputs.film || !finished || is_still) return made;
  if (!ffmpeg_available()) {
    watcher.warning("no film: the program ffmpeg is not installed");
    return made;
  }
  try {
    if (!write_film(scene, recording, *studio, folder.film(), watcher)) return made;
    made.files.insert(made.files.begin(), folder.film());
    for (const std::string& warning : studio->take_warnings()) watcher.warning(warning);
    tell_if_short(scene.resolved, recording.frames(), watcher);
  } catch (const IoError& error) {
    made.film_failed = true;
    watcher.warning(
        fmt::format("no film: {}; all else is there, --resume tries again", error.what()));
  }
  return made;
}

}  // namespace pliant
