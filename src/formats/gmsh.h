#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "formats/cells.h"

namespace pliant {

/// Tets of a Gmsh .msh file, versions 2 and 4.1, text or binary with either byte order, or its
/// triangles when it has no tets. Node tags may be any numbers. Of tets with ten nodes and
/// triangles with six the corners are taken; all other elements are left out with one counted
/// warning. Physical groups and other sections are passed over. What is checked: cells.h. Throws
/// InputError with line or byte.
Solid parse_gmsh(std::string_view bytes, const std::string& name,
                 std::vector<std::string>* warnings = nullptr);

}  // namespace pliant
