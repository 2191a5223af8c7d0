#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "formats/faces.h"

namespace pliant {

/// Surface of a PLY file: text, or binary with either byte order. Coordinates may be of any number
/// type, face lists of any whole-number types; other elements and properties are passed over. Faces
/// with more than three corners are cut into triangles; `faces` receives them whole, with the
/// texture coordinates of their vertices (s and t, or u and v) and their colors (red, green, blue).
/// A file without a face element is a cloud of points: a mesh without triangles, for those who ask
/// for `faces`.
///
/// Throws InputError naming line or byte for a broken header, for counts the file has no room for
/// (before any memory is taken), indices out of range, coordinates that are not finite, a file that
/// ends early, and when there is no face. Faces with fewer than three different corners are skipped
/// with one counted warning.
TriangleMesh read_ply(const std::filesystem::path& path,
                      std::vector<std::string>* warnings = nullptr);
TriangleMesh parse_ply(std::string_view bytes, const std::string& name,
                       std::vector<std::string>* warnings = nullptr, Faces* faces = nullptr);

/// Whether the first line is that of a PLY file.
bool is_ply(std::string_view bytes);

/// One number per vertex beside its position.
struct PlyProperty {
  std::string name;  // one word
  std::span<const float> values;
};

/// Binary, lowest byte first; the file appears whole or not at all. Positions keep their precision:
/// float or double.
void write_ply(const std::filesystem::path& path, std::span<const Eigen::Vector3f> points,
               std::span<const Triangle> triangles, std::span<const PlyProperty> properties = {});
void write_ply(const std::filesystem::path& path, std::span<const Vec3> points,
               std::span<const Triangle> triangles, std::span<const PlyProperty> properties = {});

}  // namespace pliant
