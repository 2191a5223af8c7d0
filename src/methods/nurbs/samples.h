#pragma once

#include "methods/nurbs/net.h"

namespace pliant::nurbs {

/// A place that a fit sees: on the surface, a weighted sum of control points; inside, a particle
/// with unknowns of its own.
struct Sample {
  Vec3 place = Vec3::Zero();  // [m] at rest
  PatchRow row = {};          // over the unknowns
  double area = 0;            // [m^2] of the surface that it stands for; of particles spacing^2
  double spacing = 0;         // [m] of samples here: what the thickness asks for
  double weight = 1;          // in fits
};

/// Samples of the surface, as close as `density` of the thickness behind them asks for and at least
/// one for each control point.
std::vector<Sample> surface_samples(const Net& net, const Occupancy& solid, const Lengths& lengths,
                                    double density);

/// Surface points that are unknowns themselves: of the triangle meshes among a solid's parts.
struct LoosePoints {
  std::vector<Vec3> place;   // [m] at rest
  std::vector<Vec3> normal;  // outwards
  std::vector<double> area;  // [m^2] a third of the triangles around it
  double longest = 0;        // [m] edge between them

  int size() const { return int(place.size()); }
};

/// Each a sample of its own: node `first`, `first` + 1, ...
void add_loose_samples(const LoosePoints& loose, int first, const Occupancy& solid,
                       const Lengths& lengths, double density, std::vector<Sample>& samples);

/// Places for particles inside, where surface samples are too far: greedily from the deepest voxel
/// outwards. Also finds the spacing at every voxel.
struct Interior {
  std::vector<Vec3> particle;
  std::vector<double> spacing;        // [m] of each particle
  std::vector<double> voxel_spacing;  // [m]
};
Interior fill_interior(const std::vector<Sample>& surface, const Occupancy& solid,
                       const Lengths& lengths);

}  // namespace pliant::nurbs
