#pragma once

#include <vector>

#include "geometry/mesh/tet_mesh.h"
#include "materials/neo_hookean.h"

namespace pliant::tets {

/// The rest shapes of a body's tets; index = tet. Never changes after building.
struct TetElements {
  std::vector<Tet> nodes;
  std::vector<Mat3> inverse_rest;  // [1/m] B: F = [x1-x0, x2-x0, x3-x0] B
  std::vector<double> volume;      // [m^3] of material inside: rest volume times fill
  std::vector<double> length;      // [m] root mean square distance of the corners from the centre
  std::vector<NeoHookean> law;
  std::vector<double> damping;  // [1/s] as the user means it

  int size() const { return int(nodes.size()); }

  /// `fill` is the share of the tet that is material. The tet must have positive volume.
  void add(const TetMesh& mesh, const Tet& tet, double fill, const NeoHookean& law, double damping);
};

/// How the tet maps rest vectors to present ones.
inline Mat3 deformation(const Tet& nodes, const Mat3& inverse_rest,
                        const std::vector<Vec3>& position) {
  const Vec3& x0 = position[nodes[0]];
  Mat3 edges;
  edges << position[nodes[1]] - x0, position[nodes[2]] - x0, position[nodes[3]] - x0;
  return edges * inverse_rest;
}

inline Mat3 deformation(const TetElements& elements, int i, const std::vector<Vec3>& position) {
  return deformation(elements.nodes[i], elements.inverse_rest[i], position);
}

}  // namespace pliant::tets
