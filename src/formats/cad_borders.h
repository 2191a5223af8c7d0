#pragma once

#include <filesystem>
#include <vector>

#include "geometry/nurbs/face_border.h"

namespace pliant {

/// The trims of all faces of an IGES or STEP file, where they lie on the faces' surfaces: no point
/// between two neighbours is further than `deviation` [m] from their line, and neighbours are no
/// further apart than `longest` [m]. What neighbouring faces leave open can be measured with them.
/// Edges without length (poles) and faces that cannot be used are left out. Throws as read_cad().
std::vector<FaceBorder> read_cad_borders(const std::filesystem::path& path, double longest,
                                         double deviation);

}  // namespace pliant
