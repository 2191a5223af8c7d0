#include "scene/build.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <set>

#include "body/scramble.h"
#include "scene/attach.h"
#include "scene/clearance.h"
#include "scene/cuts.h"
#include "scene/doubts.h"
#include "scene/json.h"
#include "scene/obstacles.h"
#include "scene/overlaps.h"
#include "scene/solids.h"
#include "scene/tie.h"
#include "scene/words.h"

namespace pliant {
namespace {

// Linear RGB, told apart also by their brightness.
const Vec3 palette[] = {{0.80, 0.22, 0.10}, {0.08, 0.32, 0.70}, {0.90, 0.55, 0.08},
                        {0.10, 0.48, 0.22}, {0.48, 0.14, 0.55}, {0.05, 0.55, 0.58},
                        {0.75, 0.30, 0.45}, {0.40, 0.42, 0.10}};

std::optional<Body> make_body(BodyDescription& description, const SceneDescription& scene,
                              int index, BuildLog& log, Original& original,
                              std::filesystem::path& cad_file) {
  const std::string where = fmt::format("/bodies/{}", index);
  GivenSurface given;
  const std::optional<Solid> solid = make_solid(description, scene, where, log, given);
  if (!solid) return std::nullopt;
  try {
    Body body = description.method.settings->create(*solid);
    body.name = *description.name;
    body.friction = *solid->material.friction;
    original = map_original(given, solid->surface, body.drawn_skin());
    body.color = description.color.value_or(palette[std::size_t(index) % std::size(palette)]);
    // A color in the scene is meant to be seen. Without one, the resolved scene leaves it out where
    // the model has its own, which it is to have again.
    if (description.color) original.faces.remove_paint();
    else if (!original.faces.has_paint()) description.color = body.color;
    cad_file = given.cad_file;
    doubt_parts(*solid, body, log);
    attach(description, where, body, log);
    if (description.start && body.method->changes_body())
      log.problem(where + "/start",
                  fmt::format("is given; {} has no shape at rest to come back to",
                              quote(description.method.name)),
                  "tets and groups can begin in another shape");
    else if (description.start)
      scramble(body, Scramble(description.start->scramble), std::uint64_t(description.start->seed));
    set_in_motion(description, body);
    for (const std::string& note : body.notes) log.note("", body.name, note);
    for (const std::string& warning : body.warnings)
      log.warnings.push_back(body.name + ": " + warning);
    return body;
  } catch (const InputError& error) {
    if (description.file) log.model_problem(where + "/file", *description.file, error);
    else log.problem(where, error);
  }
  return std::nullopt;
}

void make_colliders(BuiltScene& built, BuildLog& log) {
  std::optional<std::vector<ColliderDescription>>& colliders = built.resolved.colliders;
  if (!colliders) {
    if (built.world.bodies.empty()) return;  // there were problems
    colliders = {floor_below(built.world.bodies, built.world.gravity)};
    log.notes.push_back(
        fmt::format("floor: at {:.3g} m, below the lowest body by half of the tallest one's height "
                    "(at least an eighth of its size)",
                    colliders->front().plane->point.dot(colliders->front().plane->normal)));
  }
  for (std::size_t i = 0; i < colliders->size(); ++i)
    if (std::optional<Collider> made =
            make_collider((*colliders)[i], fmt::format("/colliders/{}", i), log))
      built.world.colliders.push_back(std::move(*made));
}

/// One line for all: equal bodies that are turned differently do not get quite equal surfaces.
void note_contact_surfaces(const std::vector<Body>& bodies, BuildLog& log) {
  std::size_t coarser = 0, touched = 0, drawn = 0;
  double distance = 0, share = 0, outside = 0;
  for (const Body& body : bodies) {
    if (!body.drawn) continue;
    ++coarser;
    touched += body.skin.triangles.size();
    drawn += body.drawn->skin.triangles.size();
    distance = std::max(distance, body.drawn->distance);
    share = std::max(share, body.drawn->distance / body.spacing);
    outside = std::max(outside, body.drawn->outside);
  }
  if (coarser == 0) return;
  constexpr double flat = 1e-9;  // [m] less is what arithmetic makes of nothing
  const std::string apart =
      distance < flat ? "without a distance"
                      : fmt::format(
                            "{:.2g} m apart at most, {:.2g} of the distance of nodes, {:.2g} m "
                            "outwards",
                            distance, share, outside < flat ? 0 : outside);
  log.notes.push_back(fmt::format(
      "contact: {} {} touched through {} triangles and drawn with {}, {} (\"contact_detail\")",
      coarser, coarser == 1 ? "body is" : "bodies are", touched, drawn, apart));
}

std::vector<StageClock::Stage> stages_of(const std::vector<Body>& bodies) {
  std::vector<StageClock::Stage> all;
  for (const Body& body : bodies)
    for (const StageClock::Stage& stage : body.stages) {
      const auto same = std::find_if(all.begin(), all.end(), [&](const StageClock::Stage& other) {
        return std::string_view(other.name) == stage.name;
      });
      if (same == all.end()) all.push_back(stage);
      else same->seconds += stage.seconds;
    }
  return all;
}

void find_probes(BuiltScene& built, BuildLog& log) {
  built.world.update_ids();
  for (std::size_t b = 0; b < built.world.bodies.size(); ++b) {
    const Body& body = built.world.bodies[b];
    for (const ProbeDescription& probe : built.resolved.bodies[b].probes) {
      const int vertex = nearest_vertex(body.drawn_skin(), probe.point);
      const double distance = (body.drawn_skin().rest[vertex] - probe.point).norm();
      if (distance > 0.1 * body.extent)
        log.warnings.push_back(
            fmt::format("probe {}: the nearest vertex of {} is {:.3g} m away from its point",
                        *probe.name, body.name, distance));
      built.world.bodies[b].marks.push_back({vertex, body.drawn_skin().rest[vertex]});
      Probe found{*probe.name, body.id, int(body.marks.size()) - 1, {}};
      for (const FieldDescription& field : probe.fields) found.fields.push_back(field.name);
      built.probes.push_back(std::move(found));
    }
  }
}

void check_fields(const BuiltScene& built, BuildLog& log) {
  const std::string& wanted = built.resolved.outputs.color_by;
  std::set<std::string> known = {"body"};
  const auto check = [&](const std::string& where, const std::string& name) {
    if (known.contains(name)) return;
    const std::vector<std::string> all(known.begin(), known.end());
    const std::string meant = nearest_word(name, all);
    log.problem(where,
                fmt::format("is {}; {}it must be one of {}", quote(name),
                            meant.empty() ? "" : fmt::format("did you mean {}? ", quote(meant)),
                            joined(all, ", ")));
  };
  for (std::size_t b = 0; b < built.world.bodies.size(); ++b) {
    const std::vector<std::string> names = field_names(built.world.bodies[b]);
    known = {names.begin(), names.end()};
    const std::vector<ProbeDescription>& probes = built.resolved.bodies[b].probes;
    for (std::size_t p = 0; p < probes.size(); ++p)
      for (std::size_t i = 0; i < probes[p].fields.size(); ++i)
        check(fmt::format("/bodies/{}/probes/{}/fields/{}", b, p, i), probes[p].fields[i].name);
  }
  known = {"body"};
  for (const Body& body : built.world.bodies)
    for (std::string& name : field_names(body)) known.insert(std::move(name));
  check("/outputs/color_by", wanted);
  known.erase("body");
  const std::vector<FieldDescription>& more = built.resolved.outputs.fields;
  for (std::size_t i = 0; i < more.size(); ++i)
    check(fmt::format("/outputs/fields/{}", i), more[i].name);
}

/// Rollers are of equilibrium, and of methods that know them.
void check_rollers(const BuiltScene& built, BuildLog& log) {
  if (built.world.bodies.size() < built.resolved.bodies.size()) return;  // there were problems
  for (std::size_t b = 0; b < built.world.bodies.size(); ++b) {
    const Body& body = built.world.bodies[b];
    const std::vector<PinDescription>& pins = built.resolved.bodies[b].pins;
    for (std::size_t i = 0; i < pins.size(); ++i) {
      if (pins[i].axes == PinDescription::all) continue;
      const std::string where = fmt::format("/bodies/{}/pins/{}/axes", b, i);
      const std::string is = fmt::format("is {}", quote(axes_names[pins[i].axes]));
      if (!built.resolved.statics)
        log.problem(where, is + "; only static scenes hold along chosen axes",
                    "\"static\": true, or a pin without \"axes\"");
      else if (!body.method->has_rollers())
        log.problem(
            where,
            fmt::format("{}, which {} cannot do", is, quote(built.resolved.bodies[b].method.name)),
            "the methods tets, meshless and nurbs can");
    }
  }
}

void check_statics(BuiltScene& built, BuildLog& log) {
  built.world.statics = built.resolved.statics;
  built.world.contact.settings.touch = Touches(built.resolved.touch);
  check_rollers(built, log);
  if (!built.world.statics) return;
  if (!built.resolved.attachments.empty())
    log.problem("/attachments",
                "are given in a static scene; contact and ties are no part of the balance there",
                "pins hold parts of a body in place");
  for (std::size_t b = 0; b < built.world.bodies.size(); ++b) {
    const Body& body = built.world.bodies[b];
    if (!body.method->finds_equilibrium())
      log.problem(fmt::format("/bodies/{}/method", b),
                  fmt::format("is {}, which cannot find the equilibrium that \"static\" asks for",
                              built.resolved.bodies[b].method.name),
                  "the methods tets, meshless and nurbs can");
    if (body.handles.empty())
      log.warnings.push_back(body.name +
                             ": nothing holds it; only balanced loads have an "
                             "equilibrium");
  }
  // A floor that nobody asked for would only puzzle.
  if (!built.resolved.colliders) built.resolved.colliders.emplace();
  else if (!built.resolved.colliders->empty())
    log.problem("/colliders",
                "are given in a static scene; contact is no part of the balance there",
                "leave them out; a pin with \"axes\": \"normal\" is a wall without friction that "
                "also pulls");
}

/// Small things are quick: in a frame made for things of a metre, a grain falls through itself many
/// times, and no number of substeps that we would take resolves it.
void check_frame_length(const BuiltScene& built, BuildLog& log) {
  const double gravity = built.world.gravity.norm();
  const double frame = 1 / built.resolved.fps;
  const double fall = 0.5 * gravity * frame * frame;
  if (built.world.statics) return;
  for (const Body& body : built.world.bodies) {
    if (!(fall > body.extent)) continue;
    const double fps = std::sqrt(gravity / (0.04 * body.extent));  // a fiftieth of its size a frame
    log.warnings.push_back(fmt::format(
        "{} is {:.3g} m large and falls {:.3g} times that in a frame of {:.3g} s: too fast to be "
        "seen or computed well; \"fps\": {:.0f}, \"outputs\": {{\"slow_motion\": {:.0f}}} fit "
        "its size",
        body.name, body.extent, fall / body.extent, frame, fps, fps / 60));
    return;
  }
}

/// Whether the equilibrium of a static scene depends on time.
bool changes_in_time(const BodyDescription& body) {
  bool changes = false;
  for (const PinDescription& pin : body.pins) changes = changes || pin.release;
  for (const HandleDescription& moved : body.handles)
    changes = changes || moved.release || moved.motion.spin || !moved.motion.keyframes.empty();
  for (const LoadDescription& load : body.loads) changes = changes || load.start > 0 || load.end;
  return changes;
}

void choose_frames(BuiltScene& built, BuildLog& log) {
  if (built.resolved.frames) return;
  const std::vector<BodyDescription>& bodies = built.resolved.bodies;
  const bool is_still =
      built.world.statics && std::none_of(bodies.begin(), bodies.end(), changes_in_time);
  built.resolved.frames = is_still ? 1 : default_frames;
  if (is_still)
    log.notes.push_back(
        "one frame: loads and handles do not change in time, so one equilibrium is all");
}

/// So many times the substeps that we would take, and the body is another one than was asked for.
constexpr int far_too_many = 10;

void choose_substeps(BuiltScene& built, BuildLog& log) {
  if (built.world.statics && !built.resolved.substeps) built.resolved.substeps = 1;
  std::optional<int>& substeps = built.resolved.substeps;
  if (!substeps) {
    const StepAdvice advice = advise_substeps(built.world, 1 / built.resolved.fps);
    substeps = advice.substeps;
    const int wanted = advise_substeps(built.world, 1 / built.resolved.fps, 1, 1 << 30).substeps;
    log.notes.push_back(
        fmt::format("substeps: {} per frame: {}{}", advice.substeps, advice.reason,
                    wanted > far_too_many * advice.substeps
                        ? "; what hardly gives way is for \"method\": \"rigid\", or for "
                          "\"meshless\" if its stress matters"
                        : ""));
  }
  built.world.substeps = *substeps;
}

}  // namespace

BuiltScene build_scene(const SceneDescription& scene, const SceneSource& source, bool strict) {
  BuildLog log(source, strict);
  BuiltScene built;
  built.resolved = scene;
  complete_names(built.resolved);
  built.world.gravity = scene.gravity;
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    Original& original = built.originals.emplace_back();
    std::filesystem::path& cad_file = built.cad_files.emplace_back();
    if (std::optional<Body> body =
            make_body(built.resolved.bodies[i], scene, int(i), log, original, cad_file))
      built.world.bodies.push_back(std::move(*body));
  }
  check_statics(built, log);
  make_colliders(built, log);
  const bool all_made = built.world.bodies.size() == scene.bodies.size() &&
                        built.world.colliders.size() == built.resolved.colliders->size();
  // What needs all of them is told beside what is wrong with one of them.
  if (all_made) {
    tie(built.resolved, built.world, log);
    check_fields(built, log);
  }
  if (!log.problems.empty()) throw InputError(log.problems);

