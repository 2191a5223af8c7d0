#include "play/inspect.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <fmt/format.h>

#include "core/assert.h"
#include "core/errors.h"
#include "formats/cad.h"
#include "formats/cad_borders.h"
#include "formats/formats.h"
#include "geometry/intake/near_points.h"
#include "geometry/intake/point_cloud.h"
#include "geometry/intake/volumes.h"
#include "methods/error_share.h"
#include "scene/build.h"
#include "scene/json.h"
#include "scene/read.h"
#include "scene/solids.h"
#include "scene/write.h"

namespace pliant {
namespace {

/// Points nearer than this share of the model's size look as if they were meant to be one.
constexpr double suspiciously_near = 1e-6;

const Vec3 red = {0.86, 0.12, 0.10}, orange = {0.95, 0.50, 0.05}, blue = {0.10, 0.35, 0.85},
           yellow = {0.80, 0.66, 0.02}, magenta = {0.80, 0.10, 0.70}, green = {0.10, 0.60, 0.25},
           violet = {0.45, 0.25, 0.75};

std::string guess_unit(double extent, const std::string& unit) {
  const std::string now =
      fmt::format("{:.4g} m large when read in {}", extent, unit == "file" ? "m" : unit);
  if (unit != "file") return now;
  if (extent > 20)
    return now + fmt::format(
                     "; {:.3g} m if its numbers are mm, {:.3g} m if they are cm: is it "
                     "unit mm?",
                     extent / 1000, extent / 100);
  if (extent < 1e-3) return now + "; very small: is the unit right?";
  return now + ", which is plausible";
}

template <class Names>
int index_of(const std::string& name, const Names& names) {
  const auto at = std::find(std::begin(names), std::end(names), name);
  return at == std::end(names) ? 0 : int(at - std::begin(names));
}

/// "mm"; or its length when it has no name.
std::string name_of_unit(double length) {
  for (std::size_t i = 1; i < std::size(unit_names); ++i)
    if (std::abs(unit_lengths[i] - length) < 1e-6 * length) return unit_names[i];
  return fmt::format("{:.6g} m", length);
}

/// "3, 7, 12, ..."
std::string list_of(const std::vector<int>& numbers, std::size_t most = 8) {
  std::string text;
  for (std::size_t i = 0; i < std::min(most, numbers.size()); ++i)
    text += fmt::format("{}{}", i > 0 ? ", " : "", numbers[i]);
  return numbers.size() > most ? text + ", ..." : text;
}
std::string list_of(const std::vector<FaceMeetings::Pair>& pairs, const char* between) {
  std::string text;
  for (std::size_t i = 0; i < std::min<std::size_t>(6, pairs.size()); ++i)
    text += fmt::format("{}{} {} {}", i > 0 ? ", " : "", pairs[i].first, between, pairs[i].second);
  return pairs.size() > 6 ? text + ", ..." : text;
}

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// "1 hole", not "1 holes": of a label's things, the first one named is counted.
std::string label_for(std::size_t count, std::string label) {
  std::size_t first = std::string::npos, end = 0;
  for (const std::string word :
       {"holes", "triangles", "points", "parts", "edges", "faces", "pairs", "borders", "pieces"})
    if (const std::size_t at = label.find(word); at < first) first = at, end = at + word.size();
  if (count == 1 && first != std::string::npos) label.erase(end - 1, 1);
  return label;
}

class Inspector {
 public:
  explicit Inspector(const InspectSettings& settings) : settings_(settings) {}

  Inspection inspect() {
    const auto start = std::chrono::steady_clock::now();
    Model model = read_model(settings_.model);
    found_.reading = seconds_since(start);
    found_.warnings = model.warnings;
    scale_ = metres_of(model, index_of(settings_.unit, unit_names));
    place(model.surface.points);
    if (model.tets) place(model.tets->points);
    count(model);
    found_.given = std::move(model.surface);
    if (found_.kind == "points") draw_around_points();
    if (found_.kind != "tets") look_at_surface();
    if (found_.intake && !model.patches.empty()) look_at_faces(model);
    if (model.tets) found_.given = boundary_surface(*model.tets);
    if (found_.cad) list_cad_findings();
    else list_findings();
    found_.looking = seconds_since(start) - found_.reading;
    build();
    return std::move(found_);
  }

