#pragma once

#include <string>
#include <vector>

#include "geometry/mesh/triangle_mesh.h"
#include "math/weights.h"

namespace pliant {

/// What is seen and touched. Each vertex is a weighted sum of nodes: true for every method.
struct Skin {
  std::vector<Triangle> triangles;
  Weights weights;
  std::vector<Vec3> position;  // [m] refreshed from the nodes
  std::vector<Vec3> previous;  // [m] at the start of the substep: for sweeps and sides
  // [m] When contact last looked at it, if a solve or somebody else moved it before the substep
  // began; else empty: then it was where it is in `previous`.
  std::vector<Vec3> seen;
  std::vector<Vec3> rest;  // [m] as built: regions choose here, displacement is measured from here
  std::vector<TriangleMesh::Group> groups;
  int revision = 0;          // grows when triangles change
  int weights_revision = 0;  // grows when weights change

  int size() const { return int(position.size()); }
  const std::vector<Vec3>& last_seen() const { return seen.empty() ? previous : seen; }

  void refresh(const std::vector<Vec3>& node_positions) {
    weights.gather(node_positions, position);
  }
};

/// Mean edge length [m]: how far apart the points are that can touch something.
double mean_edge(const Skin& skin);

/// Enclosed volume of the skin as it is now [m^3].
double volume(const Skin& skin);

}  // namespace pliant
