#include "play/run.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>

#include "core/errors.h"
#include "core/files.h"
#include "methods/error_share.h"
#include "play/checkpoint.h"
#include "play/disk_use.h"
#include "play/drawn_separation.h"
#include "play/metrics.h"
#include "play/products.h"
#include "play/recording.h"
#include "play/summary.h"
#include "play/verdict.h"
#include "scene/write.h"

namespace pliant {
namespace {

/// Where this sitting starts: anew, or where the last one stopped.
Checkpoint start(BuiltScene& scene, std::uint64_t fingerprint, const RunFolder& folder,
                 RunFolder::IfTaken if_taken, RunWatcher& watcher) {
  Checkpoint at{.scene = fingerprint};
  if (if_taken != RunFolder::IfTaken::resume) return at;
  std::vector<std::string> warnings;
  const std::optional<Checkpoint> found =
      load_checkpoint(folder.path(), fingerprint, scene.world, warnings);
  for (const std::string& warning : warnings) watcher.warning(warning);
  if (!found) {
    watcher.note("nothing to resume; starting at frame 0");
    return at;
  }
  watcher.note(fmt::format("going on after frame {}", found->frame));
  return *found;
}

std::vector<std::string> field_names_of(const BuiltScene& scene) {
  std::vector<std::string> names;
  for (const FieldDescription& field : scene.resolved.outputs.fields) names.push_back(field.name);
  return names;
}

/// The files of a run that grow frame by frame, and the checkpoint that knows how long they were.
class Log {
 public:
  Log(const BuiltScene& scene, const RunFolder& folder, const Checkpoint& at)
      : folder_(folder),
        at_(at),
        metrics_(scene),
        metrics_file_(folder.metrics(), at.metrics_length),
        recording_(
            folder.recording(), at.recording_length, scene.world, scene.resolved.outputs.color_by,
            field_names_of(scene),
            scene.resolved.outputs.contact_surface ? std::span<const Original>() : scene.originals,
            scene.cad_files, scene.resolved.outputs.contact_surface,
            scene.resolved.outputs.volume) {
    if (at.metrics_length == 0) metrics_file_.append(metrics_.header(scene));
  }

  bool is_empty() const { return at_.recording_length == 0; }

  void add(int frame, BuiltScene& scene, const StepReport& report) {
    metrics_file_.append(metrics_.row(frame, scene, report));
    separation_.apply(scene.world);
    recording_.add(scene.world);
    at_.frame = frame;
  }

  void save(BuiltScene& scene) {
    metrics_file_.flush();
    recording_.flush();
    at_.metrics_length = metrics_file_.length();
    at_.recording_length = recording_.length();
    save_checkpoint(folder_.path(), at_, scene.world);
  }

