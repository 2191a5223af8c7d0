#pragma once

#include <memory>
#include <string>
#include <vector>

#include "geometry/mesh/origin.h"
#include "geometry/mesh/triangle_mesh.h"
#include "math/weights.h"

namespace pliant {

/// Where the vertices and triangles of a skin came from, when they come and go. Empty: they do not.
struct Provenance {
  std::shared_ptr<const TriangleMesh> given;  // the surface as it was at first; it never changes
  std::vector<Origin> origin;                 // per vertex
  std::vector<int>
      source;              // per triangle: the given one of which it is a part; -1 = inner material
  std::vector<int> piece;  // per vertex: closed pieces of matter
  // Per vertex: parts of different numbers touch each other as bodies do. Empty: there is only one.
  std::vector<int> apart;

  bool empty() const { return !given; }
};

/// A surface of a body. Each vertex is a weighted sum of nodes: true for every method.
struct Skin {
  std::vector<Triangle> triangles;
  Weights weights;
  std::vector<Vec3> position;  // [m] refreshed from the nodes
  std::vector<Vec3> previous;  // [m] at the start of the substep: for sweeps and sides
  // [m] When contact last looked at it, if a solve or somebody else moved it before the substep
  // began; else empty: then it was where it is in `previous`.
  std::vector<Vec3> at_detection;
  // [m] as built: regions choose here, displacement is measured from here. Of skins whose triangles
  // come and go: when they last did; where they are from is in `provenance`.
  std::vector<Vec3> rest;
  std::vector<TriangleMesh::Group> groups;
  Provenance provenance;
  int revision = 0;          // grows when triangles change
  int weights_revision = 0;  // grows when weights change

  int size() const { return int(position.size()); }
  const std::vector<Vec3>& last_detection() const {
    return at_detection.empty() ? previous : at_detection;
  }

  void refresh(const std::vector<Vec3>& node_positions) {
    weights.gather(node_positions, position);
  }
};

/// Mean edge length [m]: how far apart the points are that can touch something.
double mean_edge(const Skin& skin);

/// Enclosed volume of the skin as it is now [m^3].
double volume(const Skin& skin);

}  // namespace pliant
