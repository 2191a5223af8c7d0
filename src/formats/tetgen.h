#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "geometry/mesh/tet_mesh.h"

namespace pliant {

/// Tets from a pair of TetGen files, named by either of them: points from the .node file, tets from
/// the .ele file beside it. Numbering from 0 or 1 as the .node file says; attributes and markers
/// are passed over, of tets with ten nodes the four corners are taken. Tets turned inside out are
/// turned back and tets that overlap are kept, with one counted warning each. Throws InputError
/// with file and line for a missing partner, counts that do not fit, indices out of range,
/// coordinates that are no finite numbers and tets without volume.
TetMesh read_tetgen(const std::filesystem::path& path,
                    std::vector<std::string>* warnings = nullptr);
TetMesh parse_tetgen(std::string_view node_text, const std::string& node_name,
                     std::string_view ele_text, const std::string& ele_name,
                     std::vector<std::string>* warnings = nullptr);

}  // namespace pliant