 private:
  void place(std::vector<Vec3>& points) const {
    const int up = index_of(settings_.up, up_names);
    for (Vec3& p : points) p = scale_ * upright(p, up);
  }

  void count(const Model& model) {
    found_.kind = model.tets              ? "tets"
                  : model.is_cloud()      ? "points"
                  : model.patches.empty() ? "surface"
                                          : "CAD model";
    found_.vertices = int(model.tets ? model.tets->points.size() : model.surface.points.size());
    found_.faces = model.faces.size();
    found_.triangles = int(model.surface.triangles.size());
    found_.tets = model.tets ? int(model.tets->tets.size()) : 0;
    found_.groups = int(model.surface.groups.size());
    found_.has_textures = model.faces.has_textures();
    found_.box = bounds(model.tets ? model.tets->points : model.surface.points);
    found_.unit_guess = guess_unit(found_.box.extent().maxCoeff(), settings_.unit);
    if (model.tets) {
      found_.volume = found_.counted = volume(*model.tets);
      found_.closed = true;
    }
  }

  bool has_measurable_size() const {
    const double extent = found_.box.extent().maxCoeff();
    return extent > smallest_measured && extent < largest_measured;
  }

  /// What is said about a cloud is said about the surface that it gets.
  void draw_around_points() {
    if (!has_measurable_size()) return;
    try {
      CloudSurface drawn = surface_around(found_.given.points);
      found_.given = std::move(drawn.mesh);
      found_.box = bounds(found_.given.points);
      found_.unit_guess = guess_unit(found_.box.extent().maxCoeff(), settings_.unit);
      left_out_ = drawn.left_out;
    } catch (const InputError& error) {
      found_.refusal = error.problems().front().what;
    }
  }

  void look_at_surface() {
    if (!has_measurable_size() || found_.given.triangles.empty()) return;
    const double extent = found_.box.extent().maxCoeff();
    found_.measured = true;
    found_.area = area(found_.given);
    std::vector<Vec3> near = found_.given.points;
    near_ = gather_near_points(near, suspiciously_near * extent);
    try {
      found_.intake =
          take_in(found_.given, {.weld = settings_.weld, .thickness = settings_.thickness});
    } catch (const InputError& error) {
      found_.refusal = error.problems().front().what;
      return;
    }
    near_ = std::max(0, near_ - found_.intake->defects.moved);  // these are welded already
    const TriangleMesh& mesh = found_.intake->mesh;
    found_.closed = found_.intake->defects.topology.closed;
    found_.parts = found_.intake->defects.topology.shells;
    found_.overlaps = find_self_intersections(mesh, Bvh(mesh));
    found_.volume = volume(mesh);
    found_.counted = counted_volume(mesh, WindingNumber(mesh));
    found_.cavities = count_cavities(mesh);
  }

  void look_at_faces(const Model& model) {
    const double diagonal = found_.box.extent().norm() / scale_;
    std::vector<FaceBorder> borders =
        read_cad_borders(settings_.model, 0.01 * diagonal, 0.5 * cad_gap * diagonal);
    for (FaceBorder& border : borders) place(border.points);
    CadInspection& cad = found_.cad.emplace(inspect_cad(model.patches, borders, found_.given,
                                                        *found_.intake, found_.overlaps.triangles));
    const bool is_asked = settings_.unit != "file";
    cad.unit_length = is_asked ? unit_lengths[index_of(settings_.unit, unit_names)] : model.unit;
    cad.unit = name_of_unit(cad.unit_length);
    cad.said_by = is_asked ? fmt::format("asked for; the file says {}", name_of_unit(model.unit))
                           : "as the file says";
    cad.left_out = model.faces_left_out;
    found_.closed = cad.meetings.holes == 0;
    found_.parts = cad.pieces;
    found_.cavities = 0;
  }

  static int count_cavities(const TriangleMesh& mesh) {
    const std::vector<int> shell = shell_of_triangles(mesh);
    std::vector<std::vector<Triangle>> parts;
    for (std::size_t t = 0; t < shell.size(); ++t) {
      if (shell[t] >= int(parts.size())) parts.resize(std::size_t(shell[t]) + 1);
      parts[std::size_t(shell[t])].push_back(mesh.triangles[t]);
    }
    if (parts.size() > 1000) return 0;
    int cavities = 0;
    TriangleMesh part;
    part.points = mesh.points;
    for (std::vector<Triangle>& triangles : parts) {
      part.triangles = std::move(triangles);
      cavities += is_closed(part) && volume(part) < 0;
    }
    return cavities;
  }

