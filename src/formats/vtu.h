#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "formats/cells.h"

namespace pliant {

/// Tets of a VTK file in XML with an unstructured grid (.vtu), or its triangles when it has no
/// tets. Numbers may be text, base64 inside the file, or appended (raw or base64), with either byte
/// order and lengths of 4 or 8 bytes; compressed ones are refused. Pieces are put behind each
/// other. Of tets with ten nodes and triangles with six the corners are taken; all other cells are
/// left out with one counted warning. What is checked: cells.h. Throws InputError with the line of
/// text, the byte of raw data, or the byte of what base64 became.
Solid parse_vtu(std::string_view bytes, const std::string& name,
                std::vector<std::string>* warnings = nullptr);

}  // namespace pliant