  const auto shift_body = [&](int b, const Vec3& shift) {
    built.resolved.bodies[b].place += shift;
    BuildLog said(source);  // the same as before
    said.models = log.models;
    built.originals[b] = {};
    built.world.bodies[b] = *make_body(built.resolved.bodies[b], scene, b, said, built.originals[b],
                                       built.cad_files[b]);
  };
  settle_overlaps(built, log, shift_body);
  if (log.problems.empty()) keep_clearance(built, log, shift_body);
  note_contact_surfaces(built.world.bodies, log);
  find_probes(built, log);
  plan_cuts(built.resolved, built.world, log);
  if (!log.problems.empty()) throw InputError(log.problems);
  choose_frames(built, log);
  choose_substeps(built, log);
  check_frame_length(built, log);
  if (strict)
    for (const std::string& warning : log.warnings)
      log.problem("", warning, "a warning that --strict makes a problem");
  if (!log.problems.empty()) throw InputError(log.problems);
  built.stages = stages_of(built.world.bodies);
  built.notes = std::move(log.notes);
  built.warnings = std::move(log.warnings);
  return built;
}

SceneSource source_of_model(const std::filesystem::path& model) {
  SceneSource source = source_of(model);
  source.is_model = true;
  source.model = model;
  return source;
}

}  // namespace pliant
