#pragma once

#include <vector>

#include "geometry/mesh/triangle_mesh.h"

namespace pliant {

/// How the triangles hang together. Points count as one only when they share an index: clean()
/// welds first.
struct Topology {
  int edges = 0;
  int open_edges = 0;     // with one triangle: rims of holes
  int crowded_edges = 0;  // with more than two
  int twisted_edges = 0;  // whose triangles do not face the same way
  int shells = 0;         // parts joined by edges
  bool closed = false;    // every edge has an even number of triangles, and there are some

  bool oriented() const { return twisted_edges == 0; }
};
Topology topology(const TriangleMesh& mesh);

bool is_closed(const TriangleMesh& mesh);
bool is_oriented(const TriangleMesh& mesh);

/// Per triangle: the number of its shell, counted from 0 by the shells' first triangles.
std::vector<int> shell_of_triangles(const TriangleMesh& mesh);

/// The rims of all holes as closed rows of points, the first not repeated, each in the sense of the
/// triangles where they agree. A rim with an odd number of triangles per edge counts.
std::vector<std::vector<int>> boundary_loops(const TriangleMesh& mesh);

/// Turns all triangles over when the volume is negative; true when it did.
bool face_outwards(TriangleMesh& mesh);

}  // namespace pliant
