#pragma once

#include "methods/tets/tets.h"
#include "world/world.h"

namespace pliant {

/// A block of tets alone in a world without gravity, as the papers' experiments use it.
struct BlockSetup {
  Eigen::Vector3i cells{1, 1, 1};
  Vec3 size = Vec3::Ones();  // [m] one corner in the origin
  double young = 1e5;        // [Pa]
  double poisson = 0.45;
  double density = 1000;  // [kg/m^3]
  double damping = 0;     // [1/s]
  int substeps = 20;      // per frame of 1/60 s
  tets::Kernel kernel = tets::Kernel::automatic;
  double displacement_cap = 0.1;  // in tet sizes; 0 = none
  bool recovery = false;
  bool crazy = false;  // needles and slivers (crazy_block.h), for cubes
  tets::Law law = tets::Law::neo_hookean;
};

World block_world(const BlockSetup& setup);

/// Nodes of the first body whose rest position has this coordinate along this axis.
std::vector<int> nodes_at(const World& world, int axis, double coordinate);

/// Holds these nodes of the first body; the motion may be filled in by the caller.
Handle& hold(World& world, const std::vector<int>& nodes);

/// Pulls the face of the first body's block with this coordinate along this axis by `traction`
/// [Pa].
void pull_face(World& world, int axis, double coordinate, const Vec3& traction);

/// Pulls the faces x = 0 and x = 1 of a unit cube apart by `traction` [Pa].
void pull_apart(World& world, double traction);

/// Frames of 1/60 s.
void play(World& world, int frames);

}  // namespace pliant
