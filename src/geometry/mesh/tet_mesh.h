#pragma once

#include <vector>

#include "geometry/mesh/triangle_mesh.h"

namespace pliant {

struct TetMesh {
  std::vector<Vec3> points;  // [m]
  std::vector<Tet> tets;     // positive volume: (p1-p0) x (p2-p0) . (p3-p0) > 0
};

double volume(const TetMesh& mesh, int tet);  // signed [m^3]
double volume(const TetMesh& mesh);

/// Faces that belong to one tet only, facing outwards.
std::vector<Triangle> boundary_triangles(const TetMesh& mesh);
/// The same as a surface of its own: the points it uses, in their old order.
TriangleMesh boundary_surface(const TetMesh& mesh);

}  // namespace pliant
