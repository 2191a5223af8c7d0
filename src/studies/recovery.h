#pragma once

#include <optional>
#include <string>

#include "body/scramble.h"
#include "geometry/mesh/tet_mesh.h"
#include "world/world.h"

namespace pliant {

/// A free body of tets thrown into disorder, left alone, and judged by its shape: volume and
/// inverted tets are not enough, since knots with the right volume and none inverted exist.
struct RecoveryTrial {
  std::optional<Scramble> scramble = Scramble::plane;  // none: a share of the tets is inverted
  double inverted_share = 0.2;
  int seed = 0;
  double young = 1e5;  // [Pa]
  double poisson = 0.45;
  double damping = 2;  // [1/s]
  int substeps = 20;   // per 1/60 s
  bool recovery = true;
  bool plain = false;     // the plain kernel
  double most_time = 10;  // [s]
};

struct RecoveryResult {
  bool recovered = false;  // and stayed so for half a second
  double time = 0;         // [s] when it did
  double shape_error = 0;  // root mean square distance from rest after the best rigid fit, in sizes
  double volume_ratio = 1;
  int inverted = 0;
};

/// Turns about this share of the body's tets inside out: a corner of each goes to the other side of
/// the face opposite to it.
void invert_tets(const TetMesh& mesh, Body& body, double share, int seed);

RecoveryResult recover(const TetMesh& mesh, const RecoveryTrial& trial);

}  // namespace pliant
