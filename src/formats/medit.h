#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "formats/cells.h"

namespace pliant {

/// Tets of a Medit .mesh file (text, any version number), or its triangles when it has no tets.
/// Sections may come in any order, keywords in capitals or not, numbers in lines of any length;
/// "#" starts a comment. Other cells (hexahedra, prisms, pyramids, quadrilaterals) are counted in
/// one warning, other sections passed over. What is checked: cells.h. Throws InputError with line.
Solid parse_medit(std::string_view text, const std::string& name,
                  std::vector<std::string>* warnings = nullptr);

}  // namespace pliant
