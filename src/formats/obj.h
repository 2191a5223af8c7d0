#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "formats/faces.h"

namespace pliant {

/// Surface of a Wavefront OBJ file: points, faces (any number of corners, negative indices, corners
/// like 1, 1/2, 1//3, 1/2/3) and the groups named by `g` and `o` lines. A face belongs to all names
/// of the last `g` line (the first 15) and to the last `o`; a name that no face uses is left out.
/// Normals, curves and unknown lines are passed over. `faces` receives the polygons with their
/// texture coordinates and paint: for it the .mtl that the file names is opened, and the images
/// that this one names, all in the folder of the file (beside.h).
///
/// Throws InputError with file and line for every index that names no vertex and every coordinate
/// that is no finite number, and when there are no faces. Faces with fewer than three different
/// corners are skipped; `warnings` receives one counted sentence for them.
TriangleMesh read_obj(const std::filesystem::path& path,
                      std::vector<std::string>* warnings = nullptr);
TriangleMesh parse_obj(std::string_view text, const std::string& name,
                       std::vector<std::string>* warnings = nullptr, Faces* faces = nullptr);

/// Numbers are written with as many digits as it takes to read the same double back. Groups become
/// `g` lines; white space in their names becomes an underscore.
void write_obj(const std::filesystem::path& path, const TriangleMesh& mesh);
/// The same with polygons and texture coordinates.
void write_obj(const std::filesystem::path& path, std::span<const Eigen::Vector3f> points,
               const Faces& faces);
void write_obj(const std::filesystem::path& path, std::span<const Vec3> points, const Faces& faces);

}  // namespace pliant
