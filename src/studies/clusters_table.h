#pragma once

#include "studies/clusters_scenes.h"

namespace pliant {

/// One line of Table 1 of Chentanez, Mueller, Macklin 2016: means over frames.
struct TableLine {
  double simulation = 0, surface = 0, resampling = 0, total = 0;  // [ms] a frame
  double particles = 0, seeding = 0;  // seeding: share beside which others may be made
  double clusters = 0, members = 0;   // members: of a cluster
  double triangles = 0;
};

/// An example of the paper, and a scene like it that is made on the spot.
struct TableScene {
  const char* name;
  TableLine paper;  // on one GPU (GTX Titan X)
  ClustersSetup setup;
  Show (*make)(const ClustersSetup&);
  double start;  // [s] from where on frames count
};
std::span<const TableScene> table_scenes();

/// Plays so many frames of it. `full`: as many particles and triangles as in the paper.
TableLine play_line(const TableScene& scene, bool full, int frames);

}  // namespace pliant