  void add(const char* id, const char* label, std::size_t count, const std::string& remark = "",
           const Vec3& color = Vec3::Zero()) {
    found_.findings.push_back(
        {id, label_for(count, label), (long long)(count), count > 0 ? remark : "", color});
  }

  void list_findings() {
    if (found_.kind == "tets" || found_.given.triangles.empty()) return;
    const Defects none;
    const Defects& d = found_.intake ? found_.intake->defects : none;
    add("holes", "holes", d.holes.size(),
        fmt::format("{} open edges; inside is told by winding number", d.topology.open_edges),
        orange);
    add("overlaps", "overlapping triangles", found_.overlaps.triangles.size(),
        fmt::format("{}{} {} through each other", found_.overlaps.complete ? "" : "at least ",
                    found_.overlaps.pairs,
                    found_.overlaps.pairs == 1 ? "pair passes" : "pairs pass"),
        red);
    add("turned", "triangles facing the wrong way", d.turned.size(), "turned", blue);
    add("inside_out", "parts inside out", std::size_t(d.turned_parts), "turned");
    add("crowded_edges", "edges of three or more triangles", d.crowded.size(),
        "not a manifold; inside is told by winding number", magenta);
    add("pinched_points", "points where parts only touch", d.pinched.size(), "", green);
    add("flat", "triangles without area", d.flat.size(), "left out", magenta);
    add("repeated", "repeated triangles", d.repeated.size(), "left out", yellow);
    add("opposed", "triangles from both sides", d.opposed.size(), "left out", yellow);
    add("one_sided", "triangles of one-sided parts", d.one_sided.size(), "no inside", violet);
    add("sheet", "open sheet", std::size_t(d.is_sheet),
        "hardly anything inside; \"thickness\" makes a solid of it");
    add("unused_points", "points of no triangle", std::size_t(d.unused), "kept in files only");
    add("stray_points", "points far from all others", std::size_t(d.stray >= 0),
        fmt::format("vertex {}", d.stray + 1));
    add("outliers", "points in the air", std::size_t(left_out_), "far from the others; left out");
    add("seams", "points at the place of another", std::size_t(d.welded),
        "count as one; files keep them");
    add("near_points", "points beside another", std::size_t(near_),
        fmt::format("within {:.2g} m; --weld {:.2g} would make one of them",
                    suspiciously_near * found_.box.extent().maxCoeff(),
                    suspiciously_near * found_.box.extent().maxCoeff()));
    add("parts", "parts besides the first", std::size_t(std::max(0, found_.parts - 1)),
        fmt::format("{} of them cavities", found_.cavities));
  }

  /// What drawing a CAD model leaves at the borders of its faces is no fault of it, so its faces
  /// are judged by their borders.
  void list_cad_findings() {
    const CadInspection& cad = *found_.cad;
    const FaceMeetings& meetings = cad.meetings;
    const auto length = [&](double metres) {
      return fmt::format("{:.3g} {}", metres / cad.unit_length, cad.unit);
    };
    add("left_out", "faces left out", std::size_t(cad.left_out), "told below");
    add("holes", "holes", std::size_t(meetings.holes),
        fmt::format("{} of free border; inside is told by winding number", length(meetings.open)),
        orange);
    const auto closed = std::find_if(meetings.pairs.begin(), meetings.pairs.end(),
                                     [&](const FaceMeeting& m) { return m.gap <= cad.accuracy; });
    if (meetings.pairs.empty()) add("gaps", "pairs of faces with a gap", 0);
    else
      add("gaps", "pairs of faces with a gap", std::size_t(closed - meetings.pairs.begin()),
          fmt::format("gap or overlap of up to {} (faces {} and {}); held together by stitches",
                      length(meetings.pairs[0].gap), meetings.pairs[0].first,
                      meetings.pairs[0].second));
    add("resting", "faces ending on others", meetings.rests.size(), list_of(meetings.rests, "on"));
    add("overlaps", "pairs of faces crossing", meetings.crossings.size(),
        list_of(meetings.crossings, "and"));
    std::vector<int> turned, alone;
    for (const CadFace& face : cad.faces) {
      if (face.was_turned) turned.push_back(face.number);
      if (face.piece > 1) alone.push_back(face.number);
    }
    add("turned", "faces facing the wrong way", turned.size(), "turned: " + list_of(turned));
    add("pieces", "pieces besides the first", std::size_t(std::max(0, cad.pieces - 1)),
        fmt::format("no face of them touches it: faces {}", list_of(alone)));
  }

