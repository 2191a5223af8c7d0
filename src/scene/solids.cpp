#include "scene/solids.h"

#include <fmt/format.h>

#include "formats/formats.h"
#include "geometry/intake/point_cloud.h"
#include "geometry/mesh/fish.h"
#include "geometry/mesh/primitives.h"
#include "geometry/nurbs/models.h"
#include "geometry/nurbs/primitives.h"
#include "geometry/query/bvh.h"
#include "geometry/query/self_intersections.h"
#include "scene/doubts.h"
#include "scene/join.h"
#include "scene/json.h"
#include "scene/material_use.h"

namespace pliant {
namespace {

constexpr double edges_per_extent = 16;  // of a primitive, when nobody says
constexpr double most_edges = 500;       // across a primitive: some millions of triangles
constexpr double largest_world = 1e6;    // [m]
constexpr double smallest_body = 1e-9;   // [m] below, squares and cubes of lengths get lost

std::optional<Model> load_model(const std::string& file, const std::string& where, BuildLog& log,
                                std::filesystem::path* path = nullptr) {
  const ResolvedPath found = resolve(log.source, file);
  if (path) *path = found.path;
  if (!found.fine()) {
    log.problem(where, log.source.is_model ? found.reason : found.problem, found.hint);
    return std::nullopt;
  }
  try {
    Model model = log.models->read(found.path);
    for (const std::string& warning : model.warnings) log.warnings.push_back(warning);
    const bool is_empty = model.surface.points.empty() && (!model.tets || model.tets->tets.empty());
    if (!is_empty) return model;
    log.model_problem(where, file, InputError(file, "", "has no triangles and no tets"));
  } catch (const InputError& error) {
    log.model_problem(where, file, error);
  }
  return std::nullopt;
}

double primitive_extent(const ShapeDescription& body) {
  if (body.box) return body.box->size.maxCoeff();
  if (body.sphere) return 2 * body.sphere->radius;
  if (body.cylinder) return std::max(2 * body.cylinder->radius, body.cylinder->height);
  if (body.capsule) return 2 * body.capsule->radius + body.capsule->length;
  if (body.torus) return 2 * (body.torus->ring + body.torus->tube);
  if (body.fish) return body.fish->length;
  return 1;
}

/// Shapes that have an exact form as CAD faces; none for the others.
std::vector<NurbsPatch> patches_of(const ShapeDescription& body) {
  if (body.model) return made_models()[std::size_t(body.model->name)].make();
  if (body.box) return nurbs_box(body.box->size);
  if (body.sphere) return nurbs_sphere(body.sphere->radius);
  if (body.cylinder) return nurbs_cylinder(body.cylinder->radius, body.cylinder->height);
  if (body.torus) return nurbs_torus(body.torus->ring, body.torus->tube);
  return {};
}

Box box_of(const std::vector<NurbsPatch>& patches) {
  Box box;
  for (const NurbsPatch& patch : patches)
    for (const Vec2& at : patch.domain) box.add(patch.point(at.x(), at.y()));
  return box;
}

TriangleMesh primitive(const ShapeDescription& body, double edge) {
  if (body.box) return box_mesh(body.box->size, edge);
  if (body.sphere) return sphere_mesh(body.sphere->radius, edge);
  if (body.cylinder) return cylinder_mesh(body.cylinder->radius, body.cylinder->height, edge);
  if (body.capsule) return capsule_mesh(body.capsule->radius, body.capsule->length, edge);
  if (body.fish) return fish_mesh(body.fish->length, edge);
  return torus_mesh(body.torus->ring, body.torus->tube, edge);
}

bool check_edge(BodyDescription& body, double extent, const std::string& where, BuildLog& log) {
  if (!body.edge) body.edge = extent / edges_per_extent;
  if (extent <= most_edges * *body.edge) return true;
  log.problem(where + "/edge",
              fmt::format("is {} m; it must be at least {} m for a {} of {} m", shown(*body.edge),
                          shown(extent / most_edges), shape_name(body), shown(extent)));
  return false;
}

/// A primitive as its fields say; lengths in metres but for `scale`.
std::optional<TriangleMesh> primitive_of(BodyDescription& body, const std::string& where,
                                         BuildLog& log) {
  const double extent = primitive_extent(body);
  if (!check_edge(body, extent, where, log)) return std::nullopt;
  return primitive(body, *body.edge);
}

void place(std::vector<Vec3>& points, const Pose& pose, double scale, int up = 0) {
  for (Vec3& p : points) p = pose.apply(scale * upright(p, up));
}
void place(Solid& solid, const Pose& pose, double scale, int up = 0) {
  place(solid.surface.points, pose, scale, up);
  if (solid.tets) place(solid.tets->points, pose, scale, up);
  for (NurbsPatch& patch : solid.patches) place(patch.pole, pose, scale, up);
}

/// Of the points that triangles or tets use; of all when there are none.
Box box_of(const Solid& solid) {
  if (solid.tets) return bounds(solid.tets->points);
  if (solid.surface.triangles.empty()) return bounds(solid.surface.points);
  Box box;
  for (const Triangle& t : solid.surface.triangles)
    for (const int p : t) box.add(solid.surface.points[p]);
  return box;
}

/// So far from the origin, for its size, that the floats of files lose its details.
bool is_far(const Box& box) { return box.centre().norm() > 1e4 * box.extent().maxCoeff(); }

/// Survey and CAD coordinates are often far from the origin. What was taken off them.
Vec3 bring_near(BodyDescription& body, Solid& solid, BuildLog& log) {
  const Box box = box_of(solid);
  const Vec3 middle = box.centre();
  const bool by_itself = log.source.is_model && is_far(box);
  if (!(box.extent().maxCoeff() > 0) || !(body.centre || by_itself)) return Vec3::Zero();
  body.centre = true;
  for (Vec3& p : solid.surface.points) p -= middle;
  if (solid.tets)
    for (Vec3& p : solid.tets->points) p -= middle;
  for (NurbsPatch& patch : solid.patches)
    for (Vec3& p : patch.pole) p -= middle;
  log.notes.push_back(
      fmt::format("{}: its middle, {:.6g} {:.6g} {:.6g} in the file, becomes the origin{}",
                  *body.name, middle.x(), middle.y(), middle.z(),
                  by_itself ? ": from there its details would be lost to rounding" : ""));
  return middle;
}

/// Of a shape's own coordinates, from which `middle` was taken off.
Region::Frame frame_of(const Pose& pose, double scale, int up, const Vec3& middle) {
  Mat3 turned;
  for (int axis = 0; axis < 3; ++axis) turned.col(axis) = upright(Vec3::Unit(axis), up);
  Region::Frame frame;
  frame.length = scale;
  frame.pose.rotation = pose.rotation * Quat(turned);
  frame.pose.position = pose.apply(-scale * upright(middle, up));
  return frame;
}

void warn_if_far(const BodyDescription& body, const Box& box, BuildLog& log) {
  if (!is_far(box)) return;
  const double distance = box.centre().norm();
  log.warnings.push_back(fmt::format(
      "{} lies {:.3g} m from the origin and is {:.3g} m large: details below {:.1g} m are lost in "
      "files, which hold floats; \"centre\": true brings it near",
      *body.name, distance, box.extent().maxCoeff(), distance * 6e-8));
}

/// "mm", or its length when it has no name.
std::string unit_name(double length) {
  for (std::size_t i = 1; i < std::size(unit_names); ++i)
    if (std::abs(unit_lengths[i] - length) < 1e-6 * length) return unit_names[i];
  return fmt::format("units of {:.4g} m", length);
}

const char* unit_word(const BuildLog& log) {
  return log.source.is_model ? "--unit mm" : "\"unit\": \"mm\"";
}

/// `cad_unit` [m]: of CAD files, which name theirs; 0 = nobody did.
void check_extent(const BodyDescription& body, double extent, const std::string& where,
                  BuildLog& log, double cad_unit = 0) {
  if (!(extent <= largest_world))
    log.problem(where, fmt::format("is {} m large; it must be at most {} m", shown(extent),
                                   shown(largest_world)));
  else if (extent <= 0) log.problem(where, "has no extent: all of its points are one");
  else if (extent < smallest_body)
    log.problem(
        where,
        fmt::format("is {} m large; it must be at least {} m", shown(extent), shown(smallest_body)),
        "is \"unit\" right?");
  else if (extent > 1000 && cad_unit > 0)
    log.warnings.push_back(
        fmt::format("extent of {} is {:.4g} m, since its file is in {}; if its numbers are mm, say "
                    "so: {}",
                    *body.name, extent, unit_name(cad_unit), unit_word(log)));
  else if (extent > 1000 && body.file)
    log.warnings.push_back(fmt::format("extent of {} is {:.4g} m; is its unit mm? set {}",
                                       *body.name, extent, unit_word(log)));
  else if (extent < 1e-4 && body.file)
    log.warnings.push_back(
        fmt::format("extent of {} is {:.4g} m; is \"unit\" right?", *body.name, extent));
  else if (extent > 20 && body.file && body.unit == 0)
    log.notes.push_back(fmt::format(
        "{} is {:.4g} m large{}; if its numbers are mm or cm, say so: {}", *body.name, extent,
        cad_unit > 0 ? ", since its file is in " + unit_name(cad_unit) : "", unit_word(log)));
}

std::string file_name(const std::string& path) {
  return std::filesystem::path(path).filename().string();
}

/// What is worth a word about a surface drawn of CAD faces: that faces were turned. Their borders
/// are drawn side by side, so holes and seams between triangles mean nothing.
std::vector<std::string> said_of_faces(const Intake& taken, const TriangleMesh& drawn,
                                       std::size_t faces) {
  std::vector<char> is_turned(drawn.triangles.size(), 0);
  for (const int t : taken.defects.turned) is_turned[std::size_t(t)] = 1;
  int turned = 0;
  for (std::size_t f = 0; f < faces; ++f) {
    const std::vector<int>& triangles = drawn.groups[f].triangles;
    const auto count = std::count_if(triangles.begin(), triangles.end(),
                                     [&](int t) { return is_turned[std::size_t(t)]; });
    turned += 2 * std::size_t(count) > triangles.size();
  }
  if (turned == 0) return {};
  return {fmt::format("{} of {} faces faced the wrong way and {} turned", turned, faces,
                      turned == 1 ? "was" : "were")};
}

/// The size of a CAD model and how it was drawn, which tells whether unit and tolerance are right.
void note_drawing(const BodyDescription& body, std::size_t faces, double unit, const Solid& solid,
                  BuildLog& log) {
  const Vec3 size = box_of(solid).extent();
  const double deviation = cad_deviation * size.norm();
  log.notes.push_back(fmt::format(
      "{}: {} CAD faces in {}, {:.3g} x {:.3g} x {:.3g} m; {} {} triangles within {:.2g} m of them",
      *body.name, faces, unit_name(unit), size.x(), size.y(), size.z(),
      body.method.settings->moves_patches() ? "seen and touched as" : body.method.name + " takes",
      solid.surface.triangles.size(), deviation));
}

/// A closed surface around points without faces.
void surround(const std::string& file, TriangleMesh& surface, BuildLog& log) {
  const std::size_t count = surface.points.size();
  CloudSurface drawn = surface_around(surface.points);
  surface = std::move(drawn.mesh);
  std::string left_out;
  if (drawn.left_out > 0)
    left_out = fmt::format("; {} in the air, far from the others, {} left out", drawn.left_out,
                           drawn.left_out == 1 ? "was" : "were");
  log.warnings.push_back(fmt::format(
      "{}: a cloud of {} points, {:.3g} m apart, without faces{}; a closed surface was drawn "
      "around them{}",
      file_name(file), count, drawn.spacing, left_out,
      drawn.is_shell ? ". They enclose nothing, since too much of a side is missing, so it is a "
                       "shell along them"
                     : ""));
}

/// Where the points of a welded surface lie on the patches; none where one of them does not.
std::vector<Tessellation::Vertex> welded(const std::vector<Tessellation::Vertex>& given,
                                         const std::vector<int>& vertex, std::size_t count) {
  std::vector<Tessellation::Vertex> result(count, {-1, Vec2::Zero()});
  for (std::size_t v = given.size(); v-- > 0;)  // the first one counts
    if (vertex[v] >= 0) result[std::size_t(vertex[v])] = given[v];
  for (const Tessellation::Vertex& at : result)
    if (at.patch < 0) return {};
  return result;
}

/// Without a thickness a flat surface has no inside, whatever computes it.
void refuse_flat(const BodyDescription& body, const TriangleMesh& surface, const BuildLog& log) {
  Box box;
  for (const Triangle& t : surface.triangles)
    for (const int p : t) box.add(surface.points[p]);
  const Vec3 extent = box.extent();
  if (body.thickness || extent.minCoeff() > 1e-12 * extent.maxCoeff()) return;
  const double thickness = 0.02 * extent.maxCoeff();
  throw InputError(
      "", "",
      fmt::format("is flat, so it has zero volume (extent x, y, z = {:.6g}, {:.6g}, {:.6g} m)",
                  extent.x(), extent.y(), extent.z()),
      fmt::format("{}{:.2g} makes a plate of it, so many metres thick",
                  log.source.is_model ? "--thickness " : "\"thickness\": ", thickness));
}

/// What the file has becomes fit for physics, and what was done is told. `cad_faces`: of how many
/// it was drawn; 0 = it is a plain surface.
void repair(const BodyDescription& body, Faces faces, std::size_t cad_faces, Solid& solid,
            BuildLog& log, GivenSurface& given) {
  const std::string file = body.file ? file_name(*body.file) : *body.name;
  refuse_flat(body, solid.surface, log);
  Intake taken =
      take_in(solid.surface, {.weld = body.weld, .thickness = body.thickness.value_or(0)});
  for (const std::string& warning :
       cad_faces > 0 ? said_of_faces(taken, solid.surface, cad_faces) : taken.warnings)
    log.warnings.push_back(file + ": " + warning);
  if (log.strict &&
      cad_faces == 0) {  // else winding numbers get along with it, and the search takes its time
    const SelfIntersections found = find_self_intersections(taken.mesh, Bvh(taken.mesh));
    if (found.pairs > 0)
      log.warnings.push_back(fmt::format("{}: {} triangles pass through others of the same surface",
                                         file, found.triangles.size()));
  }
  const std::string seams = fmt::format(
      "{}: {} points at the place of another (seams) count as one", file, taken.defects.welded);
  const bool is_said = std::find(log.notes.begin(), log.notes.end(), seams) != log.notes.end();
  if (taken.defects.welded > taken.defects.moved && !is_said && cad_faces == 0)
    log.notes.push_back(seams);
  given.faces = std::move(faces);
  given.points = std::move(solid.surface.points);
  if (!solid.patches.empty())
    solid.on_patch = welded(solid.on_patch, taken.vertex, taken.mesh.points.size());
  given.vertex = std::move(taken.vertex);
  solid.surface = std::move(taken.mesh);
}

bool shape_from_file(BodyDescription& body, const Pose& pose, const std::string& where,
                     BuildLog& log, Solid& solid, GivenSurface& given) {
  std::filesystem::path path;
  std::optional<Model> model = load_model(*body.file, where + "/file", log, &path);
  if (!model) return false;
  const bool is_cloud = model->is_cloud();
  const std::size_t faces = model->patches.size();  // of CAD files
  const double scale = body.scale * metres_of(*model, body.unit);
  if (model->tets && !model->tets->tets.empty()) solid.tets = std::move(model->tets);
  else solid.surface = std::move(model->surface);
  if (body.method.settings->moves_patches()) {
    solid.patches = std::move(model->patches);
    solid.on_patch = std::move(model->on_patch);
    if (!solid.patches.empty()) given.cad_file = path;
  }
  if (faces == 0) doubt_standing(body, box_of(solid), log);
  body.frame = frame_of(pose, scale, body.up, bring_near(body, solid, log));
  place(solid, pose, scale, body.up);

  const std::size_t before = log.problems.size();
  const Box box = box_of(solid);
  const double said = body.unit == 0 ? model->unit : 0;
  check_extent(body, box.extent().maxCoeff(), where, log, said);
  if (log.problems.size() > before) return false;
  warn_if_far(body, box, log);
  if (solid.tets) return true;
  try {
    if (is_cloud) surround(*body.file, solid.surface, log);
    else repair(body, std::move(model->faces), faces, solid, log, given);
    if (faces > 0)
      note_drawing(body, faces, model->unit * metres_of(*model, body.unit), solid, log);
    return true;
  } catch (const InputError& error) {
    log.model_problem(where + "/file", *body.file, error);
    return false;
  }
}

/// A shape as CAD faces, with triangles along them.
bool shape_from_patches(BodyDescription& body, const Pose& pose, const std::string& where,
                        BuildLog& log, Solid& solid, GivenSurface& given) {
  solid.patches = patches_of(body);
  const double extent = box_of(solid.patches).extent().maxCoeff();
  if (!check_edge(body, extent, where, log)) return false;
  Tessellation drawn = tessellate(solid.patches, *body.edge, 1e-3 * extent);
  solid.surface = std::move(drawn.mesh);
  solid.on_patch = std::move(drawn.vertices);
  place(solid, pose, body.scale);
  body.frame = frame_of(pose, body.scale, 0, Vec3::Zero());
  try {
    repair(body, {}, solid.patches.size(), solid, log, given);
    if (!body.method.settings->moves_patches()) {
      solid.patches.clear();
      solid.on_patch.clear();
    }
    return true;
  } catch (const InputError& error) {
    log.problem(where, error);
    return false;
  }
}

void note_material(const std::string& name, const Material& asked, const Material& full,
                   BuildLog& log) {
  if (!asked.preset.empty() || asked.young) return;
  std::string rest;
  if (!asked.poisson) rest += fmt::format(", Poisson {}", shown(*full.poisson));
  if (!asked.density) rest += fmt::format(", density {} kg/m^3", shown(*full.density));
  if (!asked.damping) rest += fmt::format(", damping {} 1/s", shown(*full.damping));
  if (!asked.friction) rest += fmt::format(", friction {}", shown(*full.friction));
  log.note("material of ", name,
           fmt::format("E = {:.3g} Pa, chosen so that its own weight squeezes it by about 5 %{}",
                       *full.young, rest));
}

/// Methods that cannot flow, or break, say so instead of leaving it out.
void refuse_flow(const BodyDescription& body, const Solid& solid, const std::string& where,
                 BuildLog& log) {
  const MethodSettings& settings = *body.method.settings;
  const auto refuse = [&](const Material& material, const std::string& path) {
    if (!material.plastic) return;
    if (!settings.flows())
      log.problem(path, fmt::format("is plastic; {} cannot flow", quote(body.method.name)),
                  "tets, groups and clusters can");
    else if (material.plastic->fracture && !settings.breaks())
      log.problem(path + "/fracture",
                  fmt::format("is given; bodies of {} do not break", quote(body.method.name)),
                  "clusters do; \"limit\" ends the flow of any method");
  };
  refuse(solid.material, where + "/material/plastic");
  for (std::size_t i = 0; i < solid.parts.size(); ++i)
    refuse(solid.parts[i].material, fmt::format("{}/regions/{}/material/plastic", where, i));
}

void set_materials(BodyDescription& body, const SceneDescription& scene, const std::string& where,
                   BuildLog& log, Solid& solid) {
  const double size = largest_extent(solid), gravity = scene.gravity.norm();
  const Material asked = looked_up(scene, body.material);
  solid.material = completed(asked, size, gravity);
  doubt_material(*body.name, asked, log);
  if (body.method.settings->deforms()) note_material(*body.name, asked, solid.material, log);
  body.material = {"", solid.material};
  for (RegionMaterial& region : body.regions) {
    Material part = looked_up(scene, region.material);
    if (part.preset.empty()) {  // what a region does not say is as in the rest of the body
      const Material own = part;
      part = solid.material;
      part.preset.clear();
      part.take(own);
    }
    doubt_material(*body.name, looked_up(scene, region.material), log);
    part = completed(part, size, gravity);
    region.region.settle(box_of(solid), body.frame);
    solid.parts.push_back({region.region, part});
    region.material = {"", part};
  }
  refuse_flow(body, solid, where, log);
}

/// The shape that the fields of a body or a part say, placed.
bool make_shape(BodyDescription& body, const Pose& pose, const std::string& where, BuildLog& log,
                Solid& solid, GivenSurface& given) {
  if (body.file) return shape_from_file(body, pose, where, log, solid, given);
  if (body.model || (body.method.settings->moves_patches() && !patches_of(body).empty())) {
    if (!shape_from_patches(body, pose, where, log, solid, given)) return false;
  } else {
    std::optional<TriangleMesh> surface = primitive_of(body, where, log);
    if (!surface) return false;
    solid.surface = std::move(*surface);
    place(solid, pose, body.scale);
    body.frame = frame_of(pose, body.scale, 0, Vec3::Zero());
  }
  const std::size_t before = log.problems.size();
  check_extent(body, largest_extent(solid), where, log);
  return log.problems.size() == before;
}

/// One more part of a body becomes one solid with what there is.
bool add_part(BodyDescription& body, int index, const std::string& where, BuildLog& log,
              Solid& solid, GivenSurface& given) {
  PartDescription& part = body.parts[std::size_t(index)];
  if (!part.name) part.name = fmt::format("part_{}", index + 1);
  BodyDescription alone;
  static_cast<ShapeDescription&>(alone) = part;
  alone.name = fmt::format("{} of {}", *part.name, *body.name);
  alone.edge = part.edge;
  alone.unit = part.unit;
  alone.up = part.up;
  alone.scale = part.scale;
  alone.method = body.method;
  Solid shape;
  GivenSurface own;
  if (!make_shape(alone, {rotation(part.rotate), part.place}, where, log, shape, own)) return false;
  part.edge = alone.edge;
  place(shape, {rotation(body.rotate), body.place}, body.scale);
  if (solid.tets || shape.tets) {
    log.problem(where, "makes one solid with a mesh of tets; parts have to be surfaces");
    return false;
  }
  if (!own.cad_file.empty() && !given.cad_file.empty()) {
    log.problem(where, "is a second CAD file in one body; faces of one file can be written back",
                "put both into one file with the program they come from");
    return false;
  }
  if (given.cad_file.empty()) given.cad_file = own.cad_file;
  given.faces = {};  // outputs show what was joined
  try {
    join(solid, std::move(shape), *part.name);
    return true;
  } catch (const InputError& error) {
    log.problem(where, error);
    return false;
  }
}

}  // namespace

double largest_extent(const Solid& solid) {
  return bounds(solid.tets ? solid.tets->points : solid.surface.points).extent().maxCoeff();
}

std::optional<Solid> make_solid(BodyDescription& body, const SceneDescription& scene,
                                const std::string& where, BuildLog& log, GivenSurface& given) {
  Solid solid;
  solid.name = *body.name;
  solid.contact_detail = body.contact_detail;
  const Pose pose{rotation(body.rotate), body.place};
  if (!make_shape(body, pose, where, log, solid, given)) return std::nullopt;
  for (int k = 0; k < int(body.parts.size()); ++k)
    if (!add_part(body, k, fmt::format("{}/parts/{}", where, k), log, solid, given))
      return std::nullopt;
  const std::size_t before_materials = log.problems.size();
  set_materials(body, scene, where, log, solid);
  if (log.problems.size() > before_materials) return std::nullopt;
  try {
    find_groups(solid);
  } catch (const InputError& error) {
    const Problem& first = error.problems().front();
    log.problem(where + first.where, first.what, first.hint);
    return std::nullopt;
  }
  return solid;
}

Original map_original(const GivenSurface& given, const TriangleMesh& surface, const Skin& skin) {
  Original original;
  // Welding control points moves the skin of CAD models by up to 1e-5 of its size.
  const double moved = 1e-4 * bounds(surface.points).extent().norm();
  const bool begins_alike =
      skin.rest.size() >= surface.points.size() &&
      std::equal(surface.points.begin(), surface.points.end(), skin.rest.begin(),
                 [&](const Vec3& a, const Vec3& b) { return (a - b).norm() <= moved; });
  if (given.faces.size() == 0 || !begins_alike) return original;
  original.vertex = given.vertex;
  original.faces = given.faces;
  std::optional<Bvh> bvh;
  for (std::size_t v = 0; v < original.vertex.size(); ++v) {
    if (original.vertex[v] >= 0) continue;
    if (!bvh) bvh.emplace(surface);
    const SurfacePoint near = bvh->closest_point(surface, given.points[v]);
    original.vertex[v] = near.triangle < 0 ? 0 : surface.triangles[near.triangle][0];
    if (original.offset.empty())
      original.offset.assign(original.vertex.size(), Eigen::Vector3f::Zero());
    original.offset[v] = (given.points[v] - skin.rest[original.vertex[v]]).cast<float>();
  }
  return original;
}

double metres_of(const Model& model, int unit) {
  const bool is_in_metres = model.unit > 0;
  return is_in_metres ? (unit == 0 ? 1 : unit_lengths[unit] / model.unit) : unit_lengths[unit];
}

std::optional<TriangleMesh> load_surface(const std::string& file, double scale, int unit, int up,
                                         const std::string& where, BuildLog& log) {
  std::optional<Model> model = load_model(file, where, log);
  if (!model) return std::nullopt;
  if (model->surface.triangles.empty() && model->tets) {
    model->surface.points = model->tets->points;
    model->surface.triangles = boundary_triangles(*model->tets);
  }
  if (model->is_cloud()) {
    log.problem(where,
                fmt::format("is {}, a cloud of points; a collider needs faces", quote(file)));
    return std::nullopt;
  }
  place(model->surface.points, Pose(), scale * metres_of(*model, unit), up);
  const double extent = bounds(model->surface.points).extent().maxCoeff();
  if (extent > 0 && extent <= largest_world) return std::move(model->surface);
  log.problem(where, fmt::format("is {}, which is {} m large; it must be above 0 and at most {} m",
                                 quote(file), shown(extent), shown(largest_world)));
  return std::nullopt;
}

}  // namespace pliant
