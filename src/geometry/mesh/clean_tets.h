#pragma once

#include <string>

#include "geometry/mesh/tet_mesh.h"

namespace pliant {

/// A user's tets, fit to compute with: positive, not flat, and no points that belong to nothing.
struct CleanTets {
  TetMesh mesh;
  std::vector<std::string> warnings;
};

/// Turns inverted tets, leaves out flat ones and points without tets. Throws InputError (no file,
/// no path) when indices are wrong or nothing is left.
CleanTets cleaned(const TetMesh& mesh);

}  // namespace pliant