 private:
  const RunFolder& folder_;
  Checkpoint at_;
  Metrics metrics_;
  GrowingFile metrics_file_;
  DrawnSeparation separation_;
  RecordingWriter recording_;
};

void warn_about_step(const BuiltScene& scene, RunWatcher& watcher) {
  const Substep substep{1.0 / scene.resolved.fps / scene.world.substeps, 0};
  for (const Body& body : scene.world.bodies)
    for (const std::string& warning : body.method->warnings(body.nodes, substep))
      watcher.warning(fmt::format("{}: {}", body.name, warning));
}

constexpr double hard_to_squeeze = 0.4;  // Poisson's ratio from which on volume is to be kept

void tell_statics(BuiltScene& scene, const RunFolder& folder, const Fineness& fineness,
                  RunWatcher& watcher, RunResult& result) {
  const StaticVerdict verdict = static_verdict_of(read_text_file(folder.metrics()));
  for (const std::string& warning : verdict.warnings) watcher.warning(warning);
  result.unbalanced = verdict.unbalanced;
  result.statics = static_figures(scene);
  fineness.add_errors(result.statics);
  if (result.unbalanced == 0)
    for (const StaticFigures& body : result.statics)
      for (const std::string& line : told(body)) watcher.note(line);
  write_file(folder.statics(), static_csv(result.statics));
}

void tell_error_shares(const BuiltScene& scene, RunWatcher& watcher) {
  for (const Body& body : scene.world.bodies)
    if (const std::optional<double> share = error_share(body))
      watcher.note(fmt::format(
          "{}: at the end {:.1f} % of its elastic energy is error energy, which only keeps control "
          "points with the solid{}",
          body.name, 100 * *share,
          *share > large_error_share ? ": much; pliant inspect tells whether the net is too coarse"
                                     : ""));
}

/// Whether gravity and contact with things at rest are all that acts.
bool nothing_does_work(const BuiltScene& scene) {
  for (const Body& body : scene.world.bodies) {
    if (!body.loads.empty()) return false;
    for (const Handle& handle : body.handles)
      if (handle.motion.moves()) return false;
  }
  for (const BodyDescription& body : scene.resolved.bodies)
    if (body.start) return false;  // a scrambled body has more than it can have
  for (const Collider& collider : scene.world.colliders)
    if (collider.motion.moves()) return false;
  return true;
}

void tell_cuts(const BuiltScene& scene, RunWatcher& watcher) {
  for (std::size_t i = 0; i < scene.world.cuts.size(); ++i) {
    const PlannedCut& cut = scene.world.cuts[i];
    const std::string& name = scene.resolved.cuts[i].body;
    if (cut.state == PlannedCut::missed)
      watcher.warning(fmt::format(
          "cuts/{}: nothing was cut at {:.3g} s: the plane passed beside {}, or not all of a "
          "section lay within the polygon",
          i, cut.time, name));
    else if (cut.state == PlannedCut::waiting)
      watcher.warning(
          fmt::format("cuts/{}: {} was not cut: the run ended before {:.3g} s", i, name, cut.time));
  }
}

void tell_verdict(const BuiltScene& scene, const RunFolder& folder, RunWatcher& watcher) {
  RunScale scale{.substeps = scene.world.substeps,
                 .size = std::numeric_limits<double>::infinity(),
                 .nodes = 0,
                 .fps = scene.resolved.fps,
                 .fall = nothing_does_work(scene) ? 0.0 : -1.0,
                 .keeps_volume = true};
  for (std::size_t b = 0; b < scene.world.bodies.size(); ++b) {
    const Body& body = scene.world.bodies[b];
    scale.size = std::min(scale.size, body.contact_scale);
    scale.nodes += body.nodes.size();
    if (scale.fall >= 0)
      scale.fall += total_mass(body.nodes) * scene.world.gravity.norm() * body.extent;
    const std::optional<double> poisson = scene.resolved.bodies[b].material.values.poisson;
    if (body.deforms && poisson.value_or(0) < hard_to_squeeze) scale.keeps_volume = false;
  }
  const Verdict verdict = verdict_of(read_text_file(folder.metrics()), scale);
  for (const std::string& warning : verdict.warnings) watcher.warning(warning);
  for (const std::string& note : verdict.notes) watcher.note(note);
  if (scene.world.contact.settings.touch != Touches::all) return;
  for (const Body& body : scene.world.bodies) {
    const std::string warning = body.deforms ? self_overlap(body) : "";
    if (!warning.empty()) watcher.warning(warning);
  }
}

}  // namespace

RunResult run(BuiltScene& scene, const RunOptions& options, RunWatcher& watcher) {
  const std::uint64_t fingerprint = scene_fingerprint(scene);
  const RunFolder folder(options.folder, options.if_taken);
  if (options.if_taken != RunFolder::IfTaken::resume)
    tell_disk_use(disk_use(scene), folder.path(), watcher);
  const Checkpoint at = start(scene, fingerprint, folder, options.if_taken, watcher);
  std::filesystem::remove(folder.summary());  // a run made longer is unfinished until it ends
  const int frames = *scene.resolved.frames;
  const double dt = 1.0 / scene.resolved.fps;
  if (!scene.world.statics) warn_about_step(scene, watcher);

  RunResult result;
  result.frames = at.frame;
  {
    Log log(scene, folder, at);
    if (log.is_empty()) {
      log.add(0, scene, {});
      log.save(scene);
    }
    bool stopped = false;
    while (result.frames < frames && !stopped) {
      watcher.progress("simulating", result.frames, frames);
      try {
        const StepReport report = scene.world.step(dt);
        log.add(++result.frames, scene, report);
        if (report.unbalanced > 0)
          watcher.note(fmt::format(
              "frame {}: {} found no equilibrium; {:.2g} of the force is left unbalanced",
              result.frames, report.unbalanced == 1 ? "a body" : "bodies", report.static_residual));
      } catch (const NumericalError& error) {
        throw NumericalError(fmt::format("frame {}: {} (the {} frames before it are in {})",
                                         result.frames + 1, error.what(), result.frames,
                                         folder.path().string()));
      }
      stopped = watcher.stop();
      const bool due = result.frames % scene.resolved.outputs.checkpoint_every == 0;
      if (due || stopped || result.frames == frames) log.save(scene);
    }
    result.finished = result.frames >= frames;
    watcher.progress("simulating", result.frames, frames);
  }
  if (scene.world.statics) tell_statics(scene, folder, options.fineness, watcher, result);
  else tell_verdict(scene, folder, watcher);
  tell_cuts(scene, watcher);
  tell_error_shares(scene, watcher);
  result.hash = state_hash(scene.world);
  write_summary(scene, folder, options.fineness,
                result);  // before what other programs have a hand in
  const std::string& title = scene.resolved.title;
  const Products made = make_products(scene, folder, title.empty() ? options.scene_name : title,
                                      result.finished, watcher);
  result.files = made.files;
  result.film_failed = made.film_failed;
  if (scene.world.statics) result.files.push_back(folder.statics());
  result.files.push_back(folder.recording());
  result.files.push_back(folder.metrics());
  result.files.push_back(folder.summary());
  return result;
}

}  // namespace pliant
