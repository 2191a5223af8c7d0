#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "formats/faces.h"
#include "geometry/mesh/tet_mesh.h"
#include "geometry/nurbs/patch.h"

namespace pliant {

/// What a model file holds. Coordinates are as in the file, since most formats know no unit; those
/// of CAD files are in metres.
struct Model {
  TriangleMesh surface;         // of tets: their boundary, points in the order of the tet mesh;
                                // points without triangles: a cloud
  Faces faces;                  // of the surface as the file has them; empty for tets and clouds
  std::optional<TetMesh> tets;  // when the file has tets
  std::vector<NurbsPatch> patches;  // of CAD files; `surface` follows them to 1e-3 of the diagonal,
                                    // with groups "face_1", ... and those the file names
  std::vector<std::optional<Vec3>> colors;     // of these faces, sRGB, where the file gives some
  std::vector<Tessellation::Vertex> on_patch;  // of CAD files: where the points of `surface` lie
  double unit = 0;                    // [m] the file's, when it has one; the coordinates are in
                                      // metres all the same
  int faces_left_out = 0;             // of CAD files: faces that cannot be used
  std::vector<std::string> warnings;  // what was repaired or left out; sentences that name the file

  bool is_cloud() const { return surface.triangles.empty() && !tets; }
};

/// Of the diagonal: how far the triangles drawn of a CAD model's faces may be from them, and how
/// long their edges may be.
inline constexpr double cad_deviation = 1e-3, cad_edge = 0.05;

/// Reads any file we can read, by its extension. A PLY or STL file under another of our names is
/// read as what it is, with a warning. Throws InputError for everything that is wrong with the
/// file.
Model read_model(const std::filesystem::path& path);

/// In lower case, with the dot: ".obj", ...
const std::vector<std::string>& readable_extensions();
/// By its extension, in upper or lower case. The file need not exist.
bool is_readable(const std::filesystem::path& path);

}  // namespace pliant
