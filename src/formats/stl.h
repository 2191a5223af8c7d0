#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "geometry/mesh/triangle_mesh.h"

namespace pliant {

/// Surface of an STL file, text or binary. Binary is recognised by its size (84 + 50 n bytes), not
/// by its first word: many binary files start with "solid". Corners with equal coordinates become
/// one point, numbered in the order of their first use; normals and attributes are passed over.
///
/// Throws InputError naming line or byte for coordinates that are no finite numbers, for a header
/// that promises more than the file holds, and when there is no triangle. Triangles with two equal
/// corners are skipped with one counted warning; a text file that ends inside a facet is read up to
/// there, with a warning.
TriangleMesh read_stl(const std::filesystem::path& path,
                      std::vector<std::string>* warnings = nullptr);
TriangleMesh parse_stl(std::string_view bytes, const std::string& name,
                       std::vector<std::string>* warnings = nullptr);

/// Whether the size is that of a binary STL file with the number of triangles in its header.
bool is_binary_stl(std::string_view bytes);

/// Binary; the file appears whole or not at all. Normals are computed.
void write_stl(const std::filesystem::path& path, std::span<const Eigen::Vector3f> points,
               std::span<const Triangle> triangles);

}  // namespace pliant
