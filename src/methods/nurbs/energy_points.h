#pragma once

#include <vector>

#include "geometry/sample/occupancy.h"

namespace pliant::nurbs {

/// Places where the elastic energy is asked for, each for a part of the volume. Neighbours come
/// together: bundles of at most eight.
struct EnergyPoints {
  std::vector<Vec3> place;     // [m]
  std::vector<double> volume;  // [m^3]
  std::vector<int> bundle = {0};
};

/// Blocks of 2 x 2 x 2 voxels. In walls that few of them make up, two points for each, as far apart
/// across the wall as the block's second moment says: one in the middle would know nothing of how
/// the block bends. `thickness` [m]: of the solid at each voxel.
EnergyPoints energy_points(const Occupancy& solid, const std::vector<double>& thickness);

}  // namespace pliant::nurbs
