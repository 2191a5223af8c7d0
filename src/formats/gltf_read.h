#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "formats/faces.h"

namespace pliant {

/// The triangles of a glTF 2.0 file, .glb or .gltf: all meshes of the default scene, placed by
/// their nodes, in metres. Groups are named after nodes, or their meshes. Triangle lists, strips
/// and fans; sparse and quantised positions; `faces` receives the first set of texture coordinates.
/// Points, lines, materials, skins, morph targets and animations are passed over, the first two
/// with a warning. Buffers may lie inside, in data: URIs, or in files of the same folder or below.
///
/// Throws InputError with the JSON path ("/accessors/3/count") for anything that is wrong, for
/// compressed meshes (the extension is named), and for URIs that lead elsewhere.
TriangleMesh parse_gltf(std::string_view bytes, const std::filesystem::path& path,
                        std::vector<std::string>* warnings = nullptr, Faces* faces = nullptr);

}  // namespace pliant
