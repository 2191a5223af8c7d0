#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "formats/faces.h"
#include "geometry/mesh/tet_mesh.h"

namespace pliant {

/// What a model file holds. Coordinates are as in the file: none of these formats knows its unit.
struct Model {
  TriangleMesh surface;         // of tets: their boundary, points in the order of the tet mesh;
                                // points without triangles: a cloud
  Faces faces;                  // of the surface as the file has them; empty for tets and clouds
  std::optional<TetMesh> tets;  // when the file has tets
  std::vector<std::string> warnings;  // what was repaired or left out; sentences that name the file

  bool is_cloud() const { return surface.triangles.empty() && !tets; }
};

/// Reads any file we can read, by its extension. A PLY or STL file under another of our names is
/// read as what it is, with a warning. Throws InputError for everything that is wrong with the
/// file.
Model read_model(const std::filesystem::path& path);

/// In lower case, with the dot: ".obj", ...
const std::vector<std::string>& readable_extensions();
/// By its extension, in upper or lower case. The file need not exist.
bool is_readable(const std::filesystem::path& path);

}  // namespace pliant
