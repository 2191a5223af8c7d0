#include "scene/description.h"

#include <fmt/format.h>
#include <numbers>
#include <set>

#include "body/scramble.h"
#include "core/assert.h"
#include "formats/cad.h"
#include "geometry/nurbs/models.h"
#include "methods/registry.h"
#include "scene/json.h"
#include "scene/material_use.h"

namespace pliant {
namespace {

// Wide enough for any scene, narrow enough that squares and cubes of them stay finite.
constexpr double farthest = 1e6;
constexpr double longest_time = 1e6;

Range position(const char* help, const char* computed = nullptr) {
  return {
      .unit = "m", .at_least = -farthest, .at_most = farthest, .help = help, .computed = computed};
}
Range length(const char* help) {
  return {.unit = "m", .at_least = 1e-6, .at_most = farthest, .help = help};
}
Range time(const char* help, const char* computed = nullptr) {
  return {.unit = "s", .at_least = 0, .at_most = longest_time, .help = help, .computed = computed};
}
constexpr Range color = {.at_least = 0,
                         .at_most = 1,
                         .help = "red, green, blue as in a web page, of 1 instead of 255",
                         .computed = "from a palette"};
constexpr const char* rotate_help = "about x, then y, then z, the axes standing still";

void check_name(Fields& fields, const std::optional<std::string>& name) {
  if (name)
    fields.check(is_good_name(*name), "name",
                 fmt::format("is {}; {}", quote(*name), good_name_rule));
}

void check_direction(Fields& fields, const Vec3& direction, const char* field) {
  fields.check(direction.norm() > 1e-12, field, "is zero; it must point somewhere");
}

void check_window(Fields& fields, double start, const std::optional<double>& end,
                  const char* field) {
  if (end)
    fields.check(
        *end > start, field,
        fmt::format("is {}; it must be later than the start, {}", shown(*end), shown(start)));
}

}  // namespace

// --- shapes ---

void describe(Fields& fields, BoxDescription& box) {
  fields.vector("size", box.size, length("edge lengths along x, y, z"));
}
void describe(Fields& fields, SphereDescription& sphere) {
  fields.number("radius", sphere.radius, length(""));
}
void describe(Fields& fields, CylinderDescription& cylinder) {
  fields.number("radius", cylinder.radius, length(""));
  fields.number("height", cylinder.height, length("along y"));
}
void describe(Fields& fields, CapsuleDescription& capsule) {
  fields.number("radius", capsule.radius, length(""));
  fields.number("length", capsule.length, length("of the straight part, along y"));
}
void describe(Fields& fields, TorusDescription& torus) {
  fields.number("ring", torus.ring, length("radius of the centre line, around y"));
  fields.number("tube", torus.tube, length("radius of the tube"));
  fields.check(
      torus.tube < torus.ring, "tube",
      fmt::format("is {}; it must be below ring, {}", shown(torus.tube), shown(torus.ring)));
}
void describe(Fields& fields, FishDescription& fish) {
  fields.number("length", fish.length, length("from nose to tail"));
}
void describe(Fields& fields, PlaneDescription& plane) {
  fields.vector("point", plane.point, position("any point of it"));
  fields.vector("normal", plane.normal,
                {.at_least = -farthest,
                 .at_most = farthest,
                 .help = "points away from the solid side; any length"});
  check_direction(fields, plane.normal, "normal");
}
void describe(Fields& fields, MeshDescription& mesh) {
  fields.shorthand("file");
  fields.file("file", mesh.file, nullptr, {.help = "a triangle mesh", .required = true});
}

void describe(Fields& fields, WaveDescription& wave) {
  fields.number("height", wave.height,
                {.unit = "m", .at_least = -farthest, .at_most = farthest, .help = "of its crests"});
  fields.number("length", wave.length, length("from crest to crest"));
  fields.number("direction", wave.direction,
                {.unit = "degrees", .at_least = -1e6, .at_most = 1e6, .help = "from x towards z"});
  fields.number(
      "phase", wave.phase,
      {.unit = "degrees", .at_least = -1e6, .at_most = 1e6, .help = "0: a crest at its place"});
}
void describe(Fields& fields, HeightfieldDescription& field) {
  fields.vector("size", field.size, length("along x and z"));
  bool has_file = field.file.has_value();
  std::string file = field.file.value_or("");
  fields.file("file", file, &has_file,
              {.help = "a table of numbers: those of a line lie along x, lines follow along z"});
  if (has_file) field.file = file;
  else field.file.reset();
  fields.number("scale", field.scale,
                {.unit = "m", .at_least = -1e6, .at_most = 1e6, .help = "of one unit of the file"});
  fields.list("waves", field.waves, {.help = "added up, instead of a file; none: level ground"});
  fields.check(!has_file || field.waves.empty(), "waves",
               "are given beside a file; only one can be meant");
  fields.number("edge", field.edge,
                {.unit = "m",
                 .at_least = 1e-6,
                 .at_most = farthest,
                 .help = "of the cells of waves",
                 .computed = "a sixteenth of the shortest wave"});
}

// --- motion ---

void describe(Fields& fields, KeyDescription& key) {
  Range when = time("");
  when.required = true;
  fields.number("time", key.time, when);
  fields.vector("move", key.move, position("away from the place at rest"));
  fields.vector("rotate", key.rotate,
                {.unit = "degrees",
                 .at_least = -1e6,
                 .at_most = 1e6,
                 .help = "about x, then y, then z, through the pivot; between keys the shorter way "
                         "round, so use spin "
                         "for half turns and more"});
}

void describe(Fields& fields, SpinDescription& spin) {
  fields.vector(
      "axis", spin.axis,
      {.at_least = -farthest, .at_most = farthest, .help = "through the pivot; any length"});
  check_direction(fields, spin.axis, "axis");
  fields.number("degrees_per_second", spin.degrees_per_second,
                {.unit = "degrees/s", .at_least = -1e6, .at_most = 1e6, .required = true});
  fields.number("start", spin.start, time("stands still before"));
  fields.number("end", spin.end, time("keeps the angle it has then", "never"));
  check_window(fields, spin.start, spin.end, "end");
}

void describe(Fields& fields, MotionDescription& motion) {
  fields.list(
      "keyframes", motion.keyframes,
      {.help = "straight lines between; at the first key before it, at the last one after it"});
  for (std::size_t i = 1; i < motion.keyframes.size(); ++i) {
    const double last = motion.keyframes[i - 1].time, now = motion.keyframes[i].time;
    const char* rule = now == last ? "is {}, the time of the key before it; times must rise"
                                   : "is {}, earlier than the key before it, {}; times must rise";
    fields.check(now > last, fmt::format("keyframes/{}/time", i).c_str(),
                 fmt::format(fmt::runtime(rule), shown(now), shown(last)));
  }
  fields.object("spin", motion.spin, {.help = "turns about an axis; comes before the keyframes"});
  fields.vector("pivot", motion.pivot,
                position("rotation is about this point", "the middle of what moves"));
}

// --- what belongs to a body ---

void describe(Fields& fields, MaterialUse& use) {
  fields.shorthand("name");
  fields.text(
      "name", use.name,
      {.help = "a material of this scene or a preset; values given beside it replace its own"});
  describe(fields, use.values);
  fields.check(use.name.empty() || use.values.preset.empty(), "preset",
               "is given beside a name; only one can be meant");
}

MethodDescription::MethodDescription() : MethodDescription(registered_methods().front().name) {}
MethodDescription::MethodDescription(const std::string& method) : name(method) {
  const MethodKind* kind = find_method(method);
  ASSERT(kind, "a registered method");
  settings = kind->settings();
}

void describe(Fields& fields, MethodDescription& method) {
  fields.shorthand_names_member();
  const std::string before = method.name;
  method.is_chosen = true;
  std::vector<const char*> names;
  for (const MethodKind& kind : registered_methods()) {
    bool present = before == kind.name;
    std::shared_ptr<MethodSettings> settings = present ? method.settings : kind.settings();
    fields.object(kind.name, &present, {.help = kind.help},
                  [&](Fields& inner) { describe(inner, *settings); });
    if (present) {
      method.name = kind.name;
      method.settings = std::move(settings);
    }
    names.push_back(kind.name);
  }
  fields.exactly_one(names);
}

void describe(Fields& fields, RegionMaterial& part) {
  fields.object("region", part.region,
                {.help = "chosen at rest; later regions win; a group: what is nearest to it",
                 .required = true});
  fields.object("material", part.material, {.required = true});
  fields.check(
      !part.region.nearest, "region",
      "must be a box, sphere, half_space or group, since it chooses volume and not points");
}

void describe(Fields& fields, PinDescription& pin) {
  fields.object("region", pin.region, {.help = "what is held where it is", .required = true});
  fields.choice("axes", pin.axes, axes_names,
                {.help = "of static scenes: holds it along these axes only, or along its normal; "
                         "across them it slides: rollers, planes of symmetry"});
  fields.number("release", pin.release, time("let go then", "never"));
}

void describe(Fields& fields, HandleDescription& handle) {
  fields.object("region", handle.region, {.help = "what is moved", .required = true});
  describe(fields, handle.motion);
  fields.number("release", handle.release, time("let go then", "never"));
}

void describe(Fields& fields, LoadDescription& load) {
  fields.vector("force", load.force,
                {.unit = "N",
                 .at_least = -1e12,
                 .at_most = 1e12,
                 .help = "in all, spread evenly over the chosen surface"});
  fields.vector("moment", load.moment,
                {.unit = "N m",
                 .at_least = -1e12,
                 .at_most = 1e12,
                 .help = "in all, about the middle of the chosen surface, as forces across it"});
  fields.number("pressure", load.pressure,
                {.unit = "Pa",
                 .at_least = -1e12,
                 .at_most = 1e12,
                 .help = "on the chosen surface; negative pulls"});
  fields.vector("acceleration", load.acceleration,
                {.unit = "m/s^2",
                 .at_least = -1e6,
                 .at_most = 1e6,
                 .help = "of the chosen part, like gravity"});
  static constexpr const char* kinds[] = {"force", "moment", "pressure", "acceleration"};
  fields.exactly_one(kinds);
  fields.object("region", load.region, {.help = "where it acts; left out: everywhere"});
  fields.number("start", load.start, time(""));
  fields.number("end", load.end, time("", "never"));
  check_window(fields, load.start, load.end, "end");
}

static void describe(Fields& fields, FieldDescription& field) {
  fields.shorthand("name");
  fields.text("name", field.name, {.required = true});
}

void describe(Fields& fields, ProbeDescription& probe) {
  fields.text("name", probe.name,
              {.help = "heads its columns in metrics.csv", .computed = "probe and a number"});
  check_name(fields, probe.name);
  Range where = position("at rest; the nearest vertex of the skin is followed");
  where.required = true;
  fields.vector("point", probe.point, where);
  fields.list("fields", probe.fields,
              {.help = "fields whose value there goes into metrics.csv too: contact_pressure, "
                       "von_mises, ..."});
}

void describe(Fields& fields, StartDescription& start) {
  fields.choice("scramble", start.scramble, scramble_names,
                {.help = "every node is thrown at random into the horizontal plane, the box, the "
                         "line along x or the point in the body's middle",
                 .required = true});
  fields.integer("seed", start.seed,
                 {.at_least = 0, .at_most = 1e9, .help = "another seed, another disorder"});
}

void describe(Fields& fields, MadeModelDescription& model) {
  static const std::vector<const char*> names = [] {
    std::vector<const char*> list;
    for (const MadeModel& made : made_models()) list.push_back(made.name);
    return list;
  }();
  fields.shorthand("name");
  fields.choice("name", model.name, names, {.help = "see `pliant model`", .required = true});
}

static void describe(Fields& fields, ShapeDescription& shape) {
  fields.shorthand("file");
  bool has_file = shape.file.has_value();
  std::string file = shape.file.value_or("");
  fields.file("file", file, &has_file, {.help = "a surface, a CAD model or a tet mesh"});
  if (has_file) shape.file = file;
  else shape.file.reset();
  fields.object("box", shape.box, {.help = "about the origin"});
  fields.object("sphere", shape.sphere, {.help = "about the origin"});
  fields.object("cylinder", shape.cylinder, {.help = "about the origin, along y"});
  fields.object("capsule", shape.capsule, {.help = "about the origin, along y"});
  fields.object("torus", shape.torus, {.help = "about the origin, around y"});
  fields.object(
      "fish", shape.fish,
      {.help = "about the origin, nose at -x; edges of 0.011 of its length show it well"});
  fields.object("model", shape.model, {.help = "a CAD model that pliant makes itself, by name"});
  static constexpr const char* shapes[] = {"file",    "box",   "sphere", "cylinder",
                                           "capsule", "torus", "fish",   "model"};
  fields.exactly_one(shapes);
}

template <class Shape>
static void describe_edge(Fields& fields, Shape& shape) {
  fields.number("edge", shape.edge,
                {.unit = "m",
                 .at_least = 1e-6,
                 .at_most = farthest,
                 .help = "of the triangles of a box, sphere, ...; not for files",
                 .computed = "a sixteenth of the largest extent"});
  fields.check(!shape.edge || !shape.file, "edge", "is given, but a file brings its own triangles");
}

template <class Shape>
static void describe_file_axes(Fields& fields, Shape& shape) {
  fields.choice(
      "unit", shape.unit, unit_names,
      {.help = "of the lengths in the file; \"file\": what a CAD file says, m of others"});
  fields.check(shape.unit == 0 || shape.file, "unit",
               "is given without a file; shapes are in metres");
  fields.choice("up", shape.up, up_names, {.help = "which axis of the file points up"});
  fields.check(shape.up == 0 || shape.file, "up", "is given without a file; shapes have y up");
}

template <class Shape>
static void describe_pose(Fields& fields, Shape& shape, const char* place_help) {
  fields.number("scale", shape.scale,
                {.at_least = 1e-6, .at_most = 1e6, .help = "comes first, then rotate, then place"});
  fields.vector("rotate", shape.rotate,
                {.unit = "degrees", .at_least = -1e6, .at_most = 1e6, .help = rotate_help});
  fields.vector("place", shape.place, position(place_help));
}

void describe(Fields& fields, PartDescription& part) {
  describe(fields, static_cast<ShapeDescription&>(part));
  fields.text("name", part.name,
              {.help = "of the group of its surface; its own groups are NAME/GROUP",
               .computed = "part_1, ..."});
  check_name(fields, part.name);
  describe_edge(fields, part);
  describe_file_axes(fields, part);
  describe_pose(fields, part, "where the part's origin goes in the body, before that is placed");
}

void describe(Fields& fields, BodyDescription& body) {
  describe(fields, static_cast<ShapeDescription&>(body));
  fields.list("parts", body.parts,
              {.help = "more shapes that are one solid with the first, whatever they overlap: "
                       "triangle meshes and CAD faces alike"});
  fields.text("name", body.name, {.computed = "the file's name or the shape's, made unique"});
  check_name(fields, body.name);
  describe_edge(fields, body);
  describe_file_axes(fields, body);
  fields.flag("centre", body.centre,
              {.help = "the middle of the file becomes its origin; `pliant MODEL` does so with "
                       "models far from theirs"});
  fields.check(!body.centre || body.file, "centre", "is given without a file");
  fields.number(
      "weld", body.weld,
      {.unit = "m",
       .at_least = 0,
       .at_most = farthest,
       .help =
           "points of the file closer than this become one; always those apart by rounding only"});
  fields.check(body.weld == 0 || body.file, "weld", "is given without a file");
  fields.number("thickness", body.thickness,
                {.unit = "m",
                 .at_least = 1e-6,
                 .at_most = farthest,
                 .help = "makes a solid of an open or flat surface, behind its faces",
                 .computed = "none: what the surface surrounds is the body"});
  fields.check(!body.thickness || body.file, "thickness", "is given without a file");
  fields.number(
      "contact_detail", body.contact_detail,
      {.at_least = 0.1,
       .at_most = 100,
       .help = "a skin finer than the nodes touches through a coarser surface, with "
               "edges of at most 1.2 of their distance; 2 = half as long, and so on. What "
               "is asked finer than the skin is the skin"});
  describe_pose(fields, body, "where the model's origin goes");
  const bool is_cad = body.model || (body.file && is_cad_file(*body.file));
  if (is_cad && !body.method.is_chosen) body.method = MethodDescription("nurbs");
  fields.object("method", body.method,
                {.help = "how it is computed: a name, or a name with settings; CAD models are "
                         "nurbs unless this says otherwise"});
  fields.object("material", body.material,
                {.help = "a name, or values",
                 .computed = "soft enough to sag by a twentieth under its own weight"});
  fields.vector("velocity", body.velocity,
                {.unit = "m/s", .at_least = -1e5, .at_most = 1e5, .help = "at the start"});
  fields.vector("spin", body.spin,
                {.unit = "degrees/s",
                 .at_least = -1e6,
                 .at_most = 1e6,
                 .help = "at the start, about the centre of mass: axis times speed"});
  fields.object("start", body.start,
                {.help = "starts in disorder instead of in its shape; tets with \"recovery\" find "
                         "back"});
  fields.vector("color", body.color,
                {.at_least = color.at_least,
                 .at_most = color.at_most,
                 .help = color.help,
                 .computed = "the model's own colors and images, or else from a palette"});
  Range bared = color;
  bared.help = "in films and pictures: of what was inside until it was cut or torn open";
  bared.computed = "as outside";
  fields.vector("inside_color", body.inside_color, bared);
  fields.list("pins", body.pins, {.help = "parts that are held"});
  fields.list("regions", body.regions, {.help = "parts with another material"});
  fields.list("handles", body.handles, {.help = "parts that are moved"});
  fields.list("loads", body.loads);
  fields.list("probes", body.probes, {.help = "points whose path goes into metrics.csv"});
}

void describe(Fields& fields, ColliderDescription& collider) {
  fields.object("plane", collider.plane, {.help = "everything behind it is solid"});
  fields.object("sphere", collider.sphere, {.help = "about its place"});
  fields.object("box", collider.box, {.help = "about its place"});
  fields.object("capsule", collider.capsule, {.help = "about its place, along y"});
  fields.object("mesh", collider.mesh,
                {.help = "closed: solid inside; open: keeps each vertex on its side"});
  fields.object("heightfield", collider.heightfield,
                {.help = "about its place; solid below, and beyond its rim as the rim is"});
  static constexpr const char* shapes[] = {"plane",   "sphere", "box",
                                           "capsule", "mesh",   "heightfield"};
  fields.exactly_one(shapes);
  fields.text("name", collider.name, {.computed = "the shape's name, made unique"});
  check_name(fields, collider.name);
  fields.choice("unit", collider.unit, unit_names,
                {.help = "of the lengths in the mesh file; \"file\": as for bodies"});
  fields.check(collider.unit == 0 || collider.mesh, "unit",
               "is given without a mesh; shapes are in metres");
  fields.choice("up", collider.up, up_names, {.help = "which axis of the mesh file points up"});
  fields.check(collider.up == 0 || collider.mesh, "up",
               "is given without a mesh; shapes have y up");
  fields.number("scale", collider.scale, {.at_least = 1e-6, .at_most = 1e6, .help = "of a mesh"});
  fields.check(collider.scale == 1 || collider.mesh, "scale",
               "is given without a mesh; give the shape its size");
  fields.vector("rotate", collider.rotate,
                {.unit = "degrees", .at_least = -1e6, .at_most = 1e6, .help = rotate_help});
  fields.vector("place", collider.place,
                position("where the shape's middle or the file's origin goes"));
  fields.number("friction", collider.friction,
                {.at_least = 0,
                 .at_most = 10,
                 .help = "Coulomb; a contact takes the root of the product of both"});
  fields.vector("color", collider.color, color);
  fields.flag("visible", collider.visible,
              {.help = "in films and pictures; false: like clear glass, to look through"});
  fields.flag("cuts", collider.cuts,
              {.help = "a blade, as thin as the box's shortest side: it passes through bodies of "
                       "clusters, and parts them when it has been through all of a section"});
  fields.check(!collider.cuts || collider.box, "cuts",
               "is given of another shape; a blade is a box");
  describe(fields, collider.motion);
}

void describe(Fields& fields, AttachmentDescription& attachment) {
  fields.text("body", attachment.body, {.help = "whose vertices are tied", .required = true});
  fields.text(
      "to", attachment.to,
      {.help = "a body, a collider, or \"world\": where its vertices are at the start, they "
               "stay",
       .required = true});
  fields.object(
      "region", attachment.region,
      {.help = "which vertices; left out: those near the other. One is a ball joint, some on "
               "a line are a hinge"});
  fields.number("within", attachment.within,
                {.unit = "m",
                 .at_least = 0,
                 .at_most = farthest,
                 .help = "of the other body's surface, no farther",
                 .computed = "with a region: anywhere; without: a fiftieth of the smaller body, of "
                             "thin ones less"});
  fields.number("stiffness", attachment.stiffness,
                {.unit = "N/m",
                 .above = 0,
                 .at_most = 1e15,
                 .help = "of the whole attachment",
                 .computed = "stiff"});
  fields.number("strength", attachment.strength,
                {.unit = "N",
                 .above = 0,
                 .at_most = 1e15,
                 .help = "each vertex tears loose at its share of this",
                 .computed = "never tears"});
  fields.check(attachment.body != attachment.to, "to", "is the body itself");
}

static void describe(Fields& fields, CornerDescription& corner) {
  fields.vector("point", corner.point, position("a corner"));
}

void describe(Fields& fields, CutDescription& cut) {
  fields.text("body", cut.body, {.help = "of clusters: what is cut", .required = true});
  fields.number("time", cut.time, time("it is made in the first frame after this"));
  fields.object("plane", cut.plane, {.help = "cuts all that it passes through"});
  fields.list("polygon", cut.polygon,
              {.help = "instead: three corners or more in a plane, in order; a piece is parted "
                       "where all of its section lies within them"});
  fields.check(cut.plane.has_value() != !cut.polygon.empty(), "",
               "must have a plane or a polygon, and not both");
}

// --- the scene ---

void describe(Fields& fields, OutputsDescription& outputs) {
  fields.flag("film", outputs.film, {.help = "film.mp4"});
  fields.flag("picture", outputs.picture, {.help = "last.png"});
  fields.flag("glb", outputs.glb, {.help = "the motion as one animated .glb"});
  fields.flag("ply", outputs.ply,
              {.help = "ply/: one file per body and frame, which may take gigabytes"});
  fields.choice("surface", outputs.surface, surface_names,
                {.help = "what .ply and .glb show: the skin that is computed, or the vertices and "
                         "faces of the model file; `pliant convert` can do either later"});
  fields.flag("contact_surface", outputs.contact_surface,
              {.help = "film, pictures and files show the surfaces that contact touches instead of "
                       "those that are drawn"});
  fields.list("fields", outputs.fields,
              {.help = "names of fields to record besides color_by, for `pliant convert --to vtu`: "
                       "von_mises, J, ..."});
  fields.flag("volume", outputs.volume,
              {.help = "record what is inside the bodies, too, for `pliant convert --to vtu`: "
                       "displacement, velocity, stress, J, plastic strain"});
  fields.text("color_by", outputs.color_by,
              {.help = "\"body\", or a field: displacement, height, speed, contact_pressure, ..."});
  fields.vector("color_range", outputs.color_range,
                {.help = "values of the first and the last color, to compare films: [0, 5e4]",
                 .computed = "what the field has in nearly all places and frames"});
  if (outputs.color_range) {
    const Vec2& range = *outputs.color_range;
    fields.check(
        range[0] < range[1], "color_range",
        fmt::format("is [{:g}, {:g}]; the first must be below the second", range[0], range[1]));
    fields.check(outputs.color_by != "body", "color_range", "is given without a field in color_by");
  }
  fields.number("film_fps", outputs.film_fps,
                {.unit = "1/s",
                 .at_least = 1,
                 .at_most = 240,
                 .help = "frames per second of film and animation"});
  fields.number("slow_motion", outputs.slow_motion,
                {.at_least = 1e-6,
                 .at_most = 1e9,
                 .help = "how many times slower than the motion film and animation play; 1 = real "
                         "time, below 1 = faster"});
  fields.integer("width", outputs.width,
                 {.unit = "pixels", .at_least = 16, .at_most = 8192, .help = "even"});
  fields.integer("height", outputs.height,
                 {.unit = "pixels", .at_least = 16, .at_most = 8192, .help = "even"});
  for (const auto& [field, value] :
       {std::pair("width", outputs.width), std::pair("height", outputs.height)})
    fields.check(value % 2 == 0, field,
                 fmt::format("is {}; it must be even, or films cannot be coded", value));
  fields.flag("trim", outputs.trim, {.help = "the film ends a second after all has come to rest"});
  fields.integer("samples", outputs.samples,
                 {.at_least = 1,
                  .at_most = 64,
                  .help = "rays to lamp and sky: 4 = film, fewer count as 4, 32 = poster"});
  fields.integer("checkpoint_every", outputs.checkpoint_every,
                 {.unit = "frames",
                  .at_least = 1,
                  .at_most = 1e9,
                  .help = "how much is lost at most when a run is killed"});
}

void describe(Fields& fields, CameraDescription& camera) {
  fields.vector("eye", camera.eye, position("", "far enough to see everything"));
  fields.vector("target", camera.target,
                position("the middle of the picture", "the middle of the bodies"));
  fields.number("fov", camera.fov,
                {.unit = "degrees", .at_least = 1, .at_most = 150, .help = "from bottom to top"});
  fields.choice("follow", camera.follow, follow_names,
                {.help = "the camera goes with the bodies; auto: where it is left to choose its "
                         "place and all move on so far together that they would become dots"});
  if (camera.eye && camera.target)
    fields.check((*camera.eye - *camera.target).norm() > 1e-9, "target", "is where the eye is");
}

namespace {

/// Names that others refer to must be told apart.
template <class Named>
void check_names_differ(Fields& fields, const char* list, const std::vector<Named>& named,
                        std::set<std::string>& seen) {
  for (std::size_t i = 0; i < named.size(); ++i)
    if (named[i].name)
      fields.check(seen.insert(*named[i].name).second, fmt::format("{}/{}/name", list, i).c_str(),
                   fmt::format("is {}, which is taken already", quote(*named[i].name)));
}

void check_scene(Fields& fields, const SceneDescription& scene) {
  std::set<std::string> bodies, colliders, probes;
  check_names_differ(fields, "bodies", scene.bodies, bodies);
  if (scene.colliders) check_names_differ(fields, "colliders", *scene.colliders, colliders);
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    const BodyDescription& body = scene.bodies[i];
    check_names_differ(fields, fmt::format("bodies/{}/probes", i).c_str(), body.probes, probes);
    check_material(fields, scene, body.material, fmt::format("bodies/{}/material", i));
    for (std::size_t k = 0; k < body.regions.size(); ++k)
      check_material(fields, scene, body.regions[k].material,
                     fmt::format("bodies/{}/regions/{}/material", i, k));
  }
  for (const auto& [name, material] : scene.materials)
    check_extremes(fields, material, pointer("materials", name));
}

}  // namespace

