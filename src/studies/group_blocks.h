#pragma once

#include "methods/groups/groups_method.h"
#include "world/world.h"

namespace pliant {

/// A block of hexahedral groups alone in a world without gravity. nodes_at(), hold(), pull_face()
/// and play() of blocks.h work on it.
struct GroupBlock {
  Eigen::Vector3i cells{1, 1, 1};
  Vec3 size = Vec3::Ones();  // [m] one corner in the origin
  double young = 1e5;        // [Pa]
  double poisson = 0.45;
  double damping = 0;   // [1/s]
  int substeps = 10;    // per frame of 1/60 s
  double jitter = 0;    // inner particles are moved by up to this share of a cell
  bool blocks = false;  // 2 x 2 x 2 cells make one group of 27 particles; even numbers of cells
  groups::Settings settings = {};
};

World group_world(const GroupBlock& setup);

/// The method of the first body.
groups::GroupsMethod& groups_of(World& world);

}  // namespace pliant
