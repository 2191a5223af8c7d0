#include "formats/formats.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <map>

#include "core/errors.h"
#include "core/files.h"
#include "formats/cad.h"
#include "formats/gltf_document.h"
#include "formats/gltf_read.h"
#include "formats/gmsh.h"
#include "formats/medit.h"
#include "formats/obj.h"
#include "formats/off.h"
#include "formats/ply.h"
#include "formats/problems.h"
#include "formats/stl.h"
#include "formats/tetgen.h"
#include "formats/text.h"
#include "formats/vtk.h"
#include "formats/vtu.h"

namespace pliant {
namespace {

void set(Model& model, Solid solid, const std::string& file) {
  if (TetMesh* const tets = std::get_if<TetMesh>(&solid)) {
    model.surface = boundary_surface(*tets);
    if (!tets->tets.empty() && model.surface.triangles.empty())
      throw InputError(file, "", "has tets, but no surface: each face of one is another's, too",
                       "are its tets written twice?");
    model.tets = std::move(*tets);
  } else {
    model.surface = std::move(std::get<TriangleMesh>(solid));
  }
}

/// `colors`: of groups, sRGB.
void paint(Faces& faces, const std::vector<std::optional<Vec3>>& colors) {
  std::map<std::array<double, 3>, int> known;
  for (std::size_t g = 0; g < colors.size(); ++g) {
    if (!colors[g]) continue;
    const Vec3 color = linear_rgb(*colors[g]);
    const auto [at, is_new] = known.try_emplace({color[0], color[1], color[2]}, int(known.size()));
    if (is_new) faces.paints.push_back({.name = faces.groups[g].name, .color = color});
    faces.paint.resize(std::size_t(faces.size()), -1);
    for (const int f : faces.groups[g].triangles) faces.paint[std::size_t(f)] = at->second;
  }
}

void set(Model& model, CadModel cad) {
  Box box;
  for (const NurbsPatch& patch : cad.patches)
    for (const Vec2& at : patch.domain) box.add(patch.point(at.x(), at.y()));
  const double diagonal = box.extent().norm();
  Tessellation drawn = tessellate(cad.patches, cad_edge * diagonal, cad_deviation * diagonal);
  model.surface = std::move(drawn.mesh);
  model.on_patch = std::move(drawn.vertices);
  model.faces_left_out = cad.faces - int(cad.patches.size());
  model.patches = std::move(cad.patches);
  model.faces = faces_of(model.surface);
  paint(model.faces, cad.colors);
  model.unit = cad.unit;
  model.warnings.insert(model.warnings.end(), cad.warnings.begin(), cad.warnings.end());
}

// Only what cannot be anything else: the first line of PLY, and STL by its exact size or its first
// words.
std::string extension_by_content(std::string_view bytes) {
  if (is_ply(bytes)) return ".ply";
  if (is_glb(bytes)) return ".glb";
  if (is_binary_stl(bytes) && bytes.find('\0') != std::string_view::npos) return ".stl";
  std::string_view rest = bytes.substr(0, 1024);
  const bool solid = next_word(rest) == "solid";
  return solid && rest.find("facet") != std::string_view::npos ? ".stl" : "";
}

/// What to do about a format that other programs write instead.
std::string way_round(const std::string& extension) {
  if (extension == ".json") return "; a scene is for `pliant run` and `pliant check`";
  for (const char* cad :
       {".3dm", ".brep", ".sldprt", ".ipt", ".catpart", ".f3d", ".fcstd", ".x_t", ".dwg", ".dxf"})
    if (extension == cad) return "; save it as STEP or IGES with the program it comes from";
  for (const char* scene :
       {".fbx", ".blend", ".dae", ".usd", ".usda", ".usdc", ".usdz", ".abc", ".max", ".3ds", ".3mf",
        ".ma", ".mb", ".c4d", ".hip", ".lwo", ".x3d", ".wrl"})
    if (extension == scene) return "; save the model as glTF or OBJ with the program it comes from";
  for (const char* mesh :
       {".inp", ".bdf", ".nas", ".cdb", ".k", ".xdmf", ".e", ".exo", ".med", ".poly", ".smesh"})
    if (extension == mesh)
      return "; save the mesh as Gmsh, Medit or VTK with the program it comes from";
  return "";
}

[[noreturn]] void refuse_extension(const std::filesystem::path& path,
                                   const std::string& extension) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) read_text_file(path);  // says what is wrong
  std::string list;
  for (const std::string& readable : readable_extensions()) list += ' ' + readable;
  throw InputError(path.string(), "",
                   extension.empty() ? "has no extension, so its format is unknown"
                                     : fmt::format("has the extension {}, which is unknown",
                                                   in_quotes(extension)),
                   "readable are" + list + way_round(extension));
}

}  // namespace

bool is_cad_file(const std::filesystem::path& path) {
  const std::string extension = lower_case(path.extension().string());
  return extension == ".iges" || extension == ".igs" || extension == ".step" || extension == ".stp";
}

const std::vector<std::string>& readable_extensions() {
  static const std::vector<std::string> extensions = {
      ".obj", ".ply",  ".stl", ".glb", ".gltf", ".off",  ".xyz", ".pts",  ".node",
      ".ele", ".mesh", ".msh", ".vtk", ".vtu",  ".iges", ".igs", ".step", ".stp"};
  return extensions;
}

bool is_readable(const std::filesystem::path& path) {
  const auto& known = readable_extensions();
  const std::string extension = lower_case(path.extension().string());
  return std::find(known.begin(), known.end(), extension) != known.end();
}

Model read_model(const std::filesystem::path& path) {
  std::string extension = lower_case(path.extension().string());
  if (!is_readable(path)) refuse_extension(path, extension);

  Model model;
  const std::string name = path.string();
  const std::string bytes = read_text_file(path);
  const std::string content = extension_by_content(bytes);
  const bool same = content == extension || (content == ".glb" && extension == ".gltf");
  if (!content.empty() && !same) {
    warn(&model.warnings, name,
         fmt::format("the content looks like {} and is read as such", content));
    extension = content;
  }
  std::vector<std::string>* const warnings = &model.warnings;
  if (extension == ".obj") model.surface = parse_obj(bytes, name, warnings, &model.faces);
  else if (extension == ".ply") model.surface = parse_ply(bytes, name, warnings, &model.faces);
  else if (extension == ".glb" || extension == ".gltf")
    model.surface = parse_gltf(bytes, path, warnings, &model.faces);
  else if (extension == ".off") model.surface = parse_off(bytes, name, warnings, &model.faces);
  else if (extension == ".xyz" || extension == ".pts")
    model.surface.points = parse_xyz(bytes, name);
  else if (extension == ".stl") model.surface = parse_stl(bytes, name, &model.warnings);
  else if (extension == ".mesh") set(model, parse_medit(bytes, name, &model.warnings), name);
  else if (extension == ".msh") set(model, parse_gmsh(bytes, name, &model.warnings), name);
  else if (extension == ".vtk") set(model, parse_vtk(bytes, name, &model.warnings), name);
  else if (extension == ".vtu") set(model, parse_vtu(bytes, name, &model.warnings), name);
  else if (is_cad_file(path)) set(model, read_cad(path));
  else set(model, read_tetgen(path, &model.warnings), name);
  if (model.faces.size() == 0 && !model.tets) model.faces = faces_of(model.surface);
  return model;
}

}  // namespace pliant