/// In the order of Touches.
static const char* const touch_names[] = {"colliders", "bodies", "all"};
/// In the order of SceneDescription::Overlap.
static const char* const overlap_names[] = {"error", "separate", "push"};

void describe(Fields& fields, SceneDescription& scene) {
  fields.integer("version", scene.version,
                 {.at_least = 1, .at_most = 1e9, .help = "of the scene format"});
  fields.check(scene.version <= SceneDescription::newest_version, "version",
               fmt::format("is {}; this program reads version {}, a newer one is needed",
                           scene.version, SceneDescription::newest_version));
  fields.text("title", scene.title,
              {.help = "under film and picture", .computed = "the name of the file"});
  fields.vector("gravity", scene.gravity,
                {.unit = "m/s^2", .at_least = -1e6, .at_most = 1e6, .help = "y points up"});
  fields.integer("frames", scene.frames,
                 {.at_least = 0,
                  .at_most = 1e6,
                  .help = "0 = only the start",
                  .computed = "240; 1 of a static scene in which nothing changes in time"});
  fields.number(
      "fps", scene.fps,
      {.unit = "frames/s", .at_least = 0.1, .at_most = 1e5, .help = "a frame lasts 1/fps seconds"});
  fields.integer("substeps", scene.substeps,
                 {.at_least = 1,
                  .at_most = 10000,
                  .help = "per frame; more are stiffer and slower",
                  .computed = "from the stiffness"});
  fields.flag("static", scene.statics,
              {.help = "each frame is the equilibrium under the loads and handles of its time: no "
                       "inertia, no contact"});
  fields.number("accuracy", scene.accuracy,
                {.at_least = 0.005,
                 .at_most = 1,
                 .help = "of static scenes: bodies whose method says neither \"particles\" nor "
                         "\"cells\" or the like are made finer until the largest displacement "
                         "and stress seem to be as near as this share; 1 = as they are"});
  fields.choice(
      "touch", scene.touch, touch_names,
      {.help = "what bodies touch: colliders only; also each other, which is quicker; or all, "
               "that is also themselves"});
  fields.choice("overlap", scene.overlap, overlap_names,
                {.help = "of bodies that start inside each other or inside colliders: refused; "
                         "moved apart before the start, later bodies out of earlier ones; or left "
                         "to contact to push them out"});
  fields.integer("seed", scene.seed,
                 {.at_least = 0, .at_most = 2147483647, .help = "of everything random"});
  fields.map("materials", scene.materials, {.help = "by name, for bodies to refer to"});
  fields.list("bodies", scene.bodies, {.help = "a file name or an object each", .required = true});
  fields.check(!scene.bodies.empty(), "bodies", "is empty; a scene has at least one body");
  fields.list("colliders", scene.colliders,
              {.help = "solids that do not give way; [] = none",
               .computed = "a floor below the lowest body, by half of the tallest body's height, "
                           "at least an eighth of a body's size"});
  fields.list("attachments", scene.attachments, {.help = "what is tied to what"});
  fields.list("cuts", scene.cuts, {.help = "planes that part bodies of clusters"});
  fields.object("outputs", scene.outputs,
                {.help = "what a run writes besides metrics.csv and run.json"});
  fields.object("camera", scene.camera, {.help = "of picture and film"});
  check_scene(fields, scene);
}

}  // namespace pliant
