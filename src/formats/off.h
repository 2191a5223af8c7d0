#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "formats/faces.h"

namespace pliant {

/// Surface of an Object File Format file in text: OFF, and COFF, NOFF, STOFF and their mixtures,
/// whose colors, normals and texture coordinates are passed over. Faces with many corners are cut
/// into triangles; `faces` receives them whole. Throws InputError with the line for counts the
/// file has no room for, indices out of range and coordinates that are not finite.
TriangleMesh parse_off(std::string_view bytes, const std::string& name,
                       std::vector<std::string>* warnings = nullptr, Faces* faces = nullptr);

/// Points of a text file with at least three numbers a line (.xyz, .pts): more columns, such as
/// normals or colors, are passed over, as is a first line that holds nothing but a count. Throws
/// InputError with the line for anything else.
std::vector<Vec3> parse_xyz(std::string_view bytes, const std::string& name);

}  // namespace pliant