  /// The body that would be made, by the same way as for a scene.
  void build() {
    const auto start = std::chrono::steady_clock::now();
    const SceneSource source = source_of_model(settings_.model);
    std::string body =
        fmt::format("\"file\": {}, \"unit\": {}, \"up\": {}", json_text(source.model_word()),
                    quote(settings_.unit), quote(settings_.up));
    if (settings_.weld > 0) body += fmt::format(", \"weld\": {}", settings_.weld);
    if (settings_.thickness > 0) body += fmt::format(", \"thickness\": {}", settings_.thickness);
    if (!settings_.method.empty()) body += ", \"method\": " + quote(settings_.method);
    try {
      BuiltScene built =
          build_scene(read_scene_text("{\"bodies\": [{" + body + "}]}", source), source);
      found_.building = seconds_since(start);
      found_.makes_a_body = true;
      found_.method = built.resolved.bodies[0].method.name;
      found_.nodes = built.world.bodies[0].nodes.size();
      found_.drawn_triangles = int(built.world.bodies[0].drawn_skin().triangles.size());
      found_.contact_triangles = int(built.world.bodies[0].skin.triangles.size());
      if (built.world.bodies[0].drawn)
        found_.contact_distance = built.world.bodies[0].drawn->distance;
      found_.substeps = *built.resolved.substeps;
      found_.notes = built.notes;
      found_.warnings = built.warnings;
      found_.reason = !settings_.method.empty() ? "asked for"
                      : found_.kind == "tets"   ? "the file has tets of its own"
                      : found_.kind == "CAD model"
                          ? "the default of CAD models: control points stay the unknowns"
                          : "the default: works on any surface, open or not";
      found_.stages = built.stages;
      note_control_points(built.world.bodies[0]);
      find_error_share(built);
    } catch (const InputError& error) {
      const Problem& first = error.problems().front();
      found_.refusal = first.where.empty() ? first.what : first.where + " " + first.what;
      if (!first.hint.empty()) found_.refusal += " (" + first.hint + ")";
    }
  }

  void find_error_share(BuiltScene& built) {
    found_.error_share = error_share_under_smooth_loads(built.world.bodies[0]);
    if (found_.error_share.value_or(0) > large_error_share)
      found_.warnings.push_back(
          fmt::format("{:.0f} % of the work of smooth loads is error energy: net and samples are "
                      "too coarse for "
                      "how the solid bends, and its stiffness may be off by tens of percent",
                      100 * *found_.error_share));
  }

  void note_control_points(const Body& body) {
    if (!found_.cad || !body.control_net) return;
    const std::vector<NurbsPatch>& patches = body.control_net->patches;
    for (std::size_t f = 0; f < std::min(patches.size(), found_.cad->faces.size()); ++f)
      found_.cad->faces[f].refined = int(patches[f].pole.size());
  }

  const InspectSettings& settings_;
  Inspection found_;
  double scale_ = 1;  // [m] of a unit of the numbers that were read
  int near_ = 0;
  int left_out_ = 0;  // points of a cloud
};

}  // namespace

const Finding& Inspection::finding(const std::string& id) const {
  const auto found =
      std::find_if(findings.begin(), findings.end(), [&](const Finding& f) { return f.id == id; });
  ASSERT(found != findings.end(), "a known finding");
  return *found;
}

std::vector<std::string> Inspection::complaints() const {
  std::vector<std::string> list = warnings;
  if (!makes_a_body) list.push_back(refusal);
  if (cad) {
    for (const char* id : {"holes", "overlaps", "left_out"})
      if (const Finding& found = finding(id); found.count > 0)
        list.push_back(fmt::format("{} {}", found.count, found.label));
  } else if (overlaps.pairs > 0)
    list.push_back(fmt::format("{} triangles pass through others", overlaps.triangles.size()));
  return list;
}

Inspection inspect(const InspectSettings& settings) { return Inspector(settings).inspect(); }

}  // namespace pliant
