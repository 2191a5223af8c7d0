#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "formats/cells.h"

namespace pliant {

/// Tets of a legacy VTK file (.vtk) with an unstructured grid, text or binary, or its triangles
/// when it has no tets. Both layouts of cells are read: the old one, and OFFSETS with CONNECTIVITY
/// of version 5. Of tets with ten nodes and triangles with six the corners are taken; all other
/// cells are left out with one counted warning. Data at points and cells are passed over. What is
/// checked: cells.h. Throws InputError with line or byte.
Solid parse_vtk(std::string_view bytes, const std::string& name,
                std::vector<std::string>* warnings = nullptr);

}  // namespace pliant
