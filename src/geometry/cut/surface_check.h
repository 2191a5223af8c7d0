#pragma once

#include <string>

#include "geometry/cut/cut_cells.h"

namespace pliant::cut {

struct SurfaceCheck {
  CutProblem problem = CutProblem::none;
  std::string reason;  // as in CutResult
};

/// Whether the surface bounds a solid: closed, each edge between two triangles that face the same
/// way, no triangle through another, and no shell where it should not be.
SurfaceCheck check_surface(const TriangleMesh& surface, bool allow_crossing);

}  // namespace pliant::cut
